import { expect, test } from 'vitest';
import nltk from '../../../test/vectors/metrics/nltk.json' with { type: 'json' };
import sacrebleu from '../../../test/vectors/metrics/sacrebleu.json' with { type: 'json' };
import { chrf } from './chrf.ts';
import { corpusScore } from './metric.ts';
import { toPairs } from './vector-pairs.fixture.ts';

test.each(sacrebleu.chrf)('as sacreBLEU: $options $expected', (vector) => {
  const score = corpusScore(chrf(vector.options), toPairs(vector.pairs));
  expect(100 * (score ?? -1)).toBeCloseTo(vector.expected, vector.digits);
});

test('as sacreBLEU: random texts and settings', () => {
  for (const { pairs, options, corpus, sentences } of sacrebleu.drawnChrf) {
    const metric = chrf(options);
    expect(corpusScore(metric, toPairs(pairs))).toBeCloseTo(corpus, 12);
    expect(toPairs(pairs).map(({ answer, golds }) => metric.of(answer, golds))).toEqual(
      sentences.map((value) => expect.closeTo(value, 12)),
    );
  }
});

test.each(nltk.chrf)('as NLTK: $answer, beta $beta', ({ answer, gold, beta, expected }) => {
  expect(chrf({ beta, epsilonSmoothing: true }).of(answer, [gold])).toBeCloseTo(expected, 12);
});

test('names and signatures', () => {
  expect(chrf()).toMatchObject({
    name: 'chrf',
    signature: 'case:mixed|eff:yes|nc:6|nw:0|space:no',
  });
  expect(
    chrf({ wordOrder: 2, whitespace: true, lowercase: true, epsilonSmoothing: true }),
  ).toMatchObject({ name: 'chrf++', signature: 'case:lc|eff:no|nc:6|nw:2|space:yes' });
});

import { describe, expect, test } from 'vitest';
import nltk from '../../../test/vectors/metrics/nltk.json' with { type: 'json' };
import sacrebleu from '../../../test/vectors/metrics/sacrebleu.json' with { type: 'json' };
import { type BleuOptions, bleu } from './bleu.ts';
import { bleuTokenizers, tokenizerOf } from './bleu-tokenizers.ts';
import { corpusScore } from './metric.ts';
import { toPairs } from './vector-pairs.fixture.ts';

describe('as sacreBLEU', () => {
  test.each(sacrebleu.corpusBleu)('corpus: $options', ({ pairs, options, expected }) => {
    const score = corpusScore(bleu(options as BleuOptions), toPairs(pairs));
    expect(100 * (score ?? -1)).toBeCloseTo(expected, 7);
  });

  test.each(sacrebleu.sentenceBleu)('sentence: $options $expected', (vector) => {
    const metric = bleu(vector.options as BleuOptions);
    for (const { answer, golds } of toPairs(vector.pairs)) {
      expect(100 * metric.of(answer, golds)).toBeCloseTo(vector.expected, vector.digits);
    }
  });

  test.each(sacrebleu.statistics)('sums: $sums', ({ sums, smoothing, expected }) => {
    const metric = bleu({ smoothing } as BleuOptions);
    expect(100 * metric.ofSums(sums)).toBeCloseTo(expected, 6);
  });

  test('random texts, tokenizers and smoothings', () => {
    for (const { pairs, options, corpus, sentences } of sacrebleu.drawnBleu) {
      const metric = bleu(options as BleuOptions);
      expect(corpusScore(metric, toPairs(pairs))).toBeCloseTo(corpus, 12);
      expect(toPairs(pairs).map(({ answer, golds }) => metric.of(answer, golds))).toEqual(
        sentences.map((value) => expect.closeTo(value, 12)),
      );
    }
  });

  test.each(bleuTokenizers.filter((name) => name !== 'ja'))('the tokenizer %s', (name) => {
    const split = tokenizerOf(name);
    for (const [text, words] of sacrebleu.tokenizers as [string, Record<string, string[]>][]) {
      expect(split(text)).toEqual(words[name]);
    }
  });
});

test.each(nltk.bleu)('as NLTK: $expected', ({ pairs, expected }) => {
  const metric = bleu({ tokenize: 'none', smoothing: { type: 'none' } });
  expect(corpusScore(metric, toPairs(pairs))).toBeCloseTo(expected, 12);
});

test.each<[BleuOptions, string]>([
  [{}, 'case:mixed|eff:no|tok:13a|smooth:exp'],
  [
    { tokenize: 'zh', lowercase: true, smoothing: { type: 'floor' } },
    'case:lc|eff:no|tok:zh|smooth:floor[0.10]',
  ],
  [{ smoothing: { type: 'add-k', value: 2 } }, 'case:mixed|eff:no|tok:13a|smooth:add-k[2.00]'],
])('the signature of %j', (options, expected) => {
  expect(bleu(options).signature).toBe(expected);
});

test('short texts: sentences go by the orders they have, a corpus by all four', () => {
  const pair = { answer: 'two words', golds: ['two words'] };
  expect(bleu().of(pair.answer, pair.golds)).toBe(1);
  expect(corpusScore(bleu(), [pair])).toBe(0);
  expect(corpusScore(bleu(), [])).toBeUndefined();
});

test('a floor above 1 lifts no precision above 1', () => {
  expect(bleu({ smoothing: { type: 'floor', value: 5 } }).of('a b', ['a c'])).toBeLessThanOrEqual(
    1,
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import sacrebleu from '../../../test/vectors/metrics/sacrebleu.json' with { type: 'json' };
import { corpusScore } from './metric.ts';
import { ter, terWords } from './ter.ts';
import { countMovesAndEdits } from './ter-edits.ts';
import { toPairs } from './vector-pairs.fixture.ts';

test.each(sacrebleu.ter)('as sacreBLEU: $options $expected', (vector) => {
  const score = corpusScore(ter(vector.options), toPairs(vector.pairs));
  expect(100 * (score ?? -1)).toBeCloseTo(vector.expected, vector.digits);
});

test.each(sacrebleu.terWords)('words of $text with $options', ({ options, text, expected }) => {
  expect(terWords(text, options).join(' ')).toBe(expected);
});

test('as sacreBLEU: random texts and settings', () => {
  for (const { pairs, options, corpus, sentences } of sacrebleu.drawnTer) {
    const metric = ter(options);
    expect(corpusScore(metric, toPairs(pairs))).toBeCloseTo(corpus, 12);
    expect(toPairs(pairs).map(({ answer, golds }) => metric.of(answer, golds))).toEqual(
      sentences.map((value) => expect.closeTo(value, 12)),
    );
  }
});

test.each<[answer: string, gold: string, edits: number]>([
  ['a b c', 'a b c', 0],
  ['a x c', 'a b c', 1],
  ['a c', 'a b c', 1],
  ['a b b c', 'a b c', 1],
  ['c d a b', 'a b c d', 1],
  ['b a d c', 'a b c d', 2],
  ['', 'a b c', 3],
  ['a b c', '', 3],
  ['', '', 0],
])('%j to %j takes %d edits', (answer, gold, edits) => {
  const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');
  expect(countMovesAndEdits(wordsOf(answer), wordsOf(gold))).toBe(edits);
});

test('edits are no more than the longer text has words, and none for the same text', () => {
  const text = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 70 });
  fc.assert(
    fc.property(text, text, (answer, gold) => {
      const edits = countMovesAndEdits(answer, gold);
      expect(edits).toBeGreaterThanOrEqual(Math.abs(answer.length - gold.length));
      expect(edits).toBeLessThanOrEqual(Math.max(answer.length, gold.length));
      expect(countMovesAndEdits(gold, gold)).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test('the signature says what the rate depends on', () => {
  expect(ter().signature).toBe('case:lc|tok:tercom|norm:no|punct:yes|asian:no');
  const all = { normalized: true, noPunctuation: true, asianSupport: true, caseSensitive: true };
  expect(ter(all).signature).toBe('case:mixed|tok:tercom|norm:yes|punct:no|asian:yes');
});

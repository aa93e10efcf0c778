import { expect, test } from 'vitest';
import nltk from '../../../test/vectors/metrics/nltk.json' with { type: 'json' };
import vectors from '../../../test/vectors/metrics/rouge-score.json' with { type: 'json' };
import { loadSegmenter } from '../segment/segmenter.ts';
import { stem } from './porter-stemmer.ts';
import { type OverlapScore, type RougeVariant, rouge, rougeScore, rougeVariants } from './rouge.ts';

test.each(vectors.cases)('as rouge-score: $variant of $gold', (vector) => {
  const variant = vector.variant as RougeVariant;
  const score = rougeScore({ ...vector, variant }, { stem: vector.stem });
  for (const name of ['precision', 'recall', 'f1'] satisfies (keyof OverlapScore)[]) {
    expect(score[name]).toBeCloseTo(vector[name], vector.digits);
  }
});

test('as rouge-score: random texts', () => {
  for (const { answer, gold, stem: isStemmed, expected } of vectors.drawn) {
    for (const variant of rougeVariants) {
      const { precision, recall, f1 } = rougeScore({ answer, gold, variant }, { stem: isStemmed });
      const wanted = expected[variant].map((value) => expect.closeTo(value, 12));
      expect([precision, recall, f1]).toEqual(wanted);
    }
  }
});

test('stems as NLTK makes them', () => {
  expect(nltk.stems.map(([word = '']) => [word, stem(word)])).toEqual(nltk.stems);
});

test('the best of several right answers counts', () => {
  expect(rouge('rougeL').of('testing two', ['something else', 'testing one two'])).toBe(0.8);
});

test('texts without spaces are compared by words once their language is known', async () => {
  const [answer, gold] = ['東京に住んでいる。', '東京に住む'];
  expect(rouge('rouge1').of(answer, [gold])).toBe(0);
  await loadSegmenter('ja');
  const score = rougeScore({ answer, gold, variant: 'rouge1' }, { language: 'ja' });
  expect(score).toEqual({ precision: 2 / 5, recall: 2 / 3, f1: 0.5 });
});

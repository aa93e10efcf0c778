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
  expect(rouge('rouge1', { asciiOnly: true }).of(answer, [gold])).toBe(0);
  expect(rouge('rouge1').of(answer, [gold])).toBe(8 / 13);
  await loadSegmenter('ja');
  const score = rougeScore({ answer, gold, variant: 'rouge1' }, { language: 'ja' });
  expect(score).toEqual({ precision: 2 / 5, recall: 2 / 3, f1: 0.5 });
});

test.each([
  ...[
    '今日は天気がいいです。',
    '我们今天去学校。',
    'Сегодня хорошая погода',
    'วันนี้อากาศดี',
    '오늘 날씨가 좋다',
  ],
  ...['مرحبا بالعالم الجميل', 'é', '🙂', 'καλημέρα κόσμε', 'हिन्दी में'],
])('%j is equal to itself and to no other text', (text) => {
  for (const variant of ['rouge1', 'rougeL', 'rougeLsum'] as const) {
    expect(rouge(variant).of(text, ['another', text])).toBe(1);
    expect(rouge(variant).of(text, ['another'])).toBe(0);
    expect(rouge(variant, { asciiOnly: true }).of(text, [text])).toBe(0);
  }
});

test('words of scripts with spaces are whole, letters of others count one by one', () => {
  expect(rouge('rouge1').of('Сегодня дождь', ['Сегодня хорошая погода'])).toBe(2 / 5);
  expect(rouge('rouge1').of('東京 Tower', ['東京'])).toBe(4 / 5);
});

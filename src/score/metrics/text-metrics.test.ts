import { expect, test } from 'vitest';
import { loadSegmenter } from '../segment/segmenter.ts';
import { characterErrorRate, countEdits, editDistance, editSimilarity } from './edit-distance.ts';
import { corpusScore } from './metric.ts';
import { tokenF1, tokenMatch } from './token-f1.ts';

test.each<[answer: string, golds: string[], f1: number, match: number]>([
  ['The Eiffel Tower!', ['eiffel tower'], 1, 1],
  ['in the Eiffel Tower', ['Eiffel Tower'], 0.8, 0],
  ['Tower', ['nothing', 'the tower of London'], 0.5, 0],
  ['London', ['Paris'], 0, 0],
  ['a a b', ['a b b'], 2 / 3, 0],
  ['b b', ['b'], 2 / 3, 0],
  ['the', ['a'], 1, 1],
  ['the', ['word'], 0, 0],
  ['éa', ['é a'], 0, 0],
  ['state-of-the-art', ['state of art'], 0, 0],
])('SQuAD: %j against %j', (answer, golds, f1, match) => {
  expect(tokenF1().of(answer, golds)).toBeCloseTo(f1, 12);
  expect(tokenMatch().of(answer, golds)).toBe(match);
});

test('words of languages without spaces', async () => {
  await loadSegmenter('zh');
  const [answer, gold] = ['我喜欢喝茶。', '我喜欢咖啡'];
  expect(tokenF1().of(answer, [gold])).toBe(0);
  expect(tokenF1({ language: 'zh' }).of(answer, [gold])).toBeCloseTo(2 / 3, 12);
  expect(tokenMatch({ language: 'zh' }).of('我喜欢喝茶！', [answer])).toBe(1);
});

test.each<[left: string, right: string, edits: number]>([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['日本', '日本語', 1],
  ['😀a', '😁a', 1],
  ['a😀', 'a', 1],
  ['𠮷野家', '吉野家', 1],
])('edits from %j to %j: %d', (left, right, edits) => {
  expect(countEdits(left, right)).toBe(edits);
  expect(countEdits(right, left)).toBe(edits);
});

test('distance, similarity and error rate look at the nearest right answer', () => {
  const golds = ['entirely different', 'sitting'];
  expect(editDistance.of('kitten', golds)).toBe(3);
  expect(editSimilarity.of('kitten', golds)).toBeCloseTo(4 / 7, 12);
  expect(characterErrorRate.of('kitten', golds)).toBeCloseTo(3 / 7, 12);
  expect(editSimilarity.of('', [''])).toBe(1);
  expect(characterErrorRate.of('ab', [''])).toBe(2);
});

test('the error rate of many answers is one of all their characters', () => {
  const pairs = [
    { answer: 'abc', golds: ['abd'] },
    { answer: 'x', golds: ['yyyyyyy'] },
  ];
  expect(corpusScore(characterErrorRate, pairs)).toBe(8 / 10);
});

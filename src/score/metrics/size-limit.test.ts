import { expect, test } from 'vitest';
import { characterErrorRate, editDistance, editSimilarity } from './edit-distance.ts';
import { rouge } from './rouge.ts';
import { ter } from './ter.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index % 997}`);

test.each([
  ter(),
  editDistance,
  editSimilarity,
  characterErrorRate,
  rouge('rougeL'),
  rouge('rougeLsum'),
])('$name refuses texts that it would take minutes for, at once', (metric) => {
  const [answer, gold] = [words(150_000).join(' '), words(21_000).join(' ')];
  const start = performance.now();
  expect(() => metric.of(answer, [gold])).toThrow(/too long for .* product/);
  expect(performance.now() - start).toBeLessThan(1500);
});

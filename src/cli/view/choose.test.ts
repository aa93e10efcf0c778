import { expect, test } from 'vitest';
import { matchesGlob } from './choose.ts';

test.each([
  ['mmlu_physics', 'mmlu_*', true],
  ['mmlu', 'mmlu_*', false],
  ['ceval-law', '*-law', true],
  ['a.b', 'a.b', true],
  ['axb', 'a.b', false],
  ['a+b(c)', 'a+b(?)', true],
  ['日本', '?本', true],
  ['xay', 'a', false],
])('%s against %s: %s', (name, pattern, matches) => {
  expect(matchesGlob(name, pattern)).toBe(matches);
});

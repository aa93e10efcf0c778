import { expect, test } from 'vitest';
import { unitsToCut } from './cut-context.ts';

const countTokens = (text: string) => Buffer.byteLength(text);

test.each([
  ['abcdef', ['x', 'yz'], 9, 0],
  ['abcdef', ['x', 'yz'], 8, 1],
  ['abcdef', ['x', 'yz'], 3, 6],
  ['あいう', ['x'], 6, 2],
  ['a𠮷b', ['x'], 7, 1],
  ['a𠮷b', ['x'], 6, 3],
])('%j with %j in %i tokens: %i units go', (context, continuations, maxTokens, expected) => {
  expect(unitsToCut(context, continuations, { maxTokens, countTokens })).toBe(expected);
});

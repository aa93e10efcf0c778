import { expect, test } from 'vitest';
import { requireOneScale } from './one-scale.ts';

const accuracy = { dataset: 'a', metric: 'accuracy' };
const cer = { dataset: 'b', metric: 'cer', direction: 'lower', plain: true } as const;
const perplexity = { dataset: 'c', metric: 'perplexity', plain: true } as const;

test.each([
  [accuracy, cer],
  [cer, perplexity],
  [accuracy, { ...accuracy, dataset: 'd' }, perplexity],
])('scores that have no mean: %#', (...kinds) => {
  expect(() => requireOneScale(kinds)).toThrow(
    /`[abc]` is scored by \w+, `[bc]` by \w+: there is no/,
  );
});

test('scores of one kind, under whatever name, have a mean', () => {
  expect(() => requireOneScale([accuracy, { dataset: 'e', metric: 'f1' }])).not.toThrow();
  expect(() => requireOneScale([])).not.toThrow();
});

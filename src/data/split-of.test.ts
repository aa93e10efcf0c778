import { expect, it } from 'vitest';
import { splitOf } from './split-of.ts';

const sources = { train: 'train.jsonl', test: 'test.jsonl' };

it.each([
  ['all.jsonl', { testSplit: 'test' }, { test: 'all.jsonl' }],
  ['all.jsonl', { testSplit: 'a', trainSplit: 'b' }, { test: 'all.jsonl', train: 'all.jsonl' }],
  [sources, { testSplit: 'test' }, { test: 'test.jsonl' }],
  [
    sources,
    { testSplit: 'test', trainSplit: 'train' },
    { test: 'test.jsonl', train: 'train.jsonl' },
  ],
])('%j for %j gives %j', (given, names, expected) => {
  expect(splitOf(given, names)).toEqual(expected);
});

it.each([
  [{ testSplit: 'tset' }, 'Did you mean `test`? Splits: train, test.'],
  [{ testSplit: 'test', trainSplit: 'constructor' }, 'Splits: train, test.'],
])('%j is an error that lists the splits', (names, hint) => {
  expect(() => splitOf(sources, names)).toThrow(
    expect.objectContaining({ code: 'data.unknown_split', hint }),
  );
});

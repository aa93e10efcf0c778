import { expect, test } from 'vitest';
import { listSplits } from './hub-splits.ts';

const splitsOf = (...files: string[]) =>
  listSplits({ sha: 'x', siblings: files.map((rfilename) => ({ rfilename })) }).map(
    ({ config, split, files: found }) => [config, split, ...found],
  );

test.each<[string, string, string]>([
  ['test.jsonl', 'default', 'test'],
  ['data/train.jsonl', 'default', 'train'],
  ['test/a.jsonl', 'default', 'test'],
  ['fr/test.jsonl', 'fr', 'test'],
  ['data/fr/test-00000-of-00001.parquet', 'fr', 'test'],
  ['a/b/validation.csv', 'a/b', 'validation'],
  ['rows.jsonl', 'default', 'train'],
])('%s is of the config %s, split %s', (file, config, split) => {
  expect(splitsOf(file)).toEqual([[config, split, file]]);
});

test('files of one split stand together, and those that hold no data are left out', () => {
  const files = ['b/test-00001-of-00002.parquet', 'b/test-00000-of-00002.parquet', 'README.md'];
  expect(splitsOf(...files)).toEqual([
    ['b', 'test', 'b/test-00000-of-00002.parquet', 'b/test-00001-of-00002.parquet'],
  ]);
});

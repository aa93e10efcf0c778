import { expect, test } from 'vitest';
import type { Row } from '../prompt/values.ts';
import { PossibleClusters } from './possible-clusters.ts';

const long = (name: unknown) => `A passage about ${name}. `.repeat(20);
const manyOf = (count: number, make: (index: number) => Row) =>
  Array.from({ length: count }, (_, index) => make(index));

function foundIn(rows: readonly Row[], outputColumn?: string) {
  const search = new PossibleClusters(outputColumn);
  for (const [index, row] of rows.entries()) search.see(row, String(index));
  return search.found;
}

const question = (index: number) => ({ question: `What is ${index}?` });

test.each<[name: string, rows: Row[], by: string, count: number]>([
  ['passages', manyOf(40, (i) => ({ passage: long(i >> 2), ...question(i) })), 'passage', 10],
  [
    'passages in any order',
    manyOf(40, (i) => ({ passage: long(i % 8), ...question(i) })),
    'passage',
    8,
  ],
  ['ids', manyOf(40, (i) => ({ doc_id: i >> 1, ...question(i) })), 'doc_id', 20],
  [
    'texts as ids',
    manyOf(40, (i) => ({ conversationId: `c-${i % 5}`, ...question(i) })),
    'conversationId',
    5,
  ],
  [
    'the column with the fewest groups',
    manyOf(60, (i) => ({ passage: long(i >> 1), document_id: i >> 2, ...question(i) })),
    'document_id',
    15,
  ],
])('%s', (_, rows, by, count) => {
  expect(foundIn(rows)).toEqual({ by, count });
  expect(foundIn(rows.toReversed())).toEqual({ by, count });
});

test.each<[name: string, rows: Row[]]>([
  [
    'a text that is equal in all rows',
    manyOf(40, (i) => ({ system: long('all'), ...question(i) })),
  ],
  ['short texts', manyOf(40, (i) => ({ kind: i % 2 ? 'yes' : 'no', ...question(i) }))],
  ['texts of their own', manyOf(40, (i) => ({ passage: long(i), ...question(i) }))],
  ['ids of their own', manyOf(40, (i) => ({ user_id: i, ...question(i) }))],
  ['a few copies', manyOf(40, (i) => ({ passage: long(i < 37 ? i : i - 37), ...question(i) }))],
  [
    'one text in most rows',
    manyOf(40, (i) => ({ passage: long(Math.max(0, i - 30) >> 1), ...question(i) })),
  ],
  [
    'ids that few rows have',
    manyOf(40, (i) => ({ user_id: i < 10 ? i >> 1 : null, ...question(i) })),
  ],
  ['numbers that are no ids', manyOf(40, (i) => ({ level: i % 5, id: i, ...question(i) }))],
  ['no rows', []],
])('nothing by %s', (_, rows) => {
  expect(foundIn(rows)).toBeUndefined();
});

test('the gold answer may repeat', () => {
  const rows = manyOf(40, (i) => ({ answer: long(i % 4), ...question(i) }));
  expect(foundIn(rows, 'answer')).toBeUndefined();
  expect(foundIn(rows)).toEqual({ by: 'answer', count: 4 });
});

test('very many groups are followed in part', () => {
  const found = foundIn(manyOf(60_000, (i) => ({ doc_id: (i * 7919) % 20_000 })));
  expect(found?.by).toBe('doc_id');
  expect((found?.count ?? 0) / 20_000).toBeCloseTo(1, 1);
  expect(foundIn(manyOf(30_000, (i) => ({ doc_id: i })))).toBeUndefined();
});

test.each([
  ['copies of a few rows', 120, 6, { count: 6 }],
  ['copies of one row', 20, 1, { count: 1 }],
  ['rows that are asked something of their own', 120, 120, undefined],
  ['a few that are asked the same', 120, 112, undefined],
])('%s', (_, rows, prompts, found) => {
  const search = new PossibleClusters('a');
  for (let index = 0; index < rows; index++) search.see({ q: index }, `p${index % prompts}`);
  expect(search.found).toEqual(found);
});

test.each([
  [199, undefined],
  [200, { by: 'passage', count: 10 }],
])('texts of %d characters', (length, found) => {
  const text = (index: number) => String(index).padEnd(length, '.');
  const rows = manyOf(40, (index) => ({ passage: text(index >> 2), ...question(index) }));
  expect(foundIn(rows)).toEqual(found);
});

import { expect, test } from 'vitest';
import { IdSet } from './id-set.ts';

test('holds each number once', () => {
  const ids = [0, 31, 32, 33, 63, 64, 95, 2000, 32, 64, 2000];
  const set = new IdSet();
  for (const id of ids) set.add(id);
  expect(set.size).toBe(new Set(ids).size);
  const found = Array.from({ length: 2100 }, (_, id) => id).filter((id) => set.has(id));
  expect(found).toEqual([...new Set(ids)]);
});

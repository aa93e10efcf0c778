import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestKey } from './key.ts';
import { RowIndex } from './row-index.ts';

const keyOf = (name: number) => requestKey(String(name), 'model');

it('knows the newest record of every row, and a row for every key', () => {
  const entry = fc.tuple(fc.nat(3000), fc.nat(50), fc.nat(1e12));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      const index = new RowIndex();
      const rows = new Map<number, [key: string, offset: number]>();
      for (const [id, name, offset] of entries) {
        index.set(id, keyOf(name), offset);
        rows.set(id, [keyOf(name), offset]);
      }
      for (const [id, [key, offset]] of rows) {
        expect(index.has(id, key)).toBe(true);
        expect(index.has(id, keyOf(1000))).toBe(false);
        expect(index.offsetOf(id)).toBe(offset);
        const twin = index.findByKey(key);
        expect(twin !== undefined && rows.get(twin)?.[0]).toBe(key);
      }
      expect(index.findByKey(keyOf(1000))).toBeUndefined();
    }),
  );
});

it('knows where a row failed, but not as answered', () => {
  const index = new RowIndex();
  index.set(5, keyOf(1), 0);
  index.setFailed(5, 10);
  expect(index.has(5, keyOf(1))).toBe(false);
  expect(index.findByKey(keyOf(1))).toBeUndefined();
  expect(index.offsetOf(5)).toBe(10);
});

it('holds a hundred thousand rows', () => {
  const index = new RowIndex();
  for (let id = 0; id < 100_000; id++) index.set(id, keyOf(id), id * 100);
  for (let id = 0; id < 100_000; id += 997) {
    expect(index.findByKey(keyOf(id))).toBe(id);
    expect(index.offsetOf(id)).toBe(id * 100);
  }
  expect(new Float64Array(index.toBytes().slice().buffer)[7]).toBe(701);
});

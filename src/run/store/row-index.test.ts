import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestKey } from '../../evaluation/key.ts';
import { RowIndex } from './row-index.ts';

const keyOf = (name: number) => requestKey(String(name), 'model');

it('knows the newest record of every row, and the first one of every key', () => {
  const entry = fc.tuple(fc.nat(40_000), fc.nat(50), fc.nat(1e12));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      const index = new RowIndex();
      const rows = new Map<number, { key: string; offset: number }>();
      const keys = new Map<string, number>();
      for (const [id, name, offset] of entries) {
        const key = keyOf(name);
        index.set(id, key, offset);
        rows.set(id, { key, offset });
        if (!keys.has(key)) keys.set(key, offset);
      }
      for (const [id, { key, offset }] of rows) {
        expect(index.has(id, key)).toBe(true);
        expect(index.has(id, keyOf(1000))).toBe(false);
        expect(index.offsetOf(id)).toBe(offset);
      }
      for (const [key, offset] of keys) expect(index.findByKey(key)).toBe(offset);
      expect(index.findByKey(keyOf(1000))).toBeUndefined();
    }),
  );
});

it('knows where a row failed, but not as answered', () => {
  const index = new RowIndex();
  index.setFailed(5, keyOf(1), { offset: 10, kind: 'refused' });
  expect([index.has(5, keyOf(1)), index.offsetOf(5)]).toEqual([false, 10]);
  expect(index.findByKey('0'.repeat(32))).toBeUndefined();
  expect([index.failureOf(5, keyOf(1)), index.isAnswered(5)]).toEqual(['refused', false]);
  expect(index.failureOf(5, keyOf(2))).toBeUndefined();
  index.set(5, keyOf(1), 20);
  expect([index.failureOf(5, keyOf(1)), index.isAnswered(5)]).toEqual([undefined, true]);
  index.setFailed(6, keyOf(3), { offset: 30, kind: undefined });
  expect([index.failureOf(6, keyOf(3)), index.isAnswered(6)]).toEqual([undefined, false]);
});

it('forgets what counted for a row, but not the answer', () => {
  const index = new RowIndex();
  index.set(5, keyOf(1), 10);
  index.forget(5);
  index.forget(70_000);
  expect([index.has(5, keyOf(1)), index.offsetOf(5)]).toEqual([false, undefined]);
  expect(index.findByKey(keyOf(1))).toBe(10);
});

it('gives up a record with its answer', () => {
  const index = new RowIndex();
  index.set(5, keyOf(1), 10);
  index.discard(5);
  index.discard(6);
  expect([index.offsetOf(5), index.findByKey(keyOf(1))]).toEqual([undefined, undefined]);
  index.set(5, keyOf(1), 20);
  expect([index.has(5, keyOf(1)), index.offsetOf(5)]).toEqual([true, 20]);
});

it('writes no more than the rows that count', () => {
  const index = new RowIndex();
  for (const id of [2, 40_000, 2 ** 31 - 1]) index.set(id, keyOf(id), id);
  expect([...index.ids()]).toEqual([2, 40_000, 2 ** 31 - 1]);
  const sizeOf = (end: number) =>
    [...index.toParts((id) => id < end)].reduce((sum, { length }) => sum + length, 0);
  expect([2, 3, 50_000].map(sizeOf)).toEqual([0, 24, 8 * 40_001]);
});

it('knows how a row was judged', () => {
  const index = new RowIndex();
  index.set(3, keyOf(1), 10, 'fedcba98');
  expect(index.hasScoring(3, 'fedcba98')).toBe(true);
  expect(index.hasScoring(3, 'fedcba99')).toBe(false);
});

it('holds a hundred thousand rows', () => {
  const index = new RowIndex();
  for (let id = 0; id < 100_000; id++) index.set(id, keyOf(id), id * 100);
  for (let id = 0; id < 100_000; id += 997) {
    expect(index.findByKey(keyOf(id))).toBe(id * 100);
    expect(index.offsetOf(id)).toBe(id * 100);
  }
  const parts = Buffer.concat([...index.toParts((id) => id !== 8)]);
  const places = new Float64Array(new Uint8Array(parts).buffer);
  expect([places.length, ...places.subarray(7, 10)]).toEqual([100_000, 701, 0, 901]);
});

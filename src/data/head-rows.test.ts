import { expect, it } from 'vitest';
import type { NamedRow } from '../prompt/trace.ts';
import { HeadRows } from './head-rows.ts';
import { collect, collectIds } from './test-sources.ts';

/** A source of batches of two rows, and how often it was opened and closed. */
function source(batches: number) {
  const seen = { opened: 0, closed: 0, read: 0 };
  const stream = {
    async *batches(): AsyncGenerator<readonly NamedRow[], void, undefined> {
      seen.opened += 1;
      try {
        for (let batch = 0; batch < batches; batch += 1) {
          seen.read += 1;
          yield [0, 1].map((at) => ({ id: batch * 2 + at, row: {} }));
        }
      } finally {
        seen.closed += 1;
      }
    },
    count: async () => batches * 2,
    describe: async () => ({ files: [], rowsRead: seen.read * 2 }),
    close: async () => {
      seen.closed += 100;
    },
  };
  return { rows: new HeadRows(stream), seen };
}

const numbers = (count: number) => Array.from({ length: count }, (_, id) => id);
/** Sees enough after so many batches. */
const after = (batches: number) => {
  let looked = 0;
  return () => ++looked >= batches;
};

it.each([1, 3, 5])('a look at %d batches and the first pass open the source once', async (look) => {
  const { rows, seen } = source(5);
  await rows.look(after(look));
  expect(seen).toEqual({ opened: 1, closed: 0, read: look });
  expect(await collectIds(rows)).toEqual(numbers(10));
  expect(seen).toEqual({ opened: 1, closed: 1, read: 5 });
});

it('a look that is never satisfied sees all, and the first pass goes on from there', async () => {
  const { rows, seen } = source(5);
  const looked: unknown[] = [];
  await rows.look((batch) => {
    looked.push(...batch.map(({ id }) => id));
    return false;
  });
  expect(looked).toEqual(numbers(10));
  expect(await collectIds(rows)).toEqual(numbers(10));
  expect(seen).toEqual({ opened: 1, closed: 1, read: 5 });
});

it('the second pass begins anew, also while the first is going on', async () => {
  const { rows, seen } = source(3);
  await rows.look(after(1));
  const first = rows.batches();
  await first.next();
  expect(await collectIds(rows)).toEqual(numbers(6));
  const rest: unknown[] = [];
  for await (const batch of first) rest.push(...batch.map(({ id }) => id));
  expect(rest).toEqual([2, 3, 4, 5]);
  expect(seen).toMatchObject({ opened: 2, closed: 2 });
  expect(await collectIds(rows)).toEqual(numbers(6));
  expect(seen).toMatchObject({ opened: 3, closed: 3 });
});

it.each([
  ['in the rows that were looked at', 1],
  ['after them', 3],
])('who leaves a pass %s closes the source', async (_, batches) => {
  const { rows, seen } = source(5);
  await rows.look(after(2));
  let left = batches;
  for await (const _batch of rows.batches()) if (--left === 0) break;
  expect(seen).toMatchObject({ opened: 1, closed: 1 });
  expect(await collectIds(rows)).toEqual(numbers(10));
  expect(seen).toMatchObject({ opened: 2, closed: 2 });
});

it.each([8, 9, 20])('a look at %d batches holds on to few of them', async (look) => {
  const { rows, seen } = source(20);
  await rows.look(after(look));
  const isKept = look <= 8;
  expect(seen).toMatchObject({ opened: 1, closed: isKept ? 0 : 1, read: look });
  expect(await collectIds(rows)).toEqual(numbers(40));
  expect(seen.opened).toBe(isKept ? 1 : 2);
  expect(seen.closed).toBe(seen.opened);
});

it('another look begins anew, and lets go of the one before', async () => {
  const { rows, seen } = source(5);
  await rows.look(after(2));
  await rows.look(after(1));
  expect(seen).toEqual({ opened: 2, closed: 1, read: 3 });
  expect(await collectIds(rows)).toEqual(numbers(10));
});

it('without a look it is the stream itself', async () => {
  const { rows, seen } = source(2);
  expect(await rows.count()).toBe(4);
  expect(seen.opened).toBe(0);
  expect(await collect(rows)).toHaveLength(4);
  expect(await rows.describe()).toEqual({ files: [], rowsRead: 4 });
});

it('to close it closes the look and the stream under it', async () => {
  const { rows, seen } = source(5);
  await rows.look(after(2));
  await rows.close();
  expect(seen).toMatchObject({ opened: 1, closed: 101 });
});

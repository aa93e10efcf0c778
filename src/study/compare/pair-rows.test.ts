import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowRecord } from '../../run/store/row-record.ts';
import { chooseFlips } from './choose-flips.ts';
import { LoggedRows } from './logged-rows.ts';
import { pairRows } from './pair-rows.ts';

interface Logged extends Partial<RowRecord> {
  readonly id: number;
  /** What stands for the content; left out: an older log. */
  readonly content?: number | undefined;
}

function logged(...rows: readonly Logged[]): LoggedRows {
  const found = new LoggedRows();
  for (const [place, { content, ...row }] of rows.entries()) {
    const hash = content === undefined ? {} : { row: content.toString(16).padStart(12, '0') };
    const record = { key: 'k', prompt: '0123456789abcdef', outcome: 'scored', score: 1 } as const;
    found.add({ ...record, ...hash, ...row }, place * 100);
  }
  return found;
}

const pair = (a: LoggedRows, b: LoggedRows, isSameData = false) => pairRows({ a, b, isSameData });
const ids = ({ scored }: ReturnType<typeof pair>) => scored.map((one) => [one.a, one.b]);

test('same number and content', () => {
  const a = logged({ id: 0, content: 7 }, { id: 2, content: 8 });
  const b = logged({ id: 0, content: 7 }, { id: 1, content: 9 }, { id: 2, content: 8 });
  const found = pair(a, b);
  expect(ids(found)).toEqual([
    [0, 0],
    [2, 2],
  ]);
  expect(found.pairing).toEqual({
    by: 'content',
    rows: 2,
    moved: 0,
    otherPrompts: 0,
    unpaired: { a: 0, b: 1 },
  });
  expect(found.leftOut).toEqual([{ reason: 'only in B', rows: 1, ids: [1] }]);
});

test('rows that moved are found by what they hold, copies in their order', () => {
  const a = logged({ id: 0, content: 1 }, { id: 1, content: 2 }, { id: 2, content: 2 });
  const b = logged(
    { id: 0, content: 5 },
    { id: 1, content: 1 },
    { id: 2, content: 2 },
    { id: 3, content: 2 },
  );
  const found = pair(a, b);
  expect(ids(found)).toEqual([
    [0, 1],
    [1, 3],
    [2, 2],
  ]);
  expect(found.pairing.moved).toBe(2);
  expect(found.leftOut).toEqual([{ reason: 'only in B', rows: 1, ids: [0] }]);
});

test('changed rows do not pair', () => {
  const reason = 'with different content, prompt or gold answer in B';
  const b = logged({ id: 0, content: 2, gold: 'x' });
  for (const other of [{ prompt: 'fedcba9876543210', gold: 'x' }, { gold: 'y' }, {}]) {
    const found = pair(logged({ id: 0, content: 1, ...other }), b, true);
    expect(found.pairing).toMatchObject({ rows: 0, unpaired: { a: 1, b: 1 } });
    expect(found.leftOut).toEqual([{ reason, rows: 1, ids: [0] }]);
  }
  const same = pair(logged({ id: 0, content: 1, gold: 'x' }), b, true);
  expect(same.pairing).toMatchObject({ rows: 1, otherColumns: 1, unpaired: { a: 0, b: 0 } });
});

test('older logs go by number if the data files are the same', () => {
  const old = logged({ id: 0 }, { id: 1 });
  const found = pair(old, logged({ id: 1, content: 4 }), true);
  expect(ids(found)).toEqual([[1, 1]]);
  expect(found.pairing.by).toBe('number');
  const other = pair(old, logged({ id: 1, content: 4 }));
  expect(other.pairing.rows).toBe(0);
  expect(other.leftOut).toEqual([
    { reason: 'only in A', rows: 1, ids: [0] },
    { reason: 'whose content an older log lacks', rows: 1, ids: [1] },
  ]);
});

test('a failed row has no content in the log; it goes by number if numbers agree', () => {
  const failed = { outcome: 'failed', reason: 'timed out' } as const;
  const a = logged({ id: 0, content: 1 }, { id: 1, ...failed });
  const found = pair(a, logged({ id: 0, content: 1 }, { id: 1, content: 2 }));
  expect(found.unscored).toEqual([{ a: 1, b: 1 }]);
  expect(found.leftOut).toEqual([{ reason: 'failed in A (timed out)', rows: 1, ids: [1] }]);
  const moved = pair(a, logged({ id: 0, content: 9 }, { id: 1, content: 2 }));
  expect(moved.unscored).toEqual([]);
});

test('why rows have no score on one side, or both', () => {
  const unscored = (reason: string) => ({ outcome: 'unscored', reason }) as const;
  const a = logged(
    { id: 0, content: 1, ...unscored('no answer found') },
    { id: 1, content: 2, ...unscored('no answer found') },
    { id: 2, content: 3, ...unscored('empty answer') },
    { id: 3, content: 4 },
  );
  const b = logged(
    { id: 0, content: 1, ...unscored('no answer found') },
    { id: 1, content: 2 },
    { id: 2, content: 3, ...unscored('no answer found') },
    { id: 3, content: 4, prompt: 'fedcba9876543210' },
  );
  const { leftOut, scored, pairing } = pair(a, b);
  expect(leftOut.map(({ reason }) => reason).sort()).toEqual([
    'unscored in A (empty answer), unscored in B (no answer found)',
    'unscored in A (no answer found)',
    'unscored in A and B (no answer found)',
  ]);
  expect(scored).toEqual([{ a: 3, b: 3 }]);
  expect(pairing.otherPrompts).toBe(1);
});

test('messages that differ in every row are one reason in the end', () => {
  const rows = Array.from({ length: 150 }, (_, id) => ({
    id,
    content: id,
    outcome: 'failed' as const,
    reason: `request ${id} failed`,
  }));
  const { leftOut } = pair(
    logged(...rows),
    logged(...rows.map(({ id, content }) => ({ id, content }))),
  );
  expect(leftOut[0]).toMatchObject({ reason: 'failed in A (other reasons)', rows: 50 });
  expect(leftOut[0]?.ids).toHaveLength(20);
});

test('every row is paired once or left out once, whatever the logs', () => {
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      content: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      gold: fc.constantFrom('x', 'y'),
    }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(rows, rows, fc.boolean(), (left, right, isSameData) => {
      const found = pair(logged(...left), logged(...right), isSameData);
      const a = found.scored.map((one) => one.a);
      const b = found.scored.map((one) => one.b);
      expect(new Set(a).size).toBe(a.length);
      expect(new Set(b).size).toBe(b.length);
      for (const one of found.scored) {
        const [x, y] = [left, right].map((side, place) =>
          side.find(({ id }) => id === (place === 0 ? one.a : one.b)),
        );
        const isKnown = x?.content !== undefined && y?.content !== undefined;
        const isAsked = one.a === one.b && x?.gold === y?.gold;
        expect(isKnown ? x?.content === y?.content || isAsked : one.a === one.b).toBe(true);
      }
      const missed = found.leftOut.reduce((sum, { rows: count }) => sum + count, 0);
      const numbers = new Set([
        ...left
          .map(({ id }) => id)
          .filter((id) => !a.includes(id))
          .map((id) => `A ${id}`),
        ...right
          .map(({ id }) => id)
          .filter((id) => !b.includes(id))
          .map((id) =>
            left.some((row) => row.id === id && !a.includes(id)) ? `A ${id}` : `B ${id}`,
          ),
      ]);
      expect(missed).toBe(numbers.size);
    }),
  );
});

test('changed rows: the largest changes first, both directions in turn', () => {
  const scores = [0, 1, 0.5, 0.2, 0, 1];
  const others = [1, 0, 0.9, 0.2, 1, 0.9];
  const a = logged(...scores.map((score, id) => ({ id, content: id, score })));
  const b = logged(...others.map((score, id) => ({ id, content: id, score })));
  const pairs = pair(a, b).scored;
  const choose = (limit: number) => {
    const { total, chosen } = chooseFlips(pairs, { a, b, limit });
    return [total, ...chosen.map((one) => one.a)];
  };
  expect(choose(10)).toEqual([5, 0, 1, 4, 5, 2]);
  expect(choose(3)).toEqual([5, 0, 1, 4]);
  expect(choose(0)).toEqual([5]);
});

import { expect, it } from 'vitest';
import { Float } from '../../prompt/values.ts';
import type { RowStream } from '../row-stream.ts';
import { collect, collectIds } from '../test-sources.ts';
import { type RowSelection, selectRows } from './select-rows.ts';

/** Ten rows in batches of three, and what was asked of them. */
function tenRows() {
  const asked = { batches: 0, counts: 0 };
  const stream: RowStream = {
    async *batches() {
      for (let start = 0; start < 10; start += 3) {
        asked.batches += 1;
        yield Array.from({ length: Math.min(3, 10 - start) }, (_, index) => {
          const n = start + index;
          return { id: n, row: n === 7 ? { n, rare: true } : { n } };
        });
      }
    },
    count: async () => {
      asked.counts += 1;
      return 10;
    },
    describe: async () => ({ files: [], rowsRead: 10 }),
  };
  return { stream, asked };
}

it.each<[RowSelection, number[]]>([
  [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ range: '[:4]' }, [0, 1, 2, 3]],
  [{ range: '[2:9:3]' }, [2, 5, 8]],
  [{ range: '[1::2][1:3]' }, [3, 5]],
  [{ range: '[20:]' }, []],
  [{ range: '[-3:]' }, [7, 8, 9]],
  [{ range: '[:-8]' }, [0, 1]],
  [{ range: '[::-4]' }, [9, 5, 1]],
  [{ range: '[8:2:-3]' }, [8, 5]],
  [{ range: 3 }, [0, 1, 2]],
  [{ range: 99 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ range: 0.25 }, [0, 1, 2]],
  [{ range: new Float(0.5), limit: 1 }, [0]],
  [{ limit: 0 }, []],
  [{ limit: 4 }, [0, 1, 2, 3]],
  [{ ids: new Set([8, 1]) }, [1, 8]],
  [{ ids: new Set() }, []],
  [{ where: 'n > 2 and n != 5', range: '[:8]', limit: 3 }, [3, 4, 6]],
  [{ where: 'rare' }, [7]],
  [{ where: 'no_such_column' }, []],
  [{ where: 'rare == null', ids: new Set([6, 7]) }, [6]],
])('%j keeps %j', async (selection, ids) => {
  const selected = selectRows(tenRows().stream, selection);
  expect(await collectIds(selected)).toEqual(ids);
  expect(await selected.count()).toBe(ids.length);
});

it.each<[RowSelection, { batches: number; counts: number }]>([
  [{ range: '[:4]' }, { batches: 2, counts: 0 }],
  [{ range: 3 }, { batches: 1, counts: 0 }],
  [{ limit: 3 }, { batches: 1, counts: 0 }],
  [{ ids: new Set([1]) }, { batches: 1, counts: 0 }],
  [{ range: '[-3:]' }, { batches: 4, counts: 1 }],
  [{ range: 0.3 }, { batches: 1, counts: 1 }],
])('%j reads no more than it needs', async (selection, expected) => {
  const { stream, asked } = tenRows();
  await collect(selectRows(stream, selection));
  expect(asked).toEqual(expected);
});

it.each<[RowSelection, string]>([
  [{ range: '[1]' }, 'data.bad_range'],
  [{ range: -1 }, 'data.bad_range'],
  [{ limit: 1.5 }, 'data.bad_limit'],
  [{ where: 'n >' }, 'data.bad_where'],
])('refuses %j at once', (selection, code) => {
  expect(() => selectRows(tenRows().stream, selection)).toThrow(expect.objectContaining({ code }));
});

it('ids that no row has are an error in the pass', async () => {
  const rows = collect(selectRows(tenRows().stream, { ids: new Set([3, 44]) }));
  const hint = expect.stringContaining('starting at 0');
  await expect(rows).rejects.toMatchObject({ code: 'data.unknown_id', hint });
});

it('what lets go of the stream lets go of the files under it', async () => {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  await selectRows({ ...tenRows().stream, close }, { limit: 1 }).close?.();
  expect(closed).toBe(1);
});

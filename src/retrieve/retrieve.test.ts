import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedRow } from '../prompt/trace.ts';
import { createRetriever } from './create-retriever.ts';
import { textEmbedder } from './embeddings/text-embedder.fixture.ts';
import {
  givesShots,
  type Query,
  type Retriever,
  type RetrieverContext,
  type RetrieverSettings,
} from './retriever.ts';

const words = ['red', 'green', 'blue', 'big', 'small'];
const pool: NamedRow[] = Array.from({ length: 30 }, (_, id) => ({
  id,
  row: {
    q: `${words[id % 5]} ${words[(id * 3) % 4]} thing ${id}`,
    a: 'ABC'[id % 3],
    subject: id % 2 === 0 ? 'law' : 'art',
  },
}));

interface Given extends Partial<RetrieverContext> {
  readonly settings: RetrieverSettings;
}

const create = ({ settings, ...context }: Given): Retriever =>
  createRetriever(settings, {
    pool,
    path: ['retriever'],
    inputColumns: ['q'],
    outputColumn: 'a',
    labelLosses: async ({ id }, shots) => shots.map((shot) => ((shot + Number(id)) % 7) / 7),
    ...context,
  });

const query = (
  id: string | number,
  row: NamedRow['row'] = { q: `a ${words[Number(id) % 5]} one` },
): Query => ({ id, position: 0, row });

/** Asks one row after the other, each prepared by itself. */
async function askEach(retriever: Retriever, queries: readonly Query[]) {
  const answers: (readonly number[])[] = [];
  for (const each of queries) {
    await retriever.prepare?.([each]);
    answers.push(retriever(each));
  }
  return answers;
}

async function askAtOnce(retriever: Retriever, queries: readonly Query[]) {
  await retriever.prepare?.(queries);
  return queries.map((each) => retriever(each));
}

const embedder = textEmbedder();
const settingsOfAll: RetrieverSettings[] = [
  { type: 'RandomRetriever', iceNum: 3, seed: 7 },
  { type: 'BalancedRetriever', iceNum: 4, seed: 7 },
  { type: 'SlidingWindowRetriever', k: 3 },
  { type: 'BM25Retriever', iceNum: 3 },
  { type: 'TopkRetriever', iceNum: 3, embedder },
  { type: 'VotekRetriever', iceNum: 3, embedder },
  { type: 'DPPRetriever', iceNum: 3, candidateNum: 8, embedder },
  { type: 'MDLRetriever', iceNum: 3, candidateNum: 8, embedder },
  { type: 'FunctionRetriever', retrieve: ({ id }, rows) => [rows[Number(id) % 7]?.id ?? 0] },
];
const choosing = settingsOfAll.filter(({ type }) => type !== 'FunctionRetriever');
const count = ({ iceNum, k }: RetrieverSettings) => iceNum ?? k ?? 1;

describe.each(settingsOfAll)('$type', (settings) => {
  it('gives a row the same examples whatever the order, the subset and the batches', async () => {
    const ids = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(ids, fc.integer(), async (chosen, salt) => {
        const queries = chosen.map((id) => query(id));
        const forward = await askAtOnce(create({ settings }), queries);
        const shuffled = queries.toSorted((a, b) => hash(a.id, salt) - hash(b.id, salt));
        const subset = shuffled.slice(0, Math.ceil(shuffled.length / 2));
        const again = await askEach(create({ settings }), subset);
        for (const [index, { id }] of subset.entries()) {
          expect(again[index]).toEqual(forward[chosen.indexOf(Number(id))]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('takes rows of the pool only that fit `where` and `same_as`', async () => {
    const where = {
      columns: ['a'],
      matches: (row: NamedRow['row']) => row.a !== 'B',
    };
    const filtered = { ...settings, where, sameAs: ['subject'] };
    const queries = [1, 2, 3].map((id) => query(id, { q: `${words[id]}`, subject: 'art' }));
    for (const indexes of await askAtOnce(create({ settings: filtered }), queries)) {
      expect(indexes.length).toBeGreaterThan(0);
      for (const index of indexes) {
        expect(pool[index]?.row).toMatchObject({
          subject: 'art',
          a: expect.not.stringMatching('B'),
        });
      }
    }
  });
});

function hash(id: string | number, salt: number): number {
  return (Number(id) * 7919 + salt * 104729) % 1009;
}

describe.each(choosing)('$type', (settings) => {
  it('gives different rows, as many as wanted, and never the row itself', async () => {
    const own = pool.map(({ id, row }) => ({ id, position: 0, row: { ...row } }));
    for (const [index, indexes] of (await askAtOnce(create({ settings }), own)).entries()) {
      expect(new Set(indexes).size).toBe(count(settings));
      expect(indexes).not.toContain(index);
    }
  });

  it('needs a pool that is large enough', async () => {
    const wanted = count(settings);
    const rows = pool.slice(0, wanted);
    expect(() => create({ settings, pool: rows.slice(1) })).toThrow(
      expect.objectContaining({ code: 'retrieve.pool_too_small', path: ['retriever'] }),
    );
    expect(() => create({ settings, pool: [] })).toThrow(
      expect.objectContaining({ code: 'retrieve.empty_pool' }),
    );
    const itself = { id: 0, position: 0, row: rows[0]?.row ?? {} };
    await expect(askAtOnce(create({ settings, pool: rows }), [itself])).rejects.toThrow(
      `${wanted} examples are wanted, but row 0 can have only ${wanted - 1} row`,
    );
  });

  it('says which rows `same_as` leaves without examples', async () => {
    const retriever = create({ settings: { ...settings, sameAs: ['subject'] } });
    const alone = query(5, { q: 'x', subject: 'music' });
    await expect(askAtOnce(retriever, [alone])).rejects.toThrow('row 5 can have only 0 rows');
  });
});

describe('ZeroRetriever and FixKRetriever', () => {
  it('give nothing, or the same rows in their order', () => {
    expect(create({ settings: { type: 'ZeroRetriever' } })(query(0))).toEqual([]);
    const fixed = create({ settings: { type: 'FixKRetriever', fixIdList: [3, 0] } });
    expect(fixed(query(1))).toEqual([3, 0]);
    expect(fixed(query(2))).toBe(fixed(query(1)));
  });

  it.each([[30], [-1], [1.5]])('refuse row %d', (index) => {
    const settings = { type: 'FixKRetriever', fixIdList: [0, index] };
    const path = ['retriever', 'fix_id_list', 1];
    expect(() => create({ settings })).toThrow(
      expect.objectContaining({ code: 'retrieve.no_such_example', path }),
    );
  });

  it.each([
    [{ type: 'ZeroRetriever' }, false],
    [{ type: 'FixKRetriever', fixIdList: [] }, false],
    [{ type: 'FixKRetriever', fixIdList: [1] }, true],
    [{ type: 'RandomRetriever' }, true],
    [{ type: 'SlidingWindowRetriever', k: 2 }, true],
  ])('%j gives examples: %s', (settings, expected) => {
    expect(givesShots(settings)).toBe(expected);
  });
});

describe('draws', () => {
  it.each(['RandomRetriever', 'BalancedRetriever'])('of %s change with the seed', (type) => {
    const draw = (seed: number) => {
      const retriever = create({ settings: { type, iceNum: 3, seed } });
      return pool.map(({ id }) => retriever(query(id)));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('are what they have always been', () => {
    const draw = (type: string) => create({ settings: { type, iceNum: 3, seed: 7 } })(query(5));
    expect(draw('RandomRetriever')).toEqual([2, 29, 17]);
    expect(draw('BalancedRetriever')).toEqual([3, 16, 20]);
  });
});

describe('BalancedRetriever', () => {
  const classesOf = (indexes: readonly number[], rows = pool) => {
    const answers = indexes.map((index) => rows[index]?.row.a);
    const counts = ['A', 'B', 'C'].map(
      (answer) => answers.filter((each) => each === answer).length,
    );
    return counts.filter((each) => each > 0).sort((a, b) => a - b);
  };

  it.each([
    [1, [1]],
    [3, [1, 1, 1]],
    [5, [1, 2, 2]],
    [30, [10, 10, 10]],
  ])('spreads %d examples', (iceNum, expected) => {
    const retriever = create({ settings: { type: 'BalancedRetriever', iceNum } });
    for (let id = 0; id < 20; id++) expect(classesOf(retriever(query(id)))).toEqual(expected);
  });

  it('takes more of other classes where one has too few', () => {
    const rows = pool.filter(({ row }, index) => row.a !== 'A' || index === 0);
    const retriever = create({ settings: { type: 'BalancedRetriever', iceNum: 9 }, pool: rows });
    expect(classesOf(retriever(query(1)), rows)).toEqual([1, 4, 4]);
  });

  it('shows classes in changing order', () => {
    const retriever = create({ settings: { type: 'BalancedRetriever', iceNum: 3 } });
    const orders = pool.map(({ id }) => retriever(query(id)).map((index) => pool[index]?.row.a));
    expect(new Set(orders.map((order) => order.join(''))).size).toBe(6);
  });

  it('needs an output column', () => {
    const settings = { type: 'BalancedRetriever' };
    expect(() => create({ settings, outputColumn: undefined })).toThrow('needs an `output_column`');
  });
});

describe('SlidingWindowRetriever', () => {
  const ask = (asked: Query, settings = {}) =>
    create({ settings: { type: 'SlidingWindowRetriever', k: 3, ...settings } })(asked);

  it.each([
    [0, [27, 28, 29]],
    [2, [29, 0, 1]],
    [10, [7, 8, 9]],
    [29, [26, 27, 28]],
    [30, [27, 28, 29]],
    [41, [8, 9, 10]],
  ])('gives row %d the rows before it', (id, expected) => {
    expect(ask(query(id))).toEqual(expected);
  });

  it('goes by the index in the pool where the row is in it', () => {
    const rows = pool.slice(10, 20);
    const settings = { type: 'SlidingWindowRetriever', k: 2 };
    const named = rows[1] as NamedRow;
    expect(create({ settings, pool: rows })({ ...named, position: 0 })).toEqual([9, 0]);
  });

  it('skips rows that do not fit', () => {
    expect(ask(query(5, { subject: 'law' }), { sameAs: ['subject'] })).toEqual([0, 2, 4]);
  });

  it('needs numbered rows, and `k`', () => {
    expect(() => ask(query('x'))).toThrow(expect.objectContaining({ code: 'retrieve.no_place' }));
    expect(() => create({ settings: { type: 'SlidingWindowRetriever' } })).toThrow('needs `k`');
  });
});

describe('BM25Retriever', () => {
  const texts = ['the cat sat', 'a dog ran', 'cats and dogs', 'The Cat ran', 'x', 'y', 'z'];
  const rows = texts.map((q, id) => ({ id, row: { q, note: `note ${id}` } }));
  const best = (settings: Partial<RetrieverSettings>, row: NamedRow['row']) =>
    create({ settings: { type: 'BM25Retriever', iceNum: 2, ...settings }, pool: rows })(
      query(9, row),
    );

  it('finds shared words without regard to case, the best first', () => {
    expect(best({}, { q: 'CAT ran' })).toEqual([3, 0]);
    expect(best({}, { q: 'nothing in common' })).toEqual([0, 1]);
  });

  it('compares the columns that are named', () => {
    expect(best({ columns: ['note'] }, { q: 'cat', note: '2' })).toEqual([2, 0]);
    expect(() => best({ columns: ['nte'] }, {})).toThrow(
      expect.objectContaining({
        code: 'data.unknown_column',
        path: ['retriever', 'columns'],
        hint: 'Did you mean `note`? Columns: q, note.',
      }),
    );
  });
});

describe('FunctionRetriever', () => {
  const ask = (retrieve: RetrieverSettings['retrieve']) =>
    create({ settings: { type: 'FunctionRetriever', retrieve } })(query(4));

  it('gives the rows with the ids that the function returns', () => {
    const rows = pool.map(({ id, row }) => ({ id: `r${id}`, row }));
    const retrieve = ({ id }: NamedRow, [first, second]: readonly NamedRow[]) =>
      id === 4 ? [second?.id ?? '', first?.id ?? ''] : [];
    const settings = { type: 'FunctionRetriever', retrieve };
    expect(create({ settings, pool: rows })(query(4))).toEqual([1, 0]);
  });

  it.each([
    ['another id', () => [99], 'gives 99 for row 4, which is not an id of the pool'],
    ['no list', () => 1 as never, 'did not return a list of ids'],
    ['no function', undefined, 'needs a function `retrieve`'],
  ])('refuses %s', (_, retrieve, message) => {
    expect(() => ask(retrieve)).toThrow(message);
  });
});

describe('the pool', () => {
  const settings = { type: 'RandomRetriever', iceNum: 2 };

  it.each([
    [{ sameAs: ['subjct'] }, ['retriever', 'same_as'], 'Did you mean `subject`?'],
    [
      { where: { columns: ['b'], matches: () => true } },
      ['retriever', 'where'],
      'Columns: q, a, subject.',
    ],
  ])('has the columns of %j or says so', (filter, path, hint) => {
    expect(() => create({ settings: { ...settings, ...filter } })).toThrow(
      expect.objectContaining({
        code: 'data.unknown_column',
        path,
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it('says that a condition keeps nothing', () => {
    const where = { columns: ['q'], matches: () => false };
    expect(() => create({ settings: { ...settings, where } })).toThrow(
      expect.objectContaining({ code: 'retrieve.empty_pool', path: ['retriever', 'where'] }),
    );
  });

  it('knows a row again by its content, with columns in any order', () => {
    const [first] = pool;
    const row = Object.fromEntries(Object.entries(first?.row ?? {}).toReversed());
    const retriever = create({ settings: { ...settings, iceNum: 29 } });
    expect(retriever(query(77, row))).not.toContain(0);
  });
});

it('names of retrievers that do not exist are refused with the nearest', () => {
  expect(() => create({ settings: { type: 'TopKRetriever' } })).toThrow(
    expect.objectContaining({
      code: 'config.unknown_type',
      hint: expect.stringContaining('Did you mean `TopkRetriever`?'),
    }),
  );
});

it.each(['TopkRetriever', 'VotekRetriever', 'DPPRetriever', 'MDLRetriever'])(
  '%s needs an embedder, and the rows that it is asked about ahead',
  (type) => {
    expect(() => create({ settings: { type } })).toThrow('needs an `embedder`');
    expect(() => create({ settings: { type, embedder } })(query(1))).toThrow('not prepared');
  },
);

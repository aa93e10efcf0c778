import { describe, expect, it } from 'vitest';
import type { NamedRow } from '../../prompt/trace.ts';
import { knownEmbedder, textEmbedder } from '../../retrieve/embeddings/text-embedder.fixture.ts';
import type { RetrieverSettings } from '../../retrieve/retriever.ts';
import { type CompatContext, createCompatRetriever } from './create-compat-retriever.ts';

const rowsOf = (length: number): NamedRow[] =>
  Array.from({ length }, (_, id) => ({ id, row: { q: `q${id}` } }));
const create = (settings: RetrieverSettings, context: Partial<CompatContext> = {}) =>
  createCompatRetriever(settings, {
    pool: rowsOf(10),
    compat: 'opencompass',
    path: ['retriever'],
    inputColumns: ['q'],
    ...context,
  });
const ask = (index: number, row: NamedRow['row'] = { q: '' }) => ({
  id: `id ${index}`,
  position: index,
  row,
});

describe('OpenCompass', () => {
  it('RandomRetriever draws from one generator in the order of the rows', () => {
    const retriever = create({ type: 'RandomRetriever', iceNum: 3 });
    const draws = [0, 1, 2, 3].map((index) => retriever(ask(index)));
    expect(draws).toEqual([
      [3, 9, 6],
      [8, 5, 1],
      [8, 7, 1],
      [6, 3, 5],
    ]);
    expect(create({ type: 'RandomRetriever', iceNum: 3 })(ask(2))).toEqual([8, 7, 1]);
    expect(() => create({ type: 'RandomRetriever', iceNum: 11 })).toThrow(
      expect.objectContaining({ code: 'retrieve.pool_too_small' }),
    );
  });

  it('FixKRetriever counts from the end, and does not look at `ice_num`', () => {
    expect(create({ type: 'FixKRetriever', fixIdList: [-1, 0], iceNum: 9 })(ask(0))).toEqual([
      -1, 0,
    ]);
    expect(() => create({ type: 'FixKRetriever', fixIdList: [10] })).toThrow(
      expect.objectContaining({
        pythonType: 'AssertionError',
        pythonMessage: 'Index 10 is out of range of 10',
      }),
    );
  });

  it.each([
    [10, 0, [7, 8, 9]],
    [10, 1, [8, 9, 0]],
    [10, 2, [9, 0, 1]],
    [10, 3, [0, 1, 2]],
    [10, 4, [1, 2, 3]],
    [2, 0, [-1, 0, 1]],
    [2, 5, [2, 3, 4]],
  ])('SlidingWindowRetriever over %d rows gives row %d %j', (size, index, expected) => {
    const settings = { type: 'SlidingWindowRetriever', k: 3 };
    expect(create(settings, { pool: rowsOf(size) })(ask(index))).toEqual(expected);
  });

  describe('BM25Retriever', () => {
    const texts = ['the cat sat', 'the dog sat down', 'a bird flew', 'the the cat'];
    const pool = texts.map((q, id) => ({ id, row: { q, n: null } }));
    const search = (q: string, iceNum: number) =>
      create({ type: 'BM25Retriever', iceNum }, { pool })(ask(0, { q, n: null }));

    it('gives the recorded case', () => {
      expect(search('the cat zzz', 2)).toEqual([3, 0]);
    });

    it('puts the later of equal rows first, counts case, and gives what there is', () => {
      expect(search('zzz', 3)).toEqual([3, 2, 1]);
      expect(search('The Cat', 1)).toEqual([3]);
      expect(search('the cat', 9)).toEqual([3, 0, 1, 2]);
    });

    it('compares the input columns as Python prints them', () => {
      const rows = [{ n: 1 }, { n: true }, { n: null }, { n: 2 }, { n: 3 }].map((row, id) => ({
        id,
        row,
      }));
      const retriever = create({ type: 'BM25Retriever' }, { pool: rows, inputColumns: ['n'] });
      expect(retriever(ask(0, { n: 'None' }))).toEqual([2]);
      expect(retriever(ask(0, { n: 'True' }))).toEqual([1]);
    });
  });

  it('DPPRetriever fails', () => {
    expect(() => create({ type: 'DPPRetriever' })).toThrow(
      expect.objectContaining({
        pythonType: 'TypeError',
        pythonMessage: 'only integer scalar arrays can be converted to a scalar index',
      }),
    );
  });

  it('TopkRetriever compares by inner product, and gives a row itself', async () => {
    const embedder = knownEmbedder({ q0: [1, 0], q1: [5, 5], q2: [0, 1] });
    const retriever = create({ type: 'TopkRetriever', iceNum: 2, embedder }, { pool: rowsOf(3) });
    const query = ask(0, { q: 'q0' });
    await retriever.prepare?.([query]);
    expect(retriever(query)).toEqual([1, 0]);
  });

  it('MDLRetriever draws its trials from one generator, and takes the first of the surest', async () => {
    const seen: (readonly number[])[] = [];
    const retriever = create(
      { type: 'MDLRetriever', iceNum: 2, candidateNum: 10, embedder: textEmbedder() },
      {
        labelLosses: async (_, shots) => {
          seen.push(shots);
          return [0, 0];
        },
      },
    );
    const query = ask(0, { q: 'q0' });
    await retriever.prepare?.([query]);
    expect(seen).toHaveLength(5);
    expect(retriever(query)).toEqual(seen[0]);
    // numpy 2.4.6: numpy.random.seed(1), then 4 times numpy.random.choice(10, 2, replace=False)
    const near = await nearestOf(query.row);
    expect(seen.slice(1)).toEqual(
      [
        [2, 9],
        [9, 5],
        [8, 3],
        [2, 4],
      ].map((indexes) => indexes.map((index) => near[index])),
    );
  });

  it('MDLRetriever needs as many candidates as examples', async () => {
    const settings = { type: 'MDLRetriever', iceNum: 2, embedder: textEmbedder() };
    const retriever = create(settings, { labelLosses: async () => [0, 0] });
    await expect(retriever.prepare?.([ask(0)])).rejects.toMatchObject({ pythonType: 'ValueError' });
  });
});

async function nearestOf(row: NamedRow['row']): Promise<readonly number[]> {
  const settings = { type: 'TopkRetriever', iceNum: 10, embedder: textEmbedder() };
  const retriever = create(settings);
  await retriever.prepare?.([ask(0, row)]);
  return retriever(ask(0, row));
}

describe('AISBench', () => {
  it('refuses negative rows', () => {
    const settings = { type: 'FixKRetriever', fixIdList: [-1] };
    expect(() => create(settings, { compat: 'aisbench' })).toThrow(
      expect.objectContaining({ pythonCode: 'ICLR-PARAM-004' }),
    );
  });
});

it.each([
  [{ type: 'BalancedRetriever' }, 'type'],
  [{ where: { columns: [], matches: () => true } }, 'where'],
  [{ sameAs: ['q'] }, 'same_as'],
  [{ columns: ['q'] }, 'columns'],
])('%j is refused', (settings, key) => {
  expect(() => create({ type: 'BM25Retriever', ...settings })).toThrow(
    expect.objectContaining({ code: 'config.conflicting_keys', path: ['retriever', key] }),
  );
});

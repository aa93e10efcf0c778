import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetriever, givesShots } from './index.ts';

const pool = Array.from({ length: 10 }, (_, id) => ({ id, row: { q: `q${id}` } }));
const create = (settings: Parameters<typeof createRetriever>[0], compat = false, rows = pool) =>
  createRetriever(settings, { pool: rows, compat, path: ['retriever'] });
const query = (id: string | number, index = 0) => ({ id, index, row: { q: 'test' } });

describe('ZeroRetriever', () => {
  it('gives nothing', () => {
    expect(create({ type: 'ZeroRetriever' })(query(0))).toEqual([]);
    expect(givesShots({ type: 'ZeroRetriever' })).toBe(false);
  });
});

describe('FixKRetriever', () => {
  it('gives the same rows every time, in their order', () => {
    const retriever = create({ type: 'FixKRetriever', fixIdList: [3, 0] });
    expect(retriever(query(1))).toEqual([3, 0]);
    expect(retriever(query(2))).toBe(retriever(query(1)));
  });

  it.each([[10], [-1], [1.5]])('refuses row %d', (index) => {
    expect(() => create({ type: 'FixKRetriever', fixIdList: [0, index] })).toThrow(
      expect.objectContaining({
        code: 'retrieve.no_such_example',
        path: ['retriever', 'fix_id_list', 1],
      }),
    );
  });
});

describe('RandomRetriever', () => {
  const settings = { type: 'RandomRetriever', iceNum: 3, seed: 7 };

  it('draws by seed and row id alone', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.string()), { minLength: 1 }), (ids) => {
        const forward = create(settings);
        const backward = create(settings);
        const drawn = ids.map((id, index) => forward(query(id, index)));
        const again = ids.toReversed().map((id) => backward(query(id)));
        expect(again.toReversed()).toEqual(drawn);
        for (const draw of drawn) expect(new Set(draw).size).toBe(3);
      }),
    );
  });

  it('changes with the seed', () => {
    const other = create({ ...settings, seed: 8 });
    const ids = pool.map(({ id }) => id);
    expect(ids.map((id) => other(query(id)))).not.toEqual(
      ids.map((id) => create(settings)(query(id))),
    );
  });

  it('never gives a row itself', () => {
    const retriever = create({ ...settings, iceNum: 9 });
    for (const named of pool) expect(retriever({ ...named, index: 0 })).not.toContain(named.id);
  });

  it('needs a pool that is large enough', () => {
    expect(() => create({ ...settings, iceNum: 11 })).toThrow(
      expect.objectContaining({ code: 'retrieve.pool_too_small' }),
    );
    const retriever = create({ ...settings, iceNum: 10 });
    const [own] = pool;
    expect(() => retriever({ id: 0, index: 0, row: own?.row ?? {} })).toThrow(
      expect.objectContaining({ code: 'retrieve.pool_too_small' }),
    );
  });

  it('draws as OpenCompass does in compat modes', () => {
    const retriever = create({ type: 'RandomRetriever', iceNum: 3 }, true);
    const draws = [0, 1, 2, 3].map((index) => retriever(query('any', index)));
    expect(draws).toEqual([
      [3, 9, 6],
      [8, 5, 1],
      [8, 7, 1],
      [6, 3, 5],
    ]);
    expect(create({ type: 'RandomRetriever', iceNum: 3 }, true)(query('any', 2))).toEqual([
      8, 7, 1,
    ]);
  });
});

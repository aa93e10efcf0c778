import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import { createRetriever } from '../create-retriever.ts';
import type { RetrieverContext, RetrieverSettings } from '../retriever.ts';
import { certaintyOf } from './mdl.ts';
import { knownEmbedder, textEmbedder } from './text-embedder.fixture.ts';

type Vectors = Readonly<Record<string, readonly number[]>>;

/** Asks for the examples of `q` over rows whose texts are the names of the other vectors. */
async function choose(
  settings: RetrieverSettings,
  vectors: Vectors,
  context: Partial<RetrieverContext> = {},
) {
  const texts = Object.keys(vectors).filter((text) => text !== 'q');
  const retriever = createRetriever(
    { embedder: knownEmbedder(vectors), ...settings },
    {
      pool: texts.map((text, id) => ({ id, row: { text } })),
      path: ['retriever'],
      inputColumns: ['text'],
      ...context,
    },
  );
  const query = { id: 1, position: 0, row: { text: 'q' } };
  await retriever.prepare?.([query]);
  return retriever(query).map((index) => texts[index]);
}

describe('TopkRetriever', () => {
  it('gives the nearest by angle, the nearest first, the earlier of equal ones first', async () => {
    const vectors = {
      q: [1, 0],
      far: [-1, 0],
      long: [9, 9],
      same: [2, 0],
      twin: [3, 0],
      up: [0, 1],
    };
    const settings = { type: 'TopkRetriever', iceNum: 4 };
    expect(await choose(settings, vectors)).toEqual(['same', 'twin', 'long', 'up']);
  });

  it('embeds the pool once', async () => {
    const embedder = textEmbedder();
    const pool = ['a', 'b', 'c'].map((text, id) => ({ id, row: { text } }));
    const retriever = createRetriever(
      { type: 'TopkRetriever', embedder },
      { pool, path: [], inputColumns: ['text'] },
    );
    const queries = ['x', 'y'].map((text, id) => ({ id, position: id, row: { text } }));
    await Promise.all(queries.map((query) => retriever.prepare?.([query])));
    expect(embedder.asked.toSorted()).toEqual(['a', 'b', 'c', 'x', 'y']);
  });

  it('can be given up', async () => {
    const pool = ['a', 'b'].map((text, id) => ({ id, row: { text } }));
    const retriever = createRetriever(
      { type: 'TopkRetriever', embedder: textEmbedder() },
      { pool, path: [], inputColumns: ['text'] },
    );
    const signal = AbortSignal.abort(new Error('enough'));
    const query = { id: 0, position: 0, row: { text: 'q' } };
    await expect(retriever.prepare?.([query], { signal })).rejects.toThrow('enough');
  });
});

describe.each(['TopkRetriever', 'VotekRetriever', 'DPPRetriever'])('vectors for %s', (type) => {
  it.each<[string, Vectors, string]>([
    ['changing lengths', { q: [1, 0], a: [1, 0], b: [1, 0, 0] }, '3 numbers for "b", but 2'],
    ['no numbers', { q: [1, 0], a: [] }, 'no numbers for "a"'],
    ['NaN', { q: [1, 0], a: [1, Number.NaN] }, 'a number that is not finite for "a"'],
    ['infinity', { q: [1, 0], a: [Number.POSITIVE_INFINITY, 1] }, 'not finite'],
    ['zeros', { q: [1, 0], a: [0, 0] }, 'nothing but zeros for "a"'],
  ])('%s are refused', async (_, vectors, message) => {
    await expect(choose({ type }, vectors)).rejects.toMatchObject({
      code: 'retrieve.bad_embedding',
      message: expect.stringContaining(message),
    });
  });

  it('are one for each text', async () => {
    const embedder = { identity: {}, embed: async () => [Float32Array.of(1)] };
    await expect(choose({ type, embedder }, { q: [], a: [], b: [] })).rejects.toThrow(
      '2 texts were given, 1 vectors came back',
    );
  });
});

it('a row whose vector has another length is refused', async () => {
  const vectors = { q: [1, 0, 0], a: [1, 0] };
  await expect(choose({ type: 'TopkRetriever' }, vectors)).rejects.toThrow('3 numbers for "q"');
});

describe('VotekRetriever', () => {
  const ring = (degrees: number) => [
    Math.cos((degrees * Math.PI) / 180),
    Math.sin((degrees * Math.PI) / 180),
  ];

  it('gives those near to many, but not near to the same ones', async () => {
    const vectors = {
      q: [1, 0],
      left: ring(0),
      middle: ring(2),
      right: ring(4),
      other: ring(90),
      others: ring(91),
      lone: ring(93),
    };
    const settings = { type: 'VotekRetriever', iceNum: 2, votekK: 1 };
    expect(await choose(settings, vectors)).toEqual(['middle', 'others']);
  });

  it('elects as a plain count does', async () => {
    // No two pairs of these are equally far apart.
    const grown = Array.from({ length: 14 }, (_, index) => 1.5 ** index);
    const angles = fc.shuffledSubarray(grown, { minLength: 5 });
    await fc.assert(
      fc.asyncProperty(angles, fc.integer({ min: 1, max: 4 }), async (chosen, votekK) => {
        const vectors = Object.fromEntries(chosen.map((angle) => [`a${angle}`, ring(angle)]));
        const names = Object.keys(vectors);
        const elected = plainVotes(Object.values(vectors), votekK).map((index) => names[index]);
        const settings = { type: 'VotekRetriever', iceNum: 3, votekK };
        const found = await choose(settings, { q: [1, 0], ...vectors });
        expect(found.slice(0, elected.length)).toEqual(elected.slice(0, 3));
        expect(new Set(found).size).toBe(3);
      }),
      { numRuns: 50 },
    );
  });

  it('fills up by seed, the same for every row', async () => {
    const vectors = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`a${index}`, ring(index * 30)]),
    );
    const settings = { type: 'VotekRetriever', iceNum: 11, votekK: 1 };
    const draw = (seed: number) => choose({ ...settings, seed }, { q: [1, 0], ...vectors });
    expect(await draw(1)).toEqual(await draw(1));
    expect(await draw(1)).not.toEqual(await draw(2));
  });
});

/** Votes of each row for its nearest others, then those not covered by one before. */
function plainVotes(vectors: readonly (readonly number[])[], votes: number): number[] {
  const cosine = (a: number, b: number) =>
    (vectors[a] ?? []).reduce((sum, value, index) => sum + value * (vectors[b]?.[index] ?? 0), 0);
  const voters = vectors.map(() => [] as number[]);
  for (const voter of vectors.keys()) {
    const others = [...vectors.keys()].filter((index) => index !== voter);
    others.sort((a, b) => cosine(voter, b) - cosine(voter, a) || a - b);
    for (const index of others.slice(0, votes)) voters[index]?.push(voter);
  }
  const order = [...voters.keys()].filter((index) => voters[index]?.length);
  order.sort((a, b) => (voters[b]?.length ?? 0) - (voters[a]?.length ?? 0) || a - b);
  return order.filter((index, rank) =>
    order
      .slice(0, rank)
      .every((before) => voters[index]?.some((voter) => !voters[before]?.includes(voter))),
  );
}

describe('DPPRetriever', () => {
  it('prefers variety to a second copy', async () => {
    const vectors = { q: [1, 0.1], a: [1, 0], copy: [1, 0], b: [1, 0.5], c: [-1, 0] };
    const settings = { type: 'DPPRetriever', iceNum: 2, scaleFactor: 1 };
    expect(await choose(settings, vectors)).toEqual(['a', 'c']);
    expect(await choose({ ...settings, candidateNum: 3 }, vectors)).toEqual(['a', 'b']);
    expect(await choose({ ...settings, scaleFactor: 0.01 }, vectors)).toEqual(['a', 'b']);
  });

  it('takes copies when nothing else is left, the nearest first', async () => {
    const vectors = { q: [1, 0], a: [1, 0], b: [1, 0], c: [1, 0] };
    expect(await choose({ type: 'DPPRetriever', iceNum: 3 }, vectors)).toEqual(['a', 'b', 'c']);
  });

  it('grows the determinant of the kernel step by step', async () => {
    const seeds = fc.uniqueArray(fc.nat(), { minLength: 6, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(seeds, async (chosenSeeds) => {
        const [asked = [], ...rows] = chosenSeeds.map(randomVector);
        const vectors = Object.fromEntries(rows.map((row, index) => [`r${index}`, row]));
        const found = await choose(
          { type: 'DPPRetriever', iceNum: 3, scaleFactor: 0.5 },
          { q: asked, ...vectors },
        );
        const chosen = found.map((name) => Number(name?.slice(1)));
        const kernel = kernelOf(rows, asked, 0.5);
        const greedy = greedyDeterminant(kernel, 3);
        expect(determinant(pick(kernel, chosen))).toBeCloseTo(greedy, 5);
      }),
      { numRuns: 60 },
    );
  });
});

function randomVector(seed: number): number[] {
  const random = keyedRandom(seed, 'vector');
  return Array.from({ length: 4 }, () => random.next() - 0.5);
}

type Matrix = readonly (readonly number[])[];

function kernelOf(rows: Matrix, asked: readonly number[], scale: number): Matrix {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const cosine = (a: readonly number[], b: readonly number[]) =>
    dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  const near = rows.map((row) => (cosine(row, asked) + 1) / 2);
  const relevance = near.map((value) => Math.exp((value - Math.max(...near)) / (2 * scale)));
  return rows.map((a, i) =>
    rows.map((b, j) => ((cosine(a, b) + 1) / 2) * (relevance[i] ?? 0) * (relevance[j] ?? 0)),
  );
}

function pick(kernel: Matrix, indexes: readonly number[]): Matrix {
  return indexes.map((i) => indexes.map((j) => kernel[i]?.[j] ?? 0));
}

function greedyDeterminant(kernel: Matrix, count: number): number {
  const chosen: number[] = [];
  const value = (index: number) => determinant(pick(kernel, [...chosen, index]));
  while (chosen.length < count) {
    const left = [...kernel.keys()].filter((index) => !chosen.includes(index));
    chosen.push(left.reduce((best, index) => (value(index) > value(best) + 1e-12 ? index : best)));
  }
  return determinant(pick(kernel, chosen));
}

function determinant(matrix: Matrix): number {
  const [row = [], ...others] = matrix;
  const [first = 1] = row;
  if (others.length === 0 || first < 1e-12) return others.length === 0 ? first : 0;
  const reduced = others.map((other) =>
    other.slice(1).map((value, index) => value - ((other[0] ?? 0) / first) * (row[index + 1] ?? 0)),
  );
  return first * determinant(reduced);
}

describe('MDLRetriever', () => {
  const vectors = { q: [1, 0], a: [1, 0.1], b: [1, 0.2], c: [1, 0.3], d: [-1, 0] };
  const settings = { type: 'MDLRetriever', iceNum: 1, candidateNum: 3, selectTime: 20 };

  it('takes the choice after which the model is surest', async () => {
    const labelLosses = async (_: unknown, [shot]: readonly number[]) =>
      shot === 2 ? [0, 9] : [1, 1];
    expect(await choose(settings, vectors, { labelLosses })).toEqual(['c']);
  });

  it('takes the nearest where it makes no difference, and compares the candidates only', async () => {
    const seen = new Set<number>();
    const labelLosses = async (_: unknown, shots: readonly number[]) => {
      for (const shot of shots) seen.add(shot);
      return [1, 1];
    };
    expect(await choose(settings, vectors, { labelLosses })).toEqual(['a']);
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  it('measures rows of the whole pool by their own numbers under a condition', async () => {
    const seen = new Set<number>();
    const labelLosses = async (_: unknown, shots: readonly number[]) => {
      for (const shot of shots) seen.add(shot);
      return [1, 1];
    };
    const where = { columns: ['text'], matches: ({ text }: { text?: unknown }) => text !== 'a' };
    expect(await choose({ ...settings, where }, vectors, { labelLosses })).toEqual(['b']);
    expect([...seen].sort()).toEqual([1, 2, 3]);
  });

  it('needs a model that gives loglikelihoods', async () => {
    await expect(choose(settings, vectors)).rejects.toMatchObject({
      code: 'retrieve.loglikelihood_needed',
    });
  });

  it.each([
    [[0, 0], -Math.LN2],
    [[1, 1, 1, 1], -Math.log(4)],
    [[0, Number.POSITIVE_INFINITY], 0],
    [[Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], -Math.LN2],
    [[0, Math.log(3)], 0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)],
    [[5000, 5000 + Math.log(3)], 0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)],
  ])('losses %j have the negative entropy %d', (losses, expected) => {
    expect(certaintyOf(losses)).toBeCloseTo(expected, 12);
  });
});

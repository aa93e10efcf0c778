import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it, test, vi } from 'vitest';
import { CausalEngine, type EngineLimits } from './causal-engine.ts';
import { CausalGraph } from './causal-graph.ts';
import type { SequenceScores } from './requests.ts';
import { openSession } from './runtime.ts';
import { tryGraph } from './try-graph.ts';

const weights = join(import.meta.dirname, '../../../../models/typecase-tiny/onnx/model.onnx');
const { session, runtime } = await openSession(weights);
const graph = new CausalGraph(session, runtime, { typecase_branches: true });
afterAll(() => graph.release());

const packing: EngineLimits = {
  rows: 32,
  newTokens: 512,
  cacheTokens: 4096,
  keptTokens: 4096,
  allowsPadding: true,
  packsSuffixes: true,
};
const plain = { ...packing, packsSuffixes: false };

interface Sequence {
  readonly ids: readonly number[];
  readonly from: number;
  readonly shared: number;
  readonly top?: number;
}

function score(engine: CausalEngine, sequences: readonly Sequence[]): Promise<SequenceScores[]> {
  return Promise.all(
    sequences.map(
      ({ ids, top = 0, ...request }) =>
        new Promise<SequenceScores>((done, failed) => {
          engine.score({ ...request, ids: Int32Array.from(ids), top }, { done, failed });
        }),
    ),
  );
}

const context = [256, ...Buffer.from('Which is a fruit?\nAnswer: ')];
const labels = (...words: string[]) =>
  words.map((word) => ({
    ids: [...context, ...Buffer.from(word)],
    from: 1,
    shared: context.length,
  }));

/** The shape of every run: for each row its past, where it forks, and its tokens. */
async function runsOf(engine: CausalEngine, sequences: readonly Sequence[]) {
  const run = vi.spyOn(graph, 'run');
  await score(engine, sequences);
  const runs = run.mock.calls.map(([{ tokens, forks, pastLengths }]) =>
    tokens.map(({ length }, row) => [pastLengths[row], forks?.[row], length]),
  );
  run.mockRestore();
  return runs;
}

test.each([
  { config: { typecase_branches: true }, readsBranches: true },
  { config: {}, readsBranches: false },
])('a graph reads branches if its folder says so: $config', async ({ config, readsBranches }) => {
  const trial = await tryGraph(new CausalGraph(session, runtime, config));
  expect(trial).toEqual({ vocabulary: 263, allowsPadding: true, readsBranches });
});

it('reads the labels of a row side by side, first with their prefix, then after it', async () => {
  const engine = new CausalEngine(graph, packing);
  const length = context.length;
  const forks = [length, length + 3, length + 7];
  expect(await runsOf(engine, labels('plum', 'grape', 'fig', 'x'))).toEqual([
    [[0, forks, length + 9]],
  ]);
  expect(await runsOf(engine, labels('plum', 'grape', 'fig', 'x'))).toEqual([
    [
      [length - 1, [1, 4, 8], 10],
      [length - 1, [], 1],
    ],
  ]);
  expect(await runsOf(engine, labels('plum'))).toEqual([[[length - 1, [], 4]]]);
});

it('packs nothing for graphs that read no branches', async () => {
  const runs = await runsOf(new CausalEngine(graph, plain), labels('plum', 'grape'));
  const after = context.length;
  expect(runs).toEqual([
    [[0, [], after]],
    [
      [after, [], 3],
      [after, [], 4],
    ],
  ]);
});

test.each([
  { limit: 'sequences', limits: { ...packing, rows: 2 }, forks: 2 },
  { limit: 'tokens', limits: { ...packing, newTokens: context.length + 4 }, forks: 1 },
  { limit: 'tokens in suffixes', limits: packing, words: ['a'.repeat(127), 'bc', 'def'], forks: 2 },
])('keeps to the limit of $limit', async ({ limits, words = ['plum', 'grape', 'fig'], forks }) => {
  const [[[, found] = []] = []] = await runsOf(new CausalEngine(graph, limits), labels(...words));
  expect(found).toHaveLength(forks);
});

/** Batches of unlike shape, packed or not, were seen to differ by 0.000008. */
const tolerance = 3e-5;

/** The greatest difference between two lists of numbers, of large ones as a share. */
function distance(a: Float64Array, b: Float64Array): number {
  expect(a.length).toBe(b.length);
  return Math.max(
    0,
    ...a.map((value, index) => Math.abs(value - (b[index] as number)) / Math.max(1, -value)),
  );
}

it('packed or not, the numbers are the same', { timeout: 60_000 }, async () => {
  const letters = (limits: fc.StringConstraints) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '7', '\n'), ...limits });
  const row = fc.record({
    prefix: letters({ maxLength: 30 }),
    suffixes: fc.array(letters({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
    from: fc.nat(40),
    top: fc.constantFrom(0, 2),
  });
  const tight = { ...packing, rows: 3, newTokens: 20, keptTokens: 40 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(packing, tight),
      async (rows, limits) => {
        const sequences = rows.flatMap(({ prefix, suffixes, from, top }) =>
          suffixes.map((suffix) => {
            const ids = [256, ...Buffer.from(prefix + suffix)];
            return { ids, from: 1 + (from % (ids.length - 1)), shared: 1 + prefix.length, top };
          }),
        );
        const expected = await score(new CausalEngine(graph, plain), sequences);
        const engine = new CausalEngine(graph, limits);
        for (const found of [await score(engine, sequences), await score(engine, sequences)]) {
          found.forEach(({ logprobs, bestLogprobs, topLogprobs }, index) => {
            const other = expected[index] as SequenceScores;
            expect(distance(logprobs, other.logprobs)).toBeLessThan(tolerance);
            expect(distance(bestLogprobs, other.bestLogprobs)).toBeLessThan(tolerance);
            expect(distance(topLogprobs, other.topLogprobs)).toBeLessThan(tolerance);
          });
        }
      },
    ),
    { numRuns: 25 },
  );
});

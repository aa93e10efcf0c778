import { expect, test } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import { runRace } from './budget-race.ts';
import { drawScores } from './sample-sheet.fixture.ts';

interface Draw {
  /** A rate below 0 stands for a template without answers. */
  readonly rates: readonly number[];
  readonly rows: number;
  readonly budget: number;
  readonly seed: number;
}

async function raceOf({ rates, rows, budget, seed }: Draw) {
  const scores = drawScores(keyedRandom(seed, 'race'), { rates, rows });
  const templates = rates.map((_, place) => String(place));
  const sent = new Map<string, Set<number>>();
  const result = await runRace({
    templates,
    ids: Array.from({ length: rows }, (_, id) => id),
    cost: 1,
    budget,
    kind: { metric: 'accuracy' },
    seed: 0,
    ask: async (wanted, ids) => ({
      scores: new Map(
        wanted.flatMap((name) => {
          sent.set(name, new Set([...(sent.get(name) ?? []), ...ids]));
          const isAnswered = (rates[Number(name)] ?? 0) >= 0;
          const own = Float64Array.from(ids, (id) => scores[Number(name)]?.[id] ?? 0);
          return isAnswered ? [[name, own] as const] : [];
        }),
      ),
    }),
  });
  return { ...result, sent: [...sent.values()].reduce((sum, ids) => sum + ids.size, 0) };
}

test('bad templates are dropped early, and what that saves goes to the others', async () => {
  const rates = [0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9];
  const { rounds, left, winner, spent, sent, score } = await raceOf({
    rates,
    rows: 300,
    budget: 800,
    seed: 1,
  });
  expect([left, winner]).toEqual([['7'], '7']);
  expect(rounds[0]?.dropped).toHaveLength(7);
  expect(spent).toBe(sent);
  expect(spent).toBeLessThanOrEqual(800);
  expect(score?.low).toBeLessThan(0.9);
  expect(score?.high).toBeGreaterThan(0.9);
});

test.each([
  [8, 100],
  [17, 100],
  [100, 100],
  [100_000, 100],
])('a budget of %d is never passed', async (budget, rows) => {
  const rates = [0.5, 0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6];
  const { spent, sent, rounds } = await raceOf({ rates, rows, budget, seed: 2 });
  expect(spent).toBe(sent);
  expect(spent).toBeLessThanOrEqual(budget);
  expect(rounds[0]?.rows).toBeGreaterThan(0);
  // A quarter of the rows has no part in the choice.
  expect(rounds.at(-1)?.rows).toBeLessThanOrEqual(75);
});

test('a template without answers is out, wherever it stands', async () => {
  const race = await raceOf({ rates: [-1, 0.7, -1, 0.75], rows: 100, budget: 200, seed: 1 });
  expect(race.unanswered).toEqual(['0', '2']);
  expect(race.left).toEqual(['1', '3']);
  expect(race.rounds[0]?.scores.map(({ template }) => template)).toEqual(['1', '3']);
  const alone = await raceOf({ rates: [-1, 0.7], rows: 100, budget: 100, seed: 1 });
  expect([alone.left, alone.winner, alone.rounds.length]).toEqual([['1'], '1', 1]);
});

test.each([
  [8 + 9, false],
  [8 + 40, true],
])('the winner of a budget of %d is scored: %s', async (budget, isScored) => {
  const rates = [0.5, 0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6];
  const { score } = await raceOf({ rates, rows: 100, budget, seed: 2 });
  expect(score !== undefined).toBe(isScored);
});

test('the best of nearly equal templates is hardly ever dropped, the others often', async () => {
  const rates = [0.75, 0.7, 0.65, 0.5, 0.4, 0.3];
  let lost = 0;
  let left = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const race = await raceOf({ rates, rows: 300, budget: 900, seed });
    if (!race.left.includes('0')) lost += 1;
    left += race.left.length;
  }
  expect(lost).toBeLessThanOrEqual(3);
  expect(left / 60).toBeLessThan(4.5);
});

test('templates of rows in clusters are dropped by whole clusters', async () => {
  const documents = 10;
  const ids = Array.from({ length: 100 }, (_, id) => id);
  const documentOf = (id: number) => String(Math.floor(id / documents));
  // The second template is right all over three documents, in which the first is wrong.
  const scoreOf = (name: string, id: number) => (name === 'b' || id >= 30 ? 1 : 0);
  const raceOfDocuments = (isClustered: boolean) => {
    const asked: number[][] = [];
    const race = runRace({
      templates: ['a', 'b'],
      ids,
      cost: 1,
      budget: 200,
      kind: { metric: 'accuracy' },
      seed: 0,
      ...(isClustered && { clusterOf: documentOf }),
      ask: async (wanted, rows) => {
        asked.push([...rows]);
        const scores = wanted.map(
          (name) => [name, Float64Array.from(rows, (id) => scoreOf(name, id))] as const,
        );
        const clusters = { by: 'document', names: rows.map(documentOf) };
        return { scores: new Map(scores), ...(isClustered && { clusters }) };
      },
    });
    return race.then((result) => ({ result, asked }));
  };
  const plain = await raceOfDocuments(false);
  expect(plain.result.left).toEqual(['b']);
  const { result, asked } = await raceOfDocuments(true);
  expect(result.left).toEqual(['a', 'b']);
  const chosenBy = new Set(asked.slice(0, -1).flat().map(documentOf));
  expect(asked.at(-1)?.some((id) => chosenBy.has(documentOf(id)))).toBe(false);
});

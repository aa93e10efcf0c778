import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowScore, Scored } from '../scorer.ts';
import { combineSamples } from './combine-samples.ts';
import { type Ballot, consensusAtK, type TieRule } from './consensus.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { voteAnswers } from './vote.ts';

// By hand; the large ones as 1 - comb(attempts - passed, k) / comb(attempts, k) in Python 3.11.
test.each([
  [4, 1, 2, 0.5, 0],
  [10, 3, 1, 0.3, 0.3],
  [10, 3, 5, 11 / 12, 0],
  [8, 8, 8, 1, 1],
  [8, 0, 8, 0, 0],
  [5, 4, 2, 1, 0.6],
  [200, 7, 100, 0.9929911172418123, 0],
  [100_000, 10, 1000, 0.09562203607115123, 0],
])('of %d attempts %d pass: pass@%d', (attempts, passed, k, pass, all) => {
  expect(passAtK({ attempts, passed, k })).toBeCloseTo(pass, 12);
  expect(passHatK({ attempts, passed, k })).toBeCloseTo(all, 12);
});

test('pass@k and pass^k are the shares of all choices of k', () => {
  const sizes = fc.tuple(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), fc.nat());
  fc.assert(
    fc.property(sizes, ([outcomes, pick]) => {
      const k = (pick % outcomes.length) + 1;
      const counts = { attempts: outcomes.length, passed: outcomes.filter(Boolean).length, k };
      const all = choicesOf(outcomes, k);
      const share = (test: (choice: readonly boolean[]) => boolean) =>
        all.filter(test).length / all.length;
      expect(passAtK(counts)).toBeCloseTo(
        share((choice) => choice.some(Boolean)),
        12,
      );
      expect(passHatK(counts)).toBeCloseTo(
        share((choice) => choice.every(Boolean)),
        12,
      );
    }),
  );
});

function choicesOf<Item>(items: readonly Item[], k: number): (readonly Item[])[] {
  if (k === 0) return [[]];
  return items.flatMap((item, index) =>
    choicesOf(items.slice(index + 1), k - 1).map((rest) => [item, ...rest]),
  );
}

test('votes', () => {
  expect(voteAnswers(['b', 'a', 'b', 'c', 'a'])).toEqual({
    winner: 'b',
    votes: [
      { answer: 'b', votes: 2 },
      { answer: 'a', votes: 2 },
      { answer: 'c', votes: 1 },
    ],
    ties: ['b', 'a'],
  });
  expect(voteAnswers([])).toEqual({ winner: undefined, votes: [], ties: [] });
});

const ballots = (answers: string): Ballot[] =>
  Array.from(answers, (answer) => ({ answer, value: Number(answer === 'R') }));
const settings = { seed: 1, key: 'row' };

describe('consensus', () => {
  test.each<[answers: string, k: number, ties: TieRule, expected: number]>([
    ['RRW', 3, 'first', 1],
    ['RWW', 3, 'first', 0],
    ['RW', 2, 'first', 1],
    ['WR', 2, 'first', 0],
    ['WR', 2, 'share', 0.5],
    ['RWX', 3, 'share', 1 / 3],
    ['RW', 2, 'wrong', 0],
    ['RRWW', 2, 'share', 0.5],
    ['RRWWX', 3, 'first', 0.7],
    ['R', 1, 'wrong', 1],
  ])('%s, %d at a time, ties %s', (answers, k, ties, expected) => {
    expect(consensusAtK(ballots(answers), { k, ties, ...settings })).toBeCloseTo(expected, 12);
  });

  test('too many choices are drawn, the same for the same row', () => {
    const many = ballots('RW'.repeat(20) + 'R'.repeat(10));
    const drawn = consensusAtK(many, { k: 15, ties: 'first', ...settings });
    expect(drawn).toBe(consensusAtK(many, { k: 15, ties: 'first', ...settings }));
    // The chance of 8 or more of 15 from 30 right and 20 wrong, by the hypergeometric distribution.
    expect(Math.abs(drawn - 0.8278)).toBeLessThan(0.02);
  });

  test('one at a time is the mean', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('R', 'W', 'X'), { minLength: 1 }), (answers) => {
        const all = ballots(answers.join(''));
        const mean = all.reduce((sum, { value }) => sum + value, 0) / all.length;
        expect(consensusAtK(all, { k: 1, ties: 'first', ...settings })).toBeCloseTo(mean, 12);
      }),
    );
  });
});

const scored = (value: number, got: string): Scored => ({
  type: 'scored',
  value,
  extracted: `=${got}`,
  compared: { got, want: '7' },
});
const right = scored(1, '7');
const lost: RowScore = { type: 'unscored', reason: 'no answer found' };

test('samples make one score', () => {
  const samples = [scored(1, '7'), scored(0, '8'), lost, scored(1, '7'), scored(0, '9')];
  expect(combineSamples(samples, { k: [1, 2, 4, 5] })).toEqual({
    type: 'scored',
    value: 0.5,
    extracted: '=7',
    compared: { got: '7', want: '7' },
    metrics: {
      'avg@5': 0.5,
      'pass@1': 0.5,
      'pass^1': 0.5,
      'cons@1': 0.5,
      'pass@2': expect.closeTo(5 / 6, 12),
      'pass^2': expect.closeTo(1 / 6, 12),
      'cons@2': expect.closeTo(4 / 6, 12),
      'pass@4': 1,
      'pass^4': 0,
      'cons@4': 1,
    },
    samples: [5, 1],
  });
});

test('further measures are averaged over the samples that have them', () => {
  const measured = (metrics: Record<string, number>): RowScore => ({ ...right, metrics });
  const samples = [measured({ a: 1, b: 3 }), lost, measured({ a: 0, b: Number.NaN })];
  expect(combineSamples(samples, { k: [] })).toMatchObject({ metrics: { a: 0.5, b: 3 } });
});

test('where less is better, 1 is not right', () => {
  const samples: RowScore[] = [
    { ...right, value: 1, isRight: false },
    { ...right, value: 0, isRight: true },
  ];
  expect(combineSamples(samples, { k: [1] })).toMatchObject({
    value: 0.5,
    metrics: { 'pass@1': 0.5, 'pass^1': 0.5 },
  });
  expect(combineSamples(samples.slice(0, 1), { k: [1] })).toMatchObject({
    metrics: { 'pass@1': 0 },
  });
});

test('what samples add to measures of all rows is kept round by round', () => {
  const samples: RowScore[] = [
    { ...right, cell: 'x', counts: [1, 2] },
    lost,
    { ...right, cell: 'y', counts: [3, 4] },
  ];
  expect(combineSamples(samples, { k: [] })).toMatchObject({
    rounds: 3,
    cell: '["x",null,"y"]',
    counts: [1, 2, 0, 0, 3, 4],
  });
  expect(combineSamples([right, lost], { k: [] })).not.toHaveProperty('rounds');
});

test('without a scored sample there is no score', () => {
  expect(combineSamples([lost, lost], { k: [1] })).toBe(lost);
  expect(combineSamples([], { k: [1] })).toMatchObject({ reason: 'no samples' });
});

test('as AISBench reports them: rows with 2, 2, 1 and 0 of 3 samples right', () => {
  const rows = [2, 2, 1, 0].map((right) =>
    combineSamples(
      [0, 1, 2].map((index) => (index < right ? scored(1, '7') : scored(0, '8'))),
      { k: [3] },
    ),
  );
  const mean = (name: string) =>
    rows.reduce((sum, row) => sum + ((row.type === 'scored' && row.metrics?.[name]) || 0), 0) / 4;
  expect([mean('avg@3'), mean('pass@3'), mean('cons@3')]).toEqual([
    expect.closeTo(5 / 12, 12),
    0.75,
    0.5,
  ]);
});

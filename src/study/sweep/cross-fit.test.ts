import { expect, test } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import { hasInterval } from '../../stats/estimate.ts';
import { crossFit } from './cross-fit.ts';
import { meanScore } from './mean-score.ts';
import { drawScores } from './sample-sheet.fixture.ts';
import { findHighest } from './ties.ts';

const kind = { metric: 'accuracy' };

// 200 sweeps of 8 equal templates: the naive best is about 6 points too high at 80 rows, and the mean
// of the honest scores has a standard error of about 0.35 points.
test('the honest score of the best of equal templates is right on average, the naive is not', () => {
  const runs = 200;
  let honest = 0;
  let naive = 0;
  for (let run = 0; run < runs; run += 1) {
    const rates = Array<number>(8).fill(0.7);
    const scores = drawScores(keyedRandom(run, 'equal'), { rates, rows: 80 });
    honest += (crossFit([{ ...kind, scores }], run)?.score.value ?? 0) / runs;
    const means = scores.map((own) => own.reduce((sum, score) => sum + score, 0) / 80);
    naive += Math.max(...means) / runs;
  }
  expect(Math.abs(honest - 0.7)).toBeLessThan(0.015);
  expect(naive - 0.7).toBeGreaterThan(0.04);
});

test('one template far ahead is always chosen, and its score is its mean', () => {
  const scores = drawScores(keyedRandom(1, 'ahead'), { rates: [0.2, 0.9], rows: 101 });
  const mean = (scores[1] ?? new Float64Array()).reduce((sum, score) => sum + score, 0) / 101;
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect(fitted?.chosen[1]).toBeCloseTo(1);
  expect(fitted?.score.value).toBeCloseTo(mean);
});

// Either row chooses the template that has it right, and the other row has that one wrong.
test('counted by hand: of two rows, each for another template, nothing honest is left', () => {
  const scores = [Float64Array.of(1, 0), Float64Array.of(0, 1)];
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect([fitted?.score.value, ...(fitted?.chosen ?? [])]).toEqual([0, 0.5, 0.5]);
});

test('every row counts alike, also with an odd number of rows', () => {
  const same = Float64Array.from([1, 0, 0]);
  expect(crossFit([{ ...kind, scores: [same, same] }], 0)?.score.value).toBeCloseTo(1 / 3);
});

test('where less is better the lowest is chosen', () => {
  const scores = [new Float64Array(30).fill(3), new Float64Array(30).fill(2)];
  const fitted = crossFit([{ metric: 'cer', direction: 'lower', plain: true, scores }], 0);
  expect(fitted?.chosen).toEqual([0, 1]);
  expect(fitted?.score.value).toBeCloseTo(2);
});

test('perfect scores are not certain', () => {
  const scores = [new Float64Array(20).fill(1), new Float64Array(20).fill(1)];
  const fitted = crossFit([{ ...kind, scores }], 0);
  expect(fitted?.score).toMatchObject({ value: 1, high: 1, method: 'cross-fitted' });
  expect(fitted?.score.low).toBeLessThan(0.9);
});

test.each([[[]], [[{ ...kind, scores: [] }]], [[{ ...kind, scores: [Float64Array.of(1)] }]]])(
  'nothing comes of too little: %#',
  (tasks) => {
    expect(crossFit(tasks, 0)).toBeUndefined();
  },
);

// The half with the flaw chooses the first; the other one finds no difference.
test('ties are those of exact arithmetic, whatever rounding makes of thirds', () => {
  const perfect = new Float64Array(100).fill(1);
  for (let row = 0; row < 100; row += 1) {
    const flawed = Float64Array.from(perfect, (score, place) => (place === row ? 2 / 3 : score));
    const fitted = crossFit([{ ...kind, scores: [perfect, flawed] }], row);
    expect(fitted).toMatchObject({ chosen: [0.75, 0.25], hasTies: true });
    expect(fitted?.score.value).toBeCloseTo(1 - 1 / 3 / 100 / 2, 12);
    expect(fitted?.score.low).toBeLessThan(0.965);
  }
});

/** The choices that exact arithmetic makes: scores are counts out of `parts`. */
function chooseExactly(counts: readonly (readonly number[])[], inHalf: (row: number) => boolean) {
  const sums = counts.map((own) => own.reduce((sum, one, row) => sum + (inHalf(row) ? one : 0), 0));
  return sums.flatMap((sum, place) => (sum === Math.max(...sums) ? [place] : []));
}

test.each([2, 3, 5, 6, 7, 10])('ties of scores in %d parts are those of whole numbers', (parts) => {
  const random = keyedRandom(parts, 'ties');
  for (let sheet = 0; sheet < 40; sheet += 1) {
    const rows = 4 + random.below(60);
    const counts = Array.from({ length: 2 + random.below(4) }, () =>
      Array.from({ length: rows }, () => (random.next() < 0.7 ? parts : random.below(parts + 1))),
    );
    const means = counts.map((own) => own.reduce((sum, one) => sum + one / parts, 0) / rows);
    expect(findHighest(means)).toEqual(chooseExactly(counts, () => true));
  }
});

test('equal candidates share every choice, and it says so', () => {
  const same = drawScores(keyedRandom(2, 'same'), { rates: [0.6], rows: 40 })[0] as Float64Array;
  const fitted = crossFit([{ ...kind, scores: [same, same, same, same] }], 0);
  for (const share of fitted?.chosen ?? []) expect(share).toBeCloseTo(0.25, 12);
  expect(fitted?.hasTies).toBe(true);
  const ahead = crossFit([{ ...kind, scores: [same, same.map(() => 1)] }], 0);
  expect(ahead).toMatchObject({ chosen: [0, 1], hasTies: false });
});

test('a tie of means over two tasks is one', () => {
  const rows = (wrong: number) =>
    Float64Array.from({ length: 20 }, (_, row) => (row < wrong ? 0 : 1));
  const first = { ...kind, scores: [rows(2), rows(3)] };
  const second = { ...kind, scores: [rows(5), rows(4)] };
  expect(crossFit([first, second], 0)?.hasTies).toBe(true);
});

test('the interval is never narrower than that of a leading candidate', () => {
  const random = keyedRandom(9, 'widths');
  for (let sheet = 0; sheet < 60; sheet += 1) {
    const rows = 20 + random.below(80);
    const cells = 1 + random.below(4);
    const ease = 0.9 + 0.1 * random.next();
    const scores = Array.from({ length: 3 }, () =>
      Float64Array.from({ length: rows }, () => {
        let right = 0;
        for (let cell = 0; cell < cells; cell += 1) if (random.next() < ease) right += 1;
        return right / cells;
      }),
    );
    const fitted = crossFit([{ ...kind, scores }], sheet)?.score;
    const means = scores.map((own) => own.reduce((sum, one) => sum + one, 0));
    const single = meanScore(scores[means.indexOf(Math.max(...means))] ?? new Float64Array());
    if (!hasInterval(fitted) || !hasInterval(single)) throw new Error('no interval');
    // At the ceiling there is no room for the whole of it.
    const below = Math.min(fitted.value, single.value - single.low);
    expect(fitted.value - fitted.low).toBeGreaterThanOrEqual(below - 1e-12);
    expect(fitted.high).toBeGreaterThanOrEqual(
      Math.min(1, fitted.value + single.high - single.value) - 1e-12,
    );
  }
});

test('rows of one cluster are in one half: they neither choose nor score alone', () => {
  // Candidates are right on one cluster each, so that the cluster that would choose one cannot score it.
  const names = Array.from({ length: 60 }, (_, row) => String(Math.floor(row / 6)));
  const scores = Array.from({ length: 10 }, (_, candidate) =>
    Float64Array.from(names, (name) => (name === String(candidate) ? 1 : 0)),
  );
  const scoreBy = (clusters?: { names: string[] }) =>
    crossFit([{ metric: 'accuracy', scores, ...(clusters && { clusters }) }], 1)?.score;
  expect(scoreBy()?.value).toBeGreaterThan(0.02);
  expect(scoreBy({ names })?.value).toBe(0);
  const whole = crossFit(
    [
      {
        metric: 'accuracy',
        scores: [scores[0] ?? new Float64Array()],
        clusters: { names },
      },
    ],
    1,
  )?.score;
  expect(whole).toMatchObject({ value: 0.1, method: 'cross-fitted' });
  expect((whole?.high ?? 0) - (whole?.low ?? 0)).toBeGreaterThan(0.4);
});

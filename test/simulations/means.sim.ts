import { afterAll, expect, test } from 'vitest';
import type { Random } from '../../src/base/keyed-random.ts';
import { meanOfDifferences, meanOfScores } from '../../src/stats/mean-estimate.ts';
import { type Coverage, coverageOf, keepCoverage, normal, studentMean } from './simulate.ts';

interface Shape {
  readonly name: string;
  readonly mean: number;
  readonly draw: (random: Random) => number;
}

const exponential = (random: Random) => -Math.log(1 - random.next());

/** A beta variable with whole parameters, from the order of that many even ones. */
function beta(random: Random, a: number, b: number): number {
  const drawn = Array.from({ length: a + b - 1 }, () => random.next());
  return drawn.sort((left, right) => left - right)[a - 1] ?? 0;
}

/** Scores that are not 0 in some of the rows only. */
function rare(share: number, own: Omit<Shape, 'name'>, name: string): Shape {
  const draw = (random: Random) => (random.next() < share ? own.draw(random) : 0);
  return { name: `${share * 100}% not 0, ${name}`, mean: share * own.mean, draw };
}

const even = { mean: 0.5, draw: (random: Random) => random.next() };
const small = { mean: 0.1, draw: (random: Random) => beta(random, 1, 9) };

/** Some rows are wrong with every number of examples, the others seldom with any of three. */
function ceiling(hard: number, ease: number): Shape {
  const draw = (random: Random) => {
    if (random.next() < hard) return 0;
    return [0, 1, 2].filter(() => random.next() < ease).length / 3;
  };
  const mean = (1 - hard) * ease;
  return { name: `thirds near the ceiling, mean ${(mean * 100).toFixed(1)}`, mean, draw };
}

const shares: readonly Shape[] = [
  rare(0.05, even, 'even'),
  rare(0.05, small, 'small'),
  rare(0.1, even, 'even'),
  { name: 'skewed', mean: 1 / 6, draw: (random) => random.next() ** 5 },
  {
    name: 'like BLEU of sentences',
    mean: 0.8 * 0.25,
    draw: (random) => (random.next() < 0.2 ? 0 : beta(random, 2, 6)),
  },
  {
    name: '0, 1 and between',
    mean: 0.55,
    draw: (random) => {
      const kind = random.next();
      return kind < 0.4 ? 1 : kind < 0.7 ? 0 : random.next();
    },
  },
  { name: 'even', ...even },
  ceiling(0.03, 0.995),
  ceiling(0.05, 0.98),
];

const rows = [20, 50, 200];
const table: Coverage[] = [];
const student: Coverage[] = [];
const open: Coverage[] = [];
const paired: Coverage[] = [];
afterAll(() => {
  keepCoverage('means', table);
  keepCoverage('means-student', student);
  keepCoverage('open-means', open);
  keepCoverage('paired-differences', paired);
});

const cases = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => rows.map((n) => ({ ...shape, n })));

test.each(cases(shares))('scores from 0 to 1: $name, $n rows', ({ name, mean, draw, n }) => {
  const settings = { setting: name, n, runs: 1500, truth: mean };
  const drawRows = (random: Random) => Array.from({ length: n }, () => draw(random));
  const found = coverageOf({ ...settings, interval: (random) => meanOfScores(drawRows(random)) });
  table.push(found);
  student.push(coverageOf({ ...settings, interval: (random) => studentMean(drawRows(random)) }));
  expect(found.coverage).toBeGreaterThanOrEqual(0.94);
  expect(found.refusals).toBe(0);
});

const openShapes: readonly Shape[] = [
  { name: 'normal', mean: 5, draw: (random) => 5 + normal(random) },
  { name: 'exponential', mean: 1, draw: exponential },
  { name: 'log-normal', mean: Math.exp(0.5), draw: (random) => Math.exp(normal(random)) },
  rare(0.05, { mean: 1, draw: exponential }, 'exponential'),
  rare(0.3, { mean: 1, draw: exponential }, 'exponential'),
];

test.each(cases(openShapes))('open scores: $name, $n rows', ({ name, mean, draw, n }) => {
  const range = [0, Number.POSITIVE_INFINITY] as const;
  const found = coverageOf({
    setting: name,
    n,
    runs: 1500,
    truth: mean,
    interval: (random) =>
      meanOfScores(
        Array.from({ length: n }, () => draw(random)),
        { range },
      ),
  });
  open.push(found);
  expect(found.coverage).toBeGreaterThanOrEqual(name === 'log-normal' ? 0.86 : 0.9);
});

const lost = 'a little better, 2% lost';
const pairs: readonly Shape[] = [
  {
    name: 'thirds, 40% differ',
    mean: 0.4 * 0.5 * 0.4,
    draw: (random) => {
      if (random.next() >= 0.4) return 0;
      return (random.next() < 0.75 ? 1 : -1) * (random.next() < 0.8 ? 1 / 3 : 2 / 3);
    },
  },
  {
    name: '5% differ, more up than down',
    mean: 0.05 * 0.25,
    draw: (random) => {
      if (random.next() >= 0.05) return 0;
      return (random.next() < 0.75 ? 1 : -1) * random.next();
    },
  },
  {
    name: 'all differ a little',
    mean: 0.05,
    draw: (random) => 0.05 + 0.1 * (random.next() - random.next()),
  },
  {
    name: lost,
    mean: 0.98 * 0.02 - 0.02,
    draw: (random) => (random.next() < 0.02 ? -1 : 0.04 * random.next()),
  },
];

test.each(cases(pairs))('paired differences: $name, $n rows', ({ name, mean, draw, n }) => {
  const found = coverageOf({
    setting: name,
    n,
    runs: 1500,
    truth: mean,
    interval: (random) => meanOfDifferences(Array.from({ length: n }, () => draw(random))),
  });
  paired.push(found);
  // What happens in 2 of 100 rows is not in 20 of them.
  if (name !== lost || n === 200) expect(found.coverage).toBeGreaterThanOrEqual(0.93);
});

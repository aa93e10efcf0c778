import { afterAll, expect, test } from 'vitest';
import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { countLabels, labelCounter } from '../../src/score/metrics/label-counts.ts';
import { macroF1 } from '../../src/score/metrics/label-metrics.ts';
import { bootstrapMeanBca } from '../../src/stats/bca.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { clusteredMean } from '../../src/stats/clustered-mean.ts';
import { groupAverage } from '../../src/stats/means.ts';
import { compareDatasetMetrics } from '../../src/stats/paired-metric.ts';
import { rateDifference } from '../../src/stats/paired-rates.ts';
import { CellTally, SumTally } from '../../src/stats/tallies.ts';
import { wilson } from '../../src/stats/wilson.ts';
import {
  type Coverage,
  countDiscordant,
  coverageOf,
  type Finding,
  holds,
  keepCoverage,
  keepFindings,
  normal,
  pairedRates,
  shareOf,
} from './simulate.ts';

const runs = 4000;

const findings: Finding[] = [];
afterAll(() => keepFindings('intervals', findings));

/** 95% intervals must hold the truth in 93 to 97 of 100 cases. */
function expectCoverage({ share, ...rest }: Finding): void {
  findings.push({ share, ...rest });
  expect(share).toBeGreaterThanOrEqual(0.93);
  expect(share).toBeLessThanOrEqual(0.97);
}

test.each([
  [100, 0.5],
  [100, 0.85],
  [400, 0.97],
])('Wilson: %d rows, rate %f', (rows, rate) => {
  const share = shareOf(runs, (random) => {
    let successes = 0;
    for (let row = 0; row < rows; row += 1) if (random.next() < rate) successes += 1;
    return holds(wilson(successes, rows), rate);
  });
  expectCoverage({ what: `Wilson, ${rows} rows, rate ${rate}`, share, runs });
});

test.each([0.8, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.992])('Wilson: 20 rows, rate %f', (rate) => {
  const share = shareOf(runs, (random) => {
    let successes = 0;
    for (let row = 0; row < 20; row += 1) if (random.next() < rate) successes += 1;
    return holds(wilson(successes, 20), rate);
  });
  findings.push({ what: `Wilson, 20 rows, rate ${rate}`, share, runs });
  // Above 0.991 only 20 of 20 has an interval that holds the rate.
  expect(share).toBeGreaterThanOrEqual(rate > 0.991 ? 0.82 : 0.9);
});

const shapes: readonly [name: string, mean: number, draw: (random: Random) => number][] = [
  ['even', 0.5, (random) => random.next()],
  ['skewed', 1 / 3, (random) => random.next() ** 2],
];

for (const [bootstrapName, bootstrap] of [
  ['percentile', bootstrapMean],
  ['BCa', bootstrapMeanBca],
] as const) {
  test.each(shapes)(`${bootstrapName} bootstrap of a mean: %s`, (name, mean, draw) => {
    const share = shareOf(1500, (random, run) => {
      const values = Array.from({ length: 80 }, () => draw(random));
      return holds(bootstrap(values, { seed: run, resamples: 1000 }), mean);
    });
    const what = `${bootstrapName} bootstrap, 80 rows, ${name}`;
    expectCoverage({ what, share, runs: 1500 });
  });
}

test.each([
  ['percentile', bootstrapMean],
  ['BCa', bootstrapMeanBca],
] as const)('%s bootstrap of rare scores: not to be used', (name, bootstrap) => {
  const share = shareOf(1500, (random, run) => {
    const values = Array.from({ length: 20 }, () => (random.next() < 0.05 ? random.next() : 0));
    return holds(bootstrap(values, { seed: run, resamples: 1000 }), 0.025);
  });
  findings.push({ what: `${name} bootstrap, 20 rows, 5% not 0`, share, runs: 1500 });
  expect(share).toBeLessThan(0.9);
});

const labels = ['a', 'b', 'c'];
const macro: Coverage[] = [];
afterAll(() => keepCoverage('macro-f1', macro));

test.each([20, 50, 200])('macro F1 of three labels, one of them rare: %d rows', (rows) => {
  for (const rate of [0.6, 0.8, 0.9]) {
    const draw = (random: Random): [string, string] => {
      const right = random.next();
      const label = right < 0.5 ? 'a' : right < 0.85 ? 'b' : 'c';
      return [label, random.next() < rate ? label : (labels[random.below(3)] ?? '')];
    };
    const random = keyedRandom(0, `truth ${rate}`);
    const truth = macroF1.of(countLabels(Array.from({ length: 400_000 }, () => draw(random)))) ?? 0;
    const found = coverageOf({
      setting: `macro F1, ${rate * 100}% known`,
      n: rows,
      runs: 600,
      truth,
      interval: (drawn, seed) => {
        const tally = new CellTally();
        for (let row = 0; row < rows; row += 1) tally.add(JSON.stringify(draw(drawn)));
        const measure = (cells: readonly string[]) => {
          const count = labelCounter(cells.map((cell) => JSON.parse(cell)));
          return (times: ArrayLike<number>) => macroF1.of(count(times)) ?? 0;
        };
        return tally.estimate(measure, { seed });
      },
    });
    macro.push(found);
    expect(found.coverage).toBeGreaterThanOrEqual(0.88);
  }
});

test('paired bootstrap of a mean difference', () => {
  const share = shareOf(1500, (random, run) => {
    const differences = Array.from({ length: 100 }, () => {
      const ease = random.next();
      return (ease + random.next() ** 2) / 2 - (ease + random.next()) / 2;
    });
    return holds(bootstrapMeanBca(differences, { seed: run, resamples: 1000 }), 1 / 6 - 1 / 4);
  });
  expectCoverage({ what: 'BCa bootstrap of differences, 100 rows', share, runs: 1500 });
});

test.each([
  [60, 0],
  [60, 0.15],
  [200, 0.05],
  [1000, 0.02],
])('score interval of a difference of rates: %d rows, shift %f', (rows, shift) => {
  const share = shareOf(runs, (random) => {
    const counts = countDiscordant(pairedRates(random, { rows, shift }));
    return holds(rateDifference({ ...counts, pairs: rows }), shift);
  });
  expectCoverage({ what: `Tango, ${rows} rows, difference ${shift}`, share, runs });
});

test('rows in groups: the robust interval holds, the plain one does not', () => {
  const draw = (random: Random) => {
    const clusters: number[] = [];
    const values = Array.from({ length: 40 }, (_, group) => {
      const effect = normal(random);
      return Array.from({ length: 5 }, () => {
        clusters.push(group);
        return effect + 0.5 * normal(random);
      });
    }).flat();
    return { values, clusters };
  };
  const robust = shareOf(2000, (random) => {
    const { values, clusters } = draw(random);
    return holds(clusteredMean(values, { clusters }), 0);
  });
  const plain = shareOf(500, (random, run) =>
    holds(bootstrapMean(draw(random).values, { seed: run, resamples: 500 }), 0),
  );
  expectCoverage({ what: '40 groups of 5 rows', share: robust, runs: 2000 });
  expect(plain).toBeLessThan(0.8);
});

test('paired bootstrap of a measure of all rows together', () => {
  const measure = ([wrong = 0, right = 0]: Float64Array) => (right / (wrong + right)) ** 2;
  const truth = 0.55 ** 2 - 0.45 ** 2;
  const share = shareOf(400, (random, run) => {
    const { a, b } = pairedRates(random, { rows: 200, shift: 0.1 });
    const cellsOf = (side: Float64Array) =>
      ({ type: 'cells', cells: Uint32Array.from(side) }) as const;
    const paired = { a: cellsOf(a), b: cellsOf(b), length: 2, measure };
    return holds(compareDatasetMetrics(paired, { seed: run })?.difference, truth);
  });
  const what = 'difference of a measure of all rows, 200 rows';
  expectCoverage({ what, share, runs: 400 });
});

const groups: Coverage[] = [];
afterAll(() => keepCoverage('averages-of-tasks', groups));

test.each([
  [2, 20, 0.95],
  [10, 20, 0.9],
  [10, 20, 0.95],
  [10, 50, 0.5],
  [10, 200, 0.99],
  [20, 30, 0.99],
  [57, 100, 0.95],
])('averages of %d tasks of %d rows at %d', (tasks, rows, rate) => {
  const found = coverageOf({
    setting: `${tasks} tasks at ${rate * 100}%`,
    n: rows,
    runs: 2000,
    truth: rate,
    interval: (random) =>
      groupAverage(
        Array.from({ length: tasks }, () => {
          let right = 0;
          for (let row = 0; row < rows; row += 1) right += random.next() < rate ? 1 : 0;
          return wilson(right, rows);
        }).filter((one) => one !== undefined),
      ),
  });
  groups.push(found);
  expect(found.coverage).toBeGreaterThanOrEqual(0.93);
});

const pooled: Coverage[] = [];
afterAll(() => keepCoverage('pooled-losses', pooled));

test.each([10, 20, 50, 200])('pooled losses of %d texts', (rows) => {
  const found = coverageOf({
    setting: 'loss for a token',
    n: rows,
    runs: 1000,
    truth: 2,
    interval: (random, run) => {
      const sums = new SumTally(run);
      for (let row = 0; row < rows; row += 1) {
        const length = 1 + Math.round(Math.exp(3 + 0.7 * normal(random)));
        sums.add(row, [length * (2 + 0.5 * normal(random)), length]);
      }
      return sums.estimate(([loss = 0, tokens = 0]) => loss / tokens);
    },
  });
  pooled.push(found);
  expectCoverage({ what: `pooled losses of ${rows} texts`, share: found.coverage, runs: 1000 });
});

import { afterAll, expect, test } from 'vitest';
import { holm } from '../../src/stats/holm.ts';
import { mcnemar } from '../../src/stats/mcnemar.ts';
import { mcnemarPairs, mcnemarPower } from '../../src/stats/mcnemar-power.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { pairedMeanPower } from '../../src/stats/paired-mean-power.ts';
import { permutationTest } from '../../src/stats/permutation.ts';
import { varianceComponents } from '../../src/stats/variance-components.ts';
import { assessPairs } from '../../src/study/compare/paired-test.ts';
import { verdictOf } from '../../src/study/compare/verdict.ts';
import {
  countDiscordant,
  type Finding,
  keepFindings,
  keepTable,
  meanOf,
  normal,
  pairedRates,
  percent,
  shareOf,
} from './simulate.ts';

const scale = { metric: 'accuracy', direction: 'higher', isShare: true } as const;

const findings: Finding[] = [];
const advised: string[][] = [];
afterAll(() => {
  keepFindings('tests', findings);
  keepTable({ name: 'power', head: ['differences', 'rows advised', 'found, %'], rows: advised });
});

test('six tasks without any difference: a claim in at most 5 of 100 comparisons', () => {
  const error = shareOf(3000, (random) => {
    const tasks = Array.from({ length: 6 }, () =>
      countDiscordant(pairedRates(random, { rows: 150, shift: 0 })),
    );
    return claims(tasks.map((pairs) => mcnemar(pairs).exact));
  });
  findings.push({ what: 'a claim, six equal tasks, right and wrong', share: error, runs: 3000 });
  expect(error).toBeLessThanOrEqual(0.05);
});

test('six tasks of other scores without any difference', () => {
  const error = shareOf(2000, (random, run) => {
    const values = Array.from({ length: 6 }, () =>
      Array.from({ length: 40 }, () => random.next() ** 2 - random.next() ** 2),
    );
    return claims(values.map((one) => permutationTest(one, { seed: run, resamples: 499 }).p));
  });
  findings.push({ what: 'a claim, six equal tasks, other scores', share: error, runs: 2000 });
  expect(error).toBeLessThanOrEqual(0.05);
});

test('verdicts of whole comparisons: no false claims, and real differences found', () => {
  const verdicts = (shift: number, runs: number) =>
    shareOf(runs, (random) => {
      const result = assessPairs(pairedRates(random, { rows: 120, shift }), 0.95);
      const { type } = verdictOf(result, { p: result?.p ?? 1, level: 0.95, scale });
      return type === 'b-better' || type === 'a-better';
    });
  const [wrong, right] = [verdicts(0, 300), verdicts(0.25, 100)];
  findings.push(
    { what: 'verdicts on 120 rows that do not differ', share: wrong, runs: 300 },
    { what: 'verdicts on 120 rows, 25 points better', share: right, runs: 100 },
  );
  expect(wrong).toBeLessThanOrEqual(0.05);
  expect(right).toBeGreaterThan(0.9);
});

test('power of the exact McNemar test, and the pairs that it asks for', () => {
  const rates = { onlyA: 0.08, onlyB: 0.16 };
  const pairs = mcnemarPairs(rates) ?? 0;
  const found = shareOf(6000, (random) => {
    let onlyA = 0;
    let onlyB = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const draw = random.next();
      if (draw < rates.onlyA) onlyA += 1;
      else if (draw < rates.onlyA + rates.onlyB) onlyB += 1;
    }
    return mcnemar({ onlyA, onlyB }).exact <= 0.05;
  });
  advised.push(['right and wrong, 16% up, 8% down', String(pairs), percent(found)]);
  expect(Math.abs(found - mcnemarPower(rates, { pairs }))).toBeLessThan(0.015);
  expect(found).toBeGreaterThan(0.78);
});

test('power of the paired permutation test is about that of the t test', () => {
  const effect = { difference: 0.4, deviation: 1 };
  const found = shareOf(3000, (random, run) => {
    const values = Array.from({ length: 50 }, () => 0.4 + normal(random));
    return permutationTest(values, { seed: run, resamples: 1999 }).p <= 0.05;
  });
  expect(Math.abs(found - pairedMeanPower(effect, { pairs: 50 }))).toBeLessThan(0.03);
});

type Chances = readonly (readonly [difference: number, chance: number])[];

/** A difference of thirds by a number from 0 to 1: none for what chances leave over. */
function stepsOf(chances: Chances): (share: number) => number {
  return (share) => {
    let left = share;
    for (const [difference, chance] of chances) {
      if (left < chance) return difference;
      left -= chance;
    }
    return 0;
  };
}

const third = 1 / 3;

/** Differences by their place among all, from 0 to 1. */
const kindsOfDifferences: readonly [name: string, differenceAt: (share: number) => number][] = [
  ['all rows differ, normal', (share) => 0.05 + 0.2 * normalQuantile(share)],
  [
    'all rows differ, far outliers',
    (share) => 0.05 + 0.14 * Math.sign(share - 0.5) * -Math.log(1 - Math.abs(2 * share - 1)),
  ],
  [
    'thirds, 40% differ',
    stepsOf([
      ...([
        [third, 0.15],
        [-third, 0.08],
        [2 * third, 0.08],
      ] as const),
      ...([
        [-2 * third, 0.04],
        [1, 0.03],
        [-1, 0.02],
      ] as const),
    ]),
  ],
  [
    'thirds, 14% differ, most up',
    stepsOf([
      [third, 0.12],
      [-third, 0.02],
    ]),
  ],
  [
    'thirds, 7% differ, most up',
    stepsOf([
      [third, 0.06],
      [-third, 0.01],
    ]),
  ],
];

/** Two sides that differ so. */
function sidesOf(differences: Float64Array) {
  return {
    a: differences.map((one) => Math.max(0, -one)),
    b: differences.map((one) => Math.max(0, one)),
  };
}

test.each(kindsOfDifferences)(
  'power of verdicts on other scores with the rows that they ask for: %s',
  (name, differenceAt) => {
    const seen = Float64Array.from({ length: 200 }, (_, row) => differenceAt((row + 0.5) / 200));
    const pairs = assessPairs(sidesOf(seen), 0.95)?.neededPairs ?? 0;
    const found = shareOf(600, (random) => {
      const sides = sidesOf(
        Float64Array.from({ length: pairs }, () => differenceAt(random.next())),
      );
      const result = assessPairs(sides, 0.95);
      return verdictOf(result, { p: result?.p ?? 1, level: 0.95, scale }).type === 'b-better';
    });
    advised.push([name, String(pairs), percent(found)]);
    expect(found).toBeGreaterThan(0.75);
    expect(found).toBeLessThan(0.88);
  },
);

test('variance components come out right on average', () => {
  const factors = [
    { name: 'template', levels: 8 },
    { name: 'row', levels: 30 },
    { name: 'seed', levels: 3 },
  ] as const;
  const truth = { template: 0.25, row: 0.5, seed: 0.1, both: 0.2, residual: 0.3 };
  const draw = (random: Parameters<typeof normal>[0]) => {
    const effects = (count: number, variance: number) =>
      Array.from({ length: count }, () => normal(random) * Math.sqrt(variance));
    const templates = effects(8, truth.template);
    const rows = effects(30, truth.row);
    const seeds = effects(3, truth.seed);
    return templates.flatMap((template) =>
      rows.flatMap((row) => {
        const [both = 0] = effects(1, truth.both);
        return seeds.map(
          (seed) => template + row + seed + both + (effects(1, truth.residual)[0] ?? 0),
        );
      }),
    );
  };
  const means = ([0, 1, 3, 4] as const).map((place) =>
    meanOf(600, (random) => {
      const parts = varianceComponents({
        factors,
        values: draw(random),
        interactions: [['template', 'row']],
      });
      return parts[place]?.variance ?? 0;
    }),
  );
  const wanted = [truth.template, truth.row, truth.both, truth.residual];
  for (const [place, mean] of means.entries()) {
    expect(Math.abs(mean / (wanted[place] ?? 1) - 1)).toBeLessThan(0.05);
  }
});

function claims(values: readonly number[]): boolean {
  return holm(values).some((value) => value <= 0.05);
}

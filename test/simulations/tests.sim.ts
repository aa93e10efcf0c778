import { expect, test } from 'vitest';
import { holm } from '../../src/stats/holm.ts';
import { mcnemar } from '../../src/stats/mcnemar.ts';
import { mcnemarPairs, mcnemarPower } from '../../src/stats/mcnemar-power.ts';
import { pairedMeanPairs, pairedMeanPower } from '../../src/stats/paired-mean-power.ts';
import { permutationTest } from '../../src/stats/permutation.ts';
import { varianceComponents } from '../../src/stats/variance-components.ts';
import { assessPairs } from '../../src/study/compare/paired-test.ts';
import { verdictOf } from '../../src/study/compare/verdict.ts';
import { countDiscordant, meanOf, normal, pairedRates, shareOf } from './simulate.ts';

const scale = { metric: 'accuracy', direction: 'higher', isShare: true } as const;

test('six tasks without any difference: a claim in at most 5 of 100 comparisons', () => {
  const error = shareOf(3000, (random) => {
    const tasks = Array.from({ length: 6 }, () =>
      countDiscordant(pairedRates(random, { rows: 150, shift: 0 })),
    );
    return claims(tasks.map((pairs) => mcnemar(pairs).exact));
  });
  expect(error).toBeLessThanOrEqual(0.05);
});

test('six tasks of other scores without any difference', () => {
  const error = shareOf(2000, (random, run) => {
    const values = Array.from({ length: 6 }, () =>
      Array.from({ length: 40 }, () => random.next() ** 2 - random.next() ** 2),
    );
    return claims(values.map((one) => permutationTest(one, { seed: run, resamples: 499 }).p));
  });
  expect(error).toBeLessThanOrEqual(0.05);
});

test('verdicts of whole comparisons: no false claims, and real differences found', () => {
  const verdicts = (shift: number, runs: number) =>
    shareOf(runs, (random) => {
      const result = assessPairs(pairedRates(random, { rows: 120, shift }), 0.95);
      const { type } = verdictOf(result, { p: result?.p ?? 1, level: 0.95, scale });
      return type === 'b-better' || type === 'a-better';
    });
  expect(verdicts(0, 300)).toBeLessThanOrEqual(0.05);
  expect(verdicts(0.25, 100)).toBeGreaterThan(0.9);
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

test('power of verdicts on other scores, which take the interval as well', () => {
  const deviation = 0.2;
  const pairs = pairedMeanPairs({ difference: 0.05, deviation, room: 2.5 * deviation }) ?? 0;
  const found = shareOf(300, (random) => {
    const a = Float64Array.from({ length: pairs }, () => 0.5 + 0.1 * normal(random));
    const b = a.map((score) => score + 0.05 + deviation * normal(random));
    const result = assessPairs({ a, b }, 0.95);
    return verdictOf(result, { p: result?.p ?? 1, level: 0.95, scale }).type === 'b-better';
  });
  expect(found).toBeGreaterThan(0.75);
});

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

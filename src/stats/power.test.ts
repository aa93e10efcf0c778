import { expect, test } from 'vitest';
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { mcnemarDetectable, mcnemarPairs, mcnemarPower } from './mcnemar-power.ts';
import { meanOfDifferences } from './mean-estimate.ts';
import { pairedMeanDetectable, pairedMeanPairs, pairedMeanPower } from './paired-mean-power.ts';

test.each(scipy.mcnemar_power.cases)(
  'all tables: $onlyA, $onlyB, $pairs pairs',
  ({ pairs, level, value, ...rates }) => {
    expect(mcnemarPower(rates, { pairs, level })).toBeCloseTo(value, 9);
  },
);

test('many pairs are summed in strides, with almost the same result', () => {
  const rates = { onlyA: 0.1, onlyB: 0.11 };
  // Connor's normal approximation (Biometrics 43, 1987).
  const pairs = 17_000;
  const normal = (0.01 * Math.sqrt(pairs) - 1.959964 * Math.sqrt(0.21)) / Math.sqrt(0.2099);
  expect(normal).toBeGreaterThan(0.88);
  expect(mcnemarPower(rates, { pairs })).toBeCloseTo(0.8106, 2);
});

test('the fewest pairs with power, and the smallest difference that has it', () => {
  const rates = { onlyA: 0.05, onlyB: 0.12 };
  const pairs = mcnemarPairs(rates) ?? 0;
  expect(pairs).toBeGreaterThan(270);
  expect(pairs).toBeLessThan(310);
  expect(mcnemarPower(rates, { pairs })).toBeGreaterThanOrEqual(0.8);
  expect(mcnemarPower(rates, { pairs: pairs - 3 })).toBeLessThan(0.8);
  expect(mcnemarPairs(rates, { power: 0.9 })).toBeGreaterThan(pairs);
  expect(mcnemarPairs(rates, { level: 0.99 })).toBeGreaterThan(pairs);
  expect(mcnemarDetectable({ pairs, discordant: 0.17 })).toBeCloseTo(0.07, 3);
});

test('what cannot be found', () => {
  expect(mcnemarPairs({ onlyA: 0.1, onlyB: 0.1 })).toBeUndefined();
  expect(mcnemarPairs({ onlyA: 0, onlyB: 0 })).toBeUndefined();
  expect(mcnemarPairs({ onlyA: 0.1, onlyB: 0.1001 })).toBeUndefined();
  expect(mcnemarDetectable({ pairs: 20, discordant: 0.1 })).toBeUndefined();
  expect(mcnemarDetectable({ pairs: 20, discordant: 0 })).toBeUndefined();
  expect(pairedMeanPairs({ difference: 0, deviation: 1 })).toBeUndefined();
  expect(pairedMeanPairs({ difference: 1e-5, deviation: 1 })).toBeUndefined();
});

test.each([...scipy.paired_mean_power.cases, ...r.paired_mean_power.cases])(
  'paired means: $difference, $deviation, $pairs pairs',
  ({ pairs, level, value, ...effect }) => {
    const digits = pairs < 10 ? 4 : 8;
    expect(pairedMeanPower(effect, { pairs, level })).toBeCloseTo(value, digits);
  },
);

test.each(scipy.paired_mean_pairs.cases)(
  'pairs for a mean difference of $difference',
  ({ level, power, value, ...effect }) => {
    const pairs = pairedMeanPairs(effect, { level, power }) ?? 0;
    expect(pairs).toBe(value);
    const { deviation, difference } = effect;
    const detectable = pairedMeanDetectable({ pairs, deviation }, { level, power }) ?? 0;
    expect(detectable).toBeLessThanOrEqual(difference);
    expect(detectable).toBeGreaterThan(difference * 0.95);
  },
);

test.each([
  ['rare', [0.01, 0.93, 0.06]],
  ['one in seven', [0.02, 0.86, 0.12]],
  ['both ways', [0.06, 0.84, 0.1]],
])('pairs found half of the time: the interval just leaves out 0, %s', (_, rates) => {
  const values = [-1 / 3, 0, 1 / 3];
  const difference = values.reduce((sum, value, place) => sum + value * (rates[place] ?? 0), 0);
  const squares = values.reduce((sum, value, place) => sum + value ** 2 * (rates[place] ?? 0), 0);
  const deviation = Math.sqrt(squares - difference ** 2);
  const effect = { difference, deviation, room: 1 + difference };
  const pairs = pairedMeanPairs(effect, { power: 0.5 }) ?? 0;
  const seen = values.flatMap((value, place) =>
    Array<number>(Math.round(pairs * (rates[place] ?? 0))).fill(value),
  );
  const { low = Number.NaN } = meanOfDifferences(seen) ?? {};
  expect(Math.abs(low / difference)).toBeLessThan(0.03);
});

test.each([
  ['not rates of pairs', () => mcnemarPower({ onlyA: 0.6, onlyB: 0.6 }, { pairs: 10 })],
  ['between 0 and 1', () => mcnemarPairs({ onlyA: 0.1, onlyB: 0.2 }, { power: 1 })],
  ['between 0 and 1', () => mcnemarPower({ onlyA: 0.1, onlyB: 0.2 }, { pairs: 9, level: 1 })],
  ['need no test', () => pairedMeanPower({ difference: 1, deviation: 0 }, { pairs: 9 })],
  ['not a number of pairs', () => pairedMeanPower({ difference: 1, deviation: 1 }, { pairs: 1 })],
])('refused: %s', (message, call) => {
  expect(call).toThrow(message);
});

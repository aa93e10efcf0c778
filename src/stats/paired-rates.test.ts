import fc from 'fast-check';
import { expect, test } from 'vitest';
import published from '../../test/vectors/stats/published.json' with { type: 'json' };
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { keyedRandom } from '../base/keyed-random.ts';
import { rateDifference } from './paired-rates.ts';
import { wilson } from './wilson.ts';

test.each(scipy.rate_difference.cases)(
  'numeric inversion: $onlyA, $onlyB of $pairs',
  ({ level, value, ...counts }) => {
    const found = rateDifference(counts, level);
    expect(found?.low).toBeCloseTo(value[0] ?? 0, 6);
    expect(found?.high).toBeCloseTo(value[1] ?? 0, 6);
  },
);

test.each(published.rate_difference.cases)(
  'published: $onlyA, $onlyB of $pairs',
  ({ level, value, low, high, ...counts }) => {
    const found = rateDifference(counts, level);
    expect(found?.value).toBeCloseTo(value, 4);
    expect(found?.low).toBeCloseTo(low, 4);
    expect(found?.high).toBeCloseTo(high, 4);
    expect(found).toMatchObject({ level: 0.95, method: 'score' });
  },
);

test('without discordant pairs it reaches as far as the rate of a thing never seen', () => {
  const found = rateDifference({ onlyA: 0, onlyB: 0, pairs: 50 });
  expect(found?.high).toBeCloseTo(wilson(0, 50)?.high ?? 0, 9);
  expect(found?.low).toBeCloseTo(-(wilson(0, 50)?.high ?? 0), 9);
});

test('the interval holds the difference, lies within -1 and 1, and turns with the sides', () => {
  const count = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(count, count, count, (onlyA, onlyB, others) => {
      const pairs = onlyA + onlyB + others;
      const found = rateDifference({ onlyA, onlyB, pairs });
      if (!found) {
        expect(pairs).toBe(0);
        return;
      }
      expect(found.low).toBeLessThanOrEqual(found.value);
      expect(found.high).toBeGreaterThanOrEqual(found.value);
      expect(found.low >= -1 && found.high <= 1).toBe(true);
      const turned = rateDifference({ onlyA: onlyB, onlyB: onlyA, pairs });
      expect(turned?.low).toBeCloseTo(-found.high, 9);
      expect(turned?.high).toBeCloseTo(-found.low, 9);
    }),
  );
});

test('it holds the truth about 95 times in 100', () => {
  const rates = { onlyA: 0.08, onlyB: 0.14 };
  const runs = 1500;
  let held = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = keyedRandom(run, 'pairs');
    let onlyA = 0;
    let onlyB = 0;
    for (let pair = 0; pair < 120; pair += 1) {
      const draw = random.next();
      if (draw < rates.onlyA) onlyA += 1;
      else if (draw < rates.onlyA + rates.onlyB) onlyB += 1;
    }
    const { low, high } = rateDifference({ onlyA, onlyB, pairs: 120 }) ?? { low: 1, high: 0 };
    if (low <= 0.06 && 0.06 <= high) held += 1;
  }
  expect(held / runs).toBeGreaterThan(0.93);
  expect(held / runs).toBeLessThan(0.97);
});

test('odd input', () => {
  expect(rateDifference({ onlyA: 0, onlyB: 0, pairs: 0 })).toBeUndefined();
  expect(() => rateDifference({ onlyA: 3, onlyB: 3, pairs: 5 })).toThrow('not discordant pairs');
  expect(() => rateDifference({ onlyA: 1, onlyB: 1, pairs: 5 }, 1)).toThrow('between 0 and 1');
});

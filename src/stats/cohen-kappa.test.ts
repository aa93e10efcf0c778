import { describe, expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { cohenKappa } from './cohen-kappa.ts';
import { hasInterval } from './estimate.ts';

describe('kappa of two raters', () => {
  test('is the agreement beyond chance', () => {
    // Agreement 0.7; by chance 0.6 × 0.5 + 0.4 × 0.5.
    const kappa = cohenKappa({ bothYes: 40, bothNo: 30, onlyFirst: 20, onlySecond: 10 });
    expect(kappa?.value).toBeCloseTo(0.4, 10);
    expect(cohenKappa({ bothYes: 5, bothNo: 5, onlyFirst: 0, onlySecond: 0 })?.value).toBe(1);
    expect(cohenKappa({ bothYes: 25, bothNo: 25, onlyFirst: 25, onlySecond: 25 })?.value).toBe(0);
  });

  // The delta method on the four shares, differentiated numerically in NumPy.
  test.each([
    [[40, 15, 10, 35], 0.95, [0.5, 0.313230573, 0.649532069]],
    [[12, 5, 3, 40], 0.95, [0.659574468, 0.388548606, 0.825560022]],
    [[30, 3, 20, 47], 0.95, [0.54, 0.36718119, 0.676780764]],
    [[9, 1, 14, 6], 0.95, [0.150943396, -0.072466655, 0.359929826]],
    [[9, 1, 14, 6], 0.8, [0.150943396, 0.005182473, undefined]],
  ] as const)('%j at %d', ([bothYes, onlyFirst, onlySecond, bothNo], level, [value, low, high]) => {
    const found = cohenKappa({ bothYes, onlyFirst, onlySecond, bothNo }, level);
    if (!hasInterval(found)) throw new Error('no interval');
    expect(found.value).toBeCloseTo(value, 8);
    expect(found.low).toBeCloseTo(low, 7);
    expect(found.high).toBeCloseTo(high ?? found.high, 7);
  });

  test('is nothing where a rater always said the same', () => {
    expect(cohenKappa({ bothYes: 9, bothNo: 0, onlyFirst: 0, onlySecond: 0 })).toBeUndefined();
    expect(cohenKappa({ bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 })).toBeUndefined();
  });

  test('has no interval with few rows', () => {
    const few = cohenKappa({ bothYes: 4, bothNo: 4, onlyFirst: 1, onlySecond: 1 });
    expect(few?.interval).toBe('too few');
    const oneSided = cohenKappa({ bothYes: 60, bothNo: 1, onlyFirst: 1, onlySecond: 0 });
    expect(oneSided?.interval).toBe('too few');
    // At 1 Fisher's z is infinite.
    const alike = cohenKappa({ bothYes: 30, bothNo: 30, onlyFirst: 0, onlySecond: 0 });
    expect(alike).toEqual({ value: 1, interval: 'too few' });
    const opposite = cohenKappa({ bothYes: 0, bothNo: 0, onlyFirst: 30, onlySecond: 30 });
    expect(opposite).toEqual({ value: -1, interval: 'too few' });
    // 20 rows with 3 of the rarer answer are just enough.
    const enough = cohenKappa({ bothYes: 2, bothNo: 16, onlyFirst: 1, onlySecond: 1 });
    expect(hasInterval(enough)).toBe(true);
    const less = cohenKappa({ bothYes: 2, bothNo: 15, onlyFirst: 1, onlySecond: 1 });
    expect(less?.interval).toBe('too few');
  });

  test.each([
    [100, 0.5, 0.5],
    [60, 0.7, 0.4],
    [200, 0.3, 0.8],
    [40, 0.5, 0.6],
  ])('%i rows, share %f, kappa %f: intervals hold it', (rows, share, truth) => {
    const random = keyedRandom(7, `${rows} ${share} ${truth}`);
    const draws = 1500;
    let held = 0;
    let counted = 0;
    for (let draw = 0; draw < draws; draw++) {
      const counts = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
      for (let row = 0; row < rows; row++) {
        const first = random.next() < share;
        const second = random.next() < truth ? first : random.next() < share;
        if (first) counts[second ? 'bothYes' : 'onlyFirst'] += 1;
        else counts[second ? 'onlySecond' : 'bothNo'] += 1;
      }
      const kappa = cohenKappa(counts);
      if (!hasInterval(kappa)) continue;
      counted += 1;
      if (kappa.low <= truth && truth <= kappa.high) held += 1;
    }
    expect(counted).toBeGreaterThan(draws * 0.9);
    expect(held / counted).toBeGreaterThan(0.93);
    expect(held / counted).toBeLessThan(0.985);
  });
});

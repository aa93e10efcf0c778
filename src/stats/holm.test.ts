import fc from 'fast-check';
import { expect, test } from 'vitest';
import scipy from '../../test/vectors/stats/scipy.json' with { type: 'json' };
import { keyedRandom } from '../base/keyed-random.ts';
import { holm } from './holm.ts';

test.each(scipy.holm.cases)('statsmodels: $values', ({ values, value }) => {
  for (const [index, adjusted] of holm(values).entries()) {
    expect(adjusted).toBeCloseTo(value[index] ?? 0, 12);
  }
});

test('adjusted values are no smaller, keep their order, and follow their test', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
      const adjusted = holm(values);
      for (const [i, value] of values.entries()) {
        expect(adjusted[i]).toBeGreaterThanOrEqual(value);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        for (const [j, other] of values.entries()) {
          if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? 0);
        }
      }
      expect(holm(values.toReversed())).toEqual(adjusted.toReversed());
    }),
  );
});

test('without any difference, some test is significant at most 5 times in 100', () => {
  const runs = 4000;
  let errors = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = keyedRandom(run, 'holm');
    const values = Array.from({ length: 8 }, () => random.next());
    if (holm(values).some((value) => value <= 0.05)) errors += 1;
  }
  expect(errors / runs).toBeLessThan(0.058);
  expect(errors / runs).toBeGreaterThan(0.038);
});

test('odd input', () => {
  expect(holm([])).toEqual([]);
  expect(() => holm([0.5, 1.2])).toThrow('1.2 is not a p value');
  expect(() => holm([Number.NaN])).toThrow('NaN is not a p value');
});

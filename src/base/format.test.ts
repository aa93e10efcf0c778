import { check, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount } from './format.ts';

test('whole numbers are separated as in English', () => {
  const english = new Intl.NumberFormat('en');
  const same = property(
    integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
    integer({ min: 0, max: 52 }),
    (number, bits) => {
      const count = Math.trunc(number / 2 ** bits) + 0;
      return formatCount(count) === english.format(count);
    },
  );
  expect(check(same, { numRuns: 500 }).counterexample).toBeNull();
});

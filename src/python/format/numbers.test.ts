import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompatError } from '../compat-error.ts';
import { ExactMean } from '../exact-mean.ts';
import { parseFloatText, parseIntegerText } from '../parse-number.ts';
import { collapseSpace, stripText } from '../text.ts';
import type { PyValue } from '../values.ts';
import { roundFloat, roundToDecimals, roundToDigits } from './decimal-digits.ts';
import { percentFields } from './format-spec.ts';
import { formatPercentNumber } from './format-value.ts';

const size = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });

test('the digits that tell a float from all others are those that it prints', () => {
  fc.assert(
    fc.property(size, (value) => {
      const { digits, point } = roundToDigits(value, 17);
      expect(Number(`0.${digits}e${point}`)).toBe(value);
    }),
  );
});

test.each([
  [0.5, 0, '0'],
  [1.5, 0, '2'],
  [2.5, 0, '2'],
  [0.125, 2, '0.12'],
  [0.375, 2, '0.38'],
  [1e21, 1, '1000000000000000000000.0'],
])('%d with %d decimals is %s', (value, decimals, expected) => {
  const { digits, point } = roundToDecimals(value, decimals);
  const fraction = digits.slice(point);
  expect(digits.slice(0, point) + (fraction && `.${fraction}`)).toBe(expected);
});

// statistics.mean of CPython 3.11.7
test.each([
  [[0.1, 0.2, 0.3], 0.2],
  [[0.1, 0.1, 0.1], 0.1],
  [[2, 0.5, 0.25, 0.5], 0.8125],
  [[], null],
])('the mean of %j is %d', (values, expected) => {
  const mean = new ExactMean();
  for (const value of values) mean.add(value);
  expect(mean.value).toBe(expected);
});

describe('texts that Python takes for numbers', () => {
  test.each([
    [' 12 ', 12],
    ['+1_000', 1000],
    ['-3', -3],
    ['1__0', undefined],
    ['1.0', undefined],
    ['', undefined],
  ])('int(%j)', (text, expected) => {
    expect(orNothing(() => parseIntegerText(text))).toBe(expected);
  });

  test.each([
    [' .5 ', 0.5],
    ['1_0.2_5', 10.25],
    ['1e-3', 0.001],
    ['5.', 5],
    ['-inf', -Infinity],
    ['NaN', Number.NaN],
    ['.', undefined],
    ['e5', undefined],
    ['0x10', undefined],
    ['', undefined],
  ])('float(%j)', (text, expected) => {
    expect(orNothing(() => parseFloatText(text))).toBe(expected);
  });
});

function orNothing(read: () => number): number | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CompatError && error.pythonType === 'ValueError') return undefined;
    throw error;
  }
}

test('white space is what Python takes for it', () => {
  expect(stripText('\x1c\x85\u3000 a b\ufeff \u2029')).toBe('a b\ufeff');
  expect(collapseSpace('a \t\x1fb\u200bc')).toBe('a b\u200bc');
});

// recorded with Python 3.11
test.each<[string, PyValue, string]>([
  ['%05d', -3, '-0003'],
  ['%-6d', 42, '42    '],
  ['%+.2e', 12345.678, '+1.23e+04'],
  ['%#x', 255, '0xff'],
  ['%d', -2.9, '-2'],
  ['%5.1f', 2.25, '  2.2'],
  ['%g', 1e-5, '1e-05'],
  ['% d', 7, ' 7'],
])('%j %% %j is %j', (template, value, expected) => {
  const texts = [...percentFields(template)].map(({ spec }) => formatPercentNumber(value, spec));
  expect(texts).toEqual([expected]);
});

test.each([
  [2.5, 0, 2],
  [2.675, 2, 2.67],
  [-0.4, 0, -0],
  [1250, -2, 1200],
  [1e300, 5, 1e300],
])('round(%j, %j) is %j', (value, decimals, expected) => {
  expect(roundFloat(value, decimals)).toBe(expected);
});

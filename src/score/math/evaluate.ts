import {
  type Approximate,
  add,
  divide,
  exponential,
  imaginaryUnit,
  isReal,
  isZero,
  logarithm,
  multiply,
  negate,
  real,
} from './approximate.ts';
import { exactValue } from './exact-value.ts';
import type { Expression, Operation } from './expression.ts';
import { type Rational, toNumber } from './rational.ts';
import { realFunctions } from './real-functions.ts';

/** Where an expression is evaluated. */
export interface Point {
  readonly numberFor: (symbol: string) => Rational | undefined;
  /** Whether roots and logarithms of negative numbers have a value. */
  readonly isComplex: boolean;
}

/** About what an expression comes to at a point; nothing where it has no value. */
export function evaluate(expression: Expression, point: Point): Approximate | undefined {
  switch (expression.type) {
    case 'number':
      return real(toNumber(expression.value));
    case 'symbol':
      return evaluateSymbol(expression.name, point);
    case 'operation':
      return evaluateOperation(expression, point);
    default:
      return undefined;
  }
}

function evaluateSymbol(name: string, point: Point): Approximate | undefined {
  switch (name) {
    case '\\pi':
      return real(Math.PI);
    case 'e':
      return real(Math.E);
    case 'i':
      return imaginaryUnit;
    case '\\infty':
      return undefined;
    default: {
      const value = point.numberFor(name);
      return value && real(toNumber(value));
    }
  }
}

function evaluateOperation(expression: Operation, point: Point): Approximate | undefined {
  const values: Approximate[] = [];
  for (const part of expression.parts) {
    const value = evaluate(part, point);
    if (!value) return undefined;
    values.push(value);
  }
  const [left, right] = values;
  if (!left) return undefined;
  const { name } = expression;
  if (name === 'power' && right) return power(expression, [left, right], point);
  if (name === 'root' && right) return root(left, right, point);
  if (name === 'min' || name === 'max') return extreme(name, values);
  return right ? applyTwo(name, [left, right], point) : applyOne(name, left, point);
}

type Pair = readonly [left: Approximate, right: Approximate];

function applyOne(name: string, value: Approximate, point: Point): Approximate | undefined {
  switch (name) {
    case 'negate':
      return negate(value);
    case 'exp':
      return exponential(value);
    case 'ln':
      return naturalLogarithm(value, point);
    case 'log':
    case 'lg': {
      const natural = naturalLogarithm(value, point);
      return natural && multiply(natural, { real: Math.LOG10E, imaginary: 0, error: 0 });
    }
    case 'sqrt':
      return root(value, { real: 2, imaginary: 0, error: 0 }, point);
    default:
      return realFunctions.get(name)?.(value);
  }
}

function applyTwo(name: string, [left, right]: Pair, point: Point): Approximate | undefined {
  switch (name) {
    case 'add':
      return add(left, right);
    case 'multiply':
      return multiply(left, right);
    case 'divide':
      return divide(left, right);
    case 'binomial':
      return binomial(left, right);
    case 'log': {
      const above = naturalLogarithm(left, point);
      const below = naturalLogarithm(right, point);
      return above && below && divide(above, below);
    }
    default:
      return undefined;
  }
}

function naturalLogarithm(value: Approximate, { isComplex }: Point): Approximate | undefined {
  return isComplex || (isReal(value) && value.real > 0) ? logarithm(value) : undefined;
}

function extreme(name: 'min' | 'max', values: readonly Approximate[]): Approximate | undefined {
  if (!values.every(isReal)) return undefined;
  const error = Math.max(...values.map((value) => value.error));
  return real(Math[name](...values.map((value) => value.real)), error);
}

function power(
  { parts }: Operation,
  [base, exponent]: Pair,
  point: Point,
): Approximate | undefined {
  const exact = parts[1] && exactValue(parts[1]);
  if (exact && exact.bottom === 1n) return wholePower(base, toNumber(exact));
  if (isReal(exponent) && Number.isInteger(exponent.real) && exponent.error < 1e-9) {
    return wholePower(base, exponent.real);
  }
  const isNegative = isReal(base) && base.real < 0;
  if (exact && exact.bottom % 2n === 1n && isNegative && !point.isComplex) {
    const positive = generalPower(negate(base), exponent);
    return positive && exact.top % 2n !== 0n ? negate(positive) : positive;
  }
  return isNegative && !point.isComplex ? undefined : generalPower(base, exponent);
}

function generalPower(base: Approximate, exponent: Approximate): Approximate | undefined {
  if (isZero(base)) return isReal(exponent) && exponent.real > 0 ? real(0, base.error) : undefined;
  const natural = logarithm(base);
  const product = natural && multiply(natural, exponent);
  return product && exponential(product);
}

function wholePower(base: Approximate, exponent: number): Approximate | undefined {
  if (exponent < 0) {
    const inverse = divide({ real: 1, imaginary: 0, error: 0 }, base);
    return inverse && wholePower(inverse, -exponent);
  }
  if (exponent > 1e6) return generalPower(base, { real: exponent, imaginary: 0, error: 0 });
  if (exponent === 0) return isZero(base) ? undefined : real(1);
  let result = real(1);
  let factor: Approximate | undefined = base;
  for (let rest = exponent; rest > 0 && factor; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result && multiply(result, factor);
    if (rest > 1) factor = multiply(factor, factor);
  }
  return factor && result;
}

/** The product of as many falling factors as are chosen, over the factorial of their number. */
function binomial(of: Approximate, choose: Approximate): Approximate | undefined {
  const count = Math.round(choose.real);
  if (!isReal(choose) || Math.abs(choose.real - count) > 1e-9 || count < 0 || count > 200) {
    return undefined;
  }
  let result = real(1);
  for (let index = 0; index < count; index += 1) {
    const factor = add(of, { real: -index, imaginary: 0, error: 0 });
    const product = result && factor && multiply(result, factor);
    result = product && divide(product, { real: index + 1, imaginary: 0, error: 0 });
  }
  return result;
}

function root(
  value: Approximate,
  degree: Approximate,
  { isComplex }: Point,
): Approximate | undefined {
  const count = Math.round(degree.real);
  if (!isReal(degree) || Math.abs(degree.real - count) > 1e-9 || count < 1) return undefined;
  // Zero but for rounding: how far off it is grows as the root does.
  if (isZero(value)) return real(0, value.error ** (1 / count));
  const inverse = { real: 1 / count, imaginary: 0, error: Number.EPSILON };
  const isNegative = isReal(value) && value.real < 0;
  if (!isNegative || isComplex) return generalPower(value, inverse);
  const positive = count % 2 === 1 ? generalPower(negate(value), inverse) : undefined;
  return positive && negate(positive);
}

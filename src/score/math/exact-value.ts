import type { Expression, Operation } from './expression.ts';
import {
  absolute,
  add,
  divide,
  exactRoot,
  multiply,
  type Rational,
  raise,
  rational,
} from './rational.ts';

/**
 * The value of an expression, if it is a fraction of whole numbers that can be worked out;
 * `numberFor` says what its symbols stand for.
 */
export function exactValue(
  expression: Expression,
  numberFor: (symbol: string) => Rational | undefined = () => undefined,
): Rational | undefined {
  if (expression.type === 'number') return expression.value;
  if (expression.type === 'symbol') return numberFor(expression.name);
  if (expression.type !== 'operation') return undefined;
  const values: Rational[] = [];
  for (const part of expression.parts) {
    const value = exactValue(part, numberFor);
    if (!value) return undefined;
    values.push(value);
  }
  return apply(expression.name, values);
}

function apply(name: Operation['name'], values: readonly Rational[]): Rational | undefined {
  const [left, right] = values;
  if (!left) return undefined;
  switch (name) {
    case 'negate':
      return rational(-left.top, left.bottom);
    case 'percent':
      return rational(left.top, left.bottom * 100n);
    case 'abs':
      return rational(absolute(left.top), left.bottom);
    case 'floor':
      return floor(left);
    case 'ceil': {
      const below = floor({ top: -left.top, bottom: left.bottom });
      return below && rational(-below.top);
    }
    case 'sqrt':
      return exactRoot(left, 2n);
    case 'factorial':
      return left.bottom === 1n && left.top >= 0n && left.top <= 500n
        ? product(1n, left.top)
        : undefined;
    default:
      return right && applyTwo(name, left, right);
  }
}

function applyTwo(name: string, left: Rational, right: Rational): Rational | undefined {
  const areWhole = left.bottom === 1n && right.bottom === 1n;
  switch (name) {
    case 'add':
      return add(left, right);
    case 'multiply':
      return multiply(left, right);
    case 'divide':
      return divide(left, right);
    case 'root':
      return right.bottom === 1n ? exactRoot(left, right.top) : undefined;
    case 'power': {
      const base = exactRoot(left, right.bottom);
      return base && raise(base, right.top);
    }
    case 'binomial':
      return areWhole ? binomial(left.top, right.top) : undefined;
    default:
      return undefined;
  }
}

function floor({ top, bottom }: Rational): Rational | undefined {
  const whole = top / bottom;
  return rational(top < 0n && whole * bottom !== top ? whole - 1n : whole);
}

function product(from: bigint, to: bigint): Rational | undefined {
  let result = 1n;
  for (let factor = from; factor <= to; factor += 1n) result *= factor;
  return rational(result);
}

function binomial(of: bigint, choose: bigint): Rational | undefined {
  if (choose < 0n || of < choose || of > 1000n) return undefined;
  const above = product(of - choose + 1n, of);
  const below = product(1n, choose);
  return above && below && divide(above, below);
}

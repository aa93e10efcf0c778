import { keyedRandom } from '../../base/keyed-random.ts';
import { type Approximate, isReal } from './approximate.ts';
import { evaluate, type Point } from './evaluate.ts';
import { exactValue } from './exact-value.ts';
import { type Expression, namesIn, rewrite } from './expression.ts';
import { equals, type Rational, rational, toNumber } from './rational.ts';

export interface NumberTolerance {
  readonly tolerance: number;
  readonly relativeTolerance: number;
}

const unitSigns = ['percent', 'degree'];
const constants = new Set(['e', 'i', '\\pi', '\\infty']);

/**
 * Whether two expressions have the same value: exactly, where both are fractions, else wherever
 * both have one of some points. `50%` and `0.5` are the same, and so are `50%` and `50`: where one
 * side alone has the sign, it may be a unit.
 */
export function sameValue(got: Expression, want: Expression, limits: NumberTolerance): boolean {
  if (agree(got, want, limits)) return true;
  if (hasUnitSign(got) === hasUnitSign(want)) return false;
  return agree(withoutUnitSigns(got), withoutUnitSigns(want), limits);
}

function hasUnitSign(expression: Expression): boolean {
  const { operations } = namesIn(expression);
  return unitSigns.some((name) => operations.has(name));
}

function withoutUnitSigns(expression: Expression): Expression {
  return rewrite(expression, (part) =>
    part.type === 'operation' && unitSigns.includes(part.name) ? (part.parts[0] ?? part) : part,
  );
}

function agree(got: Expression, want: Expression, limits: NumberTolerance): boolean {
  const infinity = infinitySign(got);
  if (infinity !== 0 || infinitySign(want) !== 0) return infinity === infinitySign(want);
  return agreeAtPoints(got, want, {
    exactly: (left, right) =>
      equals(left, right) || isWithin(toNumber(left), toNumber(right), limits),
    nearly: (left, right) => isSame(left, right, limits),
  });
}

function infinitySign(expression: Expression): -1 | 0 | 1 {
  if (expression.type === 'symbol') return expression.name === '\\infty' ? 1 : 0;
  if (expression.type !== 'operation' || expression.name !== 'negate') return 0;
  const [part] = expression.parts;
  return part?.type === 'symbol' && part.name === '\\infty' ? -1 : 0;
}

function isSame(left: Approximate, right: Approximate, limits: NumberTolerance): boolean {
  if (isReal(left) && isReal(right) && isWithin(left.real, right.real, limits)) return true;
  const distance = Math.hypot(left.real - right.real, left.imaginary - right.imaginary);
  return distance <= 16 * (left.error + right.error);
}

function isWithin(got: number, want: number, limits: NumberTolerance): boolean {
  const allowed = Math.max(limits.tolerance, limits.relativeTolerance * Math.abs(want));
  // Reading decimals rounds them: that must not decide.
  return allowed > 0 && Math.abs(got - want) <= allowed * (1 + 1e-9);
}

/** How two values are compared: as fractions where both are, else as far as they are known. */
export interface ValueTest {
  readonly exactly?: (got: Rational, want: Rational) => boolean;
  readonly nearly: (got: Approximate, want: Approximate) => boolean;
}

/** Whether two expressions pass a test wherever both have a clear value. */
export function agreeAtPoints(got: Expression, want: Expression, test: ValueTest): boolean {
  const names = [namesIn(got).symbols, namesIn(want).symbols];
  const isComplex = names.some((symbols) => symbols.has('i'));
  const hasSymbols = names.some((symbols) => [...symbols].some((name) => !constants.has(name)));
  let agreed = 0;
  for (const numberFor of hasSymbols ? points : points.slice(0, 1)) {
    const passes = testAt(got, want, { ...test, numberFor, isComplex });
    if (passes === false) return false;
    if (passes) agreed += 1;
  }
  return agreed >= (hasSymbols ? 2 : 1);
}

/** Whether the test is passed at a point; nothing where it cannot be said. */
function testAt(
  got: Expression,
  want: Expression,
  { exactly, nearly, ...point }: ValueTest & Point,
): boolean | undefined {
  const exactGot = exactly && exactValue(got, point.numberFor);
  const exactWant = exactGot && exactValue(want, point.numberFor);
  if (exactGot && exactWant) return exactly(exactGot, exactWant);
  const left = evaluate(got, point);
  const right = left && evaluate(want, point);
  if (!left || !right || !isClear(left) || !isClear(right)) return undefined;
  return nearly(left, right);
}

function isClear({ real, imaginary, error }: Approximate): boolean {
  return error <= 1e-6 || error <= 1e-9 * Math.hypot(real, imaginary);
}

/** Above zero, whole numbers, and of either sign: some expressions have values for some of them. */
const points: readonly Point['numberFor'][] = [
  ...[0, 1, 2, 3].map((seed) => pointOf(seed, (draw) => rational(BigInt(draw + 1), 13n))),
  ...[4, 5, 6].map((seed) => pointOf(seed, (draw) => rational(BigInt((draw % 9) + 1)))),
  ...[7, 8, 9].map((seed) => pointOf(seed, (draw) => rational(BigInt(2 * draw - 39), 17n))),
];

function pointOf(
  seed: number,
  numberOf: (draw: number) => Rational | undefined,
): Point['numberFor'] {
  return (symbol) =>
    constants.has(symbol) ? undefined : numberOf(keyedRandom(seed, symbol).below(40));
}

import { keyedRandom } from '../../random/index.ts';
import { type Approximate, isReal } from './approximate.ts';
import { evaluate, type Point } from './evaluate.ts';
import { exactValue } from './exact-value.ts';
import { type Expression, namesIn, rewrite } from './expression.ts';
import { equals, toNumber } from './rational.ts';

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
  const left = exactValue(got);
  const right = exactValue(want);
  if (left && right) {
    return equals(left, right) || isWithin(toNumber(left), toNumber(right), limits);
  }
  return agreeAtPoints(got, want, (one, other) => isSame(one, other, limits));
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

/** Whether two expressions of the same symbols pass a test wherever both have a clear value. */
export function agreeAtPoints(
  got: Expression,
  want: Expression,
  test: (got: Approximate, want: Approximate) => boolean,
): boolean {
  const names = [namesIn(got).symbols, namesIn(want).symbols];
  const isComplex = names.some((symbols) => symbols.has('i'));
  const hasSymbols = names.some((symbols) => [...symbols].some((name) => !constants.has(name)));
  let agreed = 0;
  for (const point of hasSymbols ? points : points.slice(0, 1)) {
    const left = evaluate(got, { ...point, isComplex });
    const right = evaluate(want, { ...point, isComplex });
    if (!left || !right || !isClear(left) || !isClear(right)) continue;
    if (!test(left, right)) return false;
    agreed += 1;
  }
  return agreed >= (hasSymbols ? 2 : 1);
}

function isClear({ real, imaginary, error }: Approximate): boolean {
  return error <= 1e-6 || error <= 1e-9 * Math.hypot(real, imaginary);
}

/** Above zero, whole numbers, and of either sign: some expressions have values for some of them. */
const points: readonly Omit<Point, 'isComplex'>[] = [
  ...[0, 1, 2, 3].map((seed) => pointOf((name) => 0.2 + 3 * keyedRandom(seed, name).next())),
  ...[4, 5, 6].map((seed) => pointOf((name) => 1 + keyedRandom(seed, name).below(9))),
  ...[7, 8, 9].map((seed) => pointOf((name) => 5 * keyedRandom(seed, name).next() - 3)),
];

function pointOf(numberFor: (symbol: string) => number): Omit<Point, 'isComplex'> {
  return { numberFor };
}

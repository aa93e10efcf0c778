import { type Approximate, applyReal, divide, isReal, real, size } from './approximate.ts';

type RealFunction = (value: Approximate) => Approximate | undefined;

function smooth(compute: (value: number) => number, slope: (value: number) => number) {
  return (value: Approximate) => applyReal(value, compute, slope);
}

const one: Approximate = { real: 1, imaginary: 0, error: 0 };
const sine = smooth(Math.sin, Math.cos);
const cosine = smooth(Math.cos, Math.sin);
const sineOverCosine = quotient(sine, cosine);

function quotient(above: RealFunction, below: RealFunction): RealFunction {
  return (value) => {
    const left = above(value);
    const right = below(value);
    return left && right && divide(left, right);
  };
}

const acrossCircle = (value: number) => 1 / Math.sqrt(Math.max(1 - value ** 2, 1e-9));
const acrossLine = (value: number) => 1 / (1 + value ** 2);

/** Functions that are taken of real numbers only, by name. */
export const realFunctions: ReadonlyMap<string, RealFunction> = new Map([
  ['sin', sine],
  ['cos', cosine],
  ['tan', sineOverCosine],
  ['cot', quotient(cosine, sine)],
  ['sec', quotient(() => one, cosine)],
  ['csc', quotient(() => one, sine)],
  ['sinh', smooth(Math.sinh, Math.cosh)],
  ['cosh', smooth(Math.cosh, Math.sinh)],
  ['tanh', smooth(Math.tanh, (value) => 1 - Math.tanh(value) ** 2)],
  ['arcsin', smooth(Math.asin, acrossCircle)],
  ['arccos', smooth(Math.acos, acrossCircle)],
  ['arctan', smooth(Math.atan, acrossLine)],
  ['arccot', smooth((value) => Math.PI / 2 - Math.atan(value), acrossLine)],
  ['abs', (value) => real(size(value), value.error)],
  ['floor', (value) => rounded(value, Math.floor)],
  ['ceil', (value) => rounded(value, Math.ceil)],
  ['factorial', factorial],
  [
    'percent',
    smooth(
      (value) => value / 100,
      () => 0.01,
    ),
  ],
  [
    'degree',
    smooth(
      (value) => (value * Math.PI) / 180,
      () => Math.PI / 180,
    ),
  ],
]);

/** Nothing right beside a whole number, where rounding would decide. */
function rounded(value: Approximate, round: (value: number) => number): Approximate | undefined {
  if (!isReal(value)) return undefined;
  const nearest = Math.round(value.real);
  if (value.real !== nearest && Math.abs(value.real - nearest) <= 4 * value.error) return undefined;
  return real(round(value.real));
}

function factorial(value: Approximate): Approximate | undefined {
  const count = Math.round(value.real);
  if (!isReal(value) || Math.abs(value.real - count) > 1e-9 || count < 0 || count > 170) {
    return undefined;
  }
  let product = 1;
  for (let factor = 2; factor <= count; factor += 1) product *= factor;
  return real(product, product * count * Number.EPSILON);
}

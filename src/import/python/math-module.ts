import { numberOf, type PyValue, typeName } from '../../python/values.ts';
import { binary, isFloat, toFloat, toInteger } from './arithmetic.ts';
import { raise } from './machine.ts';
import { PyModule } from './objects.ts';
import { toIndex, toList } from './operations.ts';
import { builtin, functionsOf } from './signature.ts';

function numberArgument(value: PyValue | undefined): number {
  const number = numberOf(value ?? null);
  return number === undefined
    ? raise('TypeError', `must be real number, not ${typeName(value ?? null)}`)
    : Number(number);
}

const real = (name: string, of: (x: number) => number) =>
  builtin(name, ['x'], (value) => {
    const input = numberArgument(value);
    const result = of(input);
    if (Number.isNaN(result) && !Number.isNaN(input)) raise('ValueError', 'math domain error');
    if (!Number.isFinite(result) && Number.isFinite(input)) {
      return name.startsWith('log')
        ? raise('ValueError', 'math domain error')
        : raise('OverflowError', 'math range error');
    }
    return toFloat(result);
  });

const whole = (name: string, of: (x: number) => number) =>
  builtin(name, ['x'], (value) => {
    if (!isFloat(value ?? null))
      return typeof value === 'boolean' ? Number(value) : (value ?? null);
    return toInteger(BigInt(of(numberArgument(value))));
  });

const test = (name: string, of: (x: number) => boolean) =>
  builtin(name, ['x'], (value) => of(numberArgument(value)));

function logarithm(value: PyValue | undefined, base: PyValue | undefined): PyValue {
  const x = numberArgument(value);
  if (x <= 0) raise('ValueError', 'math domain error');
  return toFloat(base === undefined ? Math.log(x) : Math.log(x) / Math.log(numberArgument(base)));
}

/** Python's `math`. */
export const mathModule = new PyModule(
  'math',
  new Map<string, PyValue>([
    ...functionsOf(
      ...(
        [
          'sqrt',
          'exp',
          'log2',
          'log10',
          'log1p',
          'expm1',
          'sin',
          'cos',
          'tan',
          'tanh',
          'atan',
          'asin',
          'acos',
        ] as const
      ).map((name) => real(name, Math[name])),
      real('fabs', Math.abs),
      whole('floor', Math.floor),
      whole('ceil', Math.ceil),
      whole('trunc', Math.trunc),
      test('isnan', Number.isNaN),
      test('isinf', (x) => Math.abs(x) === Infinity),
      test('isfinite', Number.isFinite),
      builtin('log', ['x', 'base?'], logarithm),
      builtin('pow', ['x', 'y'], (x, y) => toFloat(numberArgument(x) ** numberArgument(y))),
      builtin('gcd', ['a', 'b'], (a, b) => {
        let [left, right] = [Math.abs(toIndex(a ?? null)), Math.abs(toIndex(b ?? null))];
        while (right !== 0) [left, right] = [right, left % right];
        return left;
      }),
      builtin('prod', ['iterable'], (items) =>
        toList(items ?? null).reduce((all, item) => binary('Mult', all, item), 1),
      ),
      builtin('fsum', ['iterable'], (items) =>
        toFloat(toList(items ?? null).reduce<number>((all, item) => all + numberArgument(item), 0)),
      ),
    ),
    ['pi', Math.PI],
    ['e', Math.E],
    ['tau', 2 * Math.PI],
    ['inf', Infinity],
    ['nan', Number.NaN],
  ]),
);

import { fail } from '../../python/compat-error.ts';
import { strftime } from '../../python/strftime.ts';
import { spendItems } from './budget.ts';
import { Refusal } from './failure.ts';
import { classes, type Value } from './library.ts';
import { tupleFunction } from './syntax.ts';
import {
  asString,
  makeFunction,
  optionalInteger,
  Sequence,
  takes,
  toText,
  toValue,
  tuple,
} from './values.ts';

const range = takes(['start', 'stop?', 'step?'], (_, values) => {
  const [first = 0, second, step = 1] = values.map(optionalInteger);
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) fail('ValueError', 'range needs a step that is not zero');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  spendItems(length);
  return new Sequence(
    'range',
    Array.from({ length }, (_unused, index) => toValue(start + index * step)),
  );
});

const none = toValue(null);

/** The functions that every chat template can call. `namespace` is the library's own. */
export function makeGlobals(now: Date): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ...[true, false].map((value): [string, Value] => [String(value), toValue(value)]),
    ['True', toValue(true)],
    ['False', toValue(false)],
    ['none', none],
    ['None', none],
    ['range', makeFunction((args) => range(none, args))],
    ['dict', makeFunction(({ named }) => new classes.Dict(new Map(named)))],
    [tupleFunction, makeFunction(({ positional }) => tuple(positional))],
    [
      'raise_exception',
      makeFunction(({ positional: [message = none] }) => {
        throw new Refusal(toText(message).value);
      }),
    ],
    ['strftime_now', makeFunction(({ positional: [format] }) => strftime(now, asString(format)))],
  ]);
}

export const functionNames: ReadonlySet<string> = new Set([
  'namespace',
  'caller',
  ...makeGlobals(new Date(0)).keys(),
]);

import { roundFloat } from '../../python/format/decimal-digits.ts';
import { pyRepr } from '../../python/repr.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  isTruthy,
  numberOf,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { binary, isFloat, toFloat, toInteger } from './arithmetic.ts';
import { getAttribute } from './attributes.ts';
import { builtinClasses, isCallable, isInstance } from './classes.ts';
import { format, toRepr } from './formatting.ts';
import { asRaised, machine, raise, spendSteps } from './machine.ts';
import {
  type Arguments,
  ellipsis,
  notImplemented,
  PyBuiltin,
  PyClass,
  PyFile,
  PyIterator,
} from './objects.ts';
import { compare, iterate, lengthOf, toIndex, toList } from './operations.ts';
import { bind, builtin, variadic } from './signature.ts';
import { callValue, sortItems } from './sort-items.ts';

/** Functions that need the place they are called from; the compiler knows them. */
export const frameFunctions = {
  locals: new PyBuiltin('locals', () => raise('RuntimeError', 'locals() was called indirectly')),
  globals: new PyBuiltin('globals', () => raise('RuntimeError', 'globals() was called indirectly')),
  eval: new PyBuiltin('eval', () => raise('RuntimeError', 'eval() was called indirectly')),
};

const refused = [
  'exec',
  'compile',
  '__import__',
  'input',
  'breakpoint',
  'vars',
  'dir',
  'id',
  'hash',
  'memoryview',
  'setattr',
  'delattr',
  'super',
  'property',
  'staticmethod',
  'classmethod',
  'exit',
  'quit',
  'help',
];

function extreme(name: 'max' | 'min', { positional, named }: Arguments): PyValue {
  const items = positional.length === 1 ? toList(positional[0] ?? null) : [...positional];
  const key = named.get('key');
  const sign = name === 'max' ? 1 : -1;
  let best: { item: PyValue; by: PyValue } | undefined;
  for (const item of items) {
    spendSteps(1);
    const by = key === undefined || key === null ? item : callValue(key, item);
    if (!best || sign * compare(by, best.by) > 0) best = { item, by };
  }
  if (best) return best.item;
  return (
    named.get('default') ??
    (named.has('default') ? null : raise('ValueError', `${name}() arg is an empty sequence`))
  );
}

function sum(items: PyValue, start: PyValue): PyValue {
  if (isText(start)) raise('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  let total: PyValue = start;
  const source = iterate(items);
  for (let next = source.next(); !next.done; next = source.next()) {
    spendSteps(1);
    total = binary('Add', total, next.value);
  }
  return total;
}

function round(value: PyValue, digits: PyValue | undefined): PyValue {
  const number = numberOf(value);
  if (number === undefined)
    return raise('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  const places = digits === undefined || digits === null ? undefined : toIndex(digits);
  if (isFloat(value)) {
    if (places !== undefined) return toFloat(roundFloat(Number(number), places));
    if (!Number.isFinite(Number(number)))
      raise('OverflowError', 'cannot convert float infinity to integer');
    return toInteger(BigInt(roundFloat(Number(number), 0)));
  }
  if (places === undefined || places >= 0)
    return typeof value === 'boolean' ? Number(value) : (number as PyValue);
  const unit = 10n ** BigInt(Math.min(-places, 400));
  const whole = BigInt(number);
  const rest = ((whole % unit) + unit) % unit;
  const floor = whole - rest;
  const isUp = rest * 2n > unit || (rest * 2n === unit && (floor / unit) % 2n !== 0n);
  return toInteger(isUp ? floor + unit : floor);
}

function next(value: PyValue, fallback: PyValue | undefined): PyValue {
  if (!(value instanceof PyIterator))
    return raise('TypeError', `'${typeName(value)}' object is not an iterator`);
  const item = value.source.next();
  if (!item.done) return item.value;
  return fallback === undefined ? raise('StopIteration', '') : fallback;
}

function inBase(base: 2 | 8 | 16, prefix: string) {
  return (value: PyValue | undefined): PyValue => {
    const number = BigInt(toIndex(value ?? null));
    return `${number < 0n ? '-' : ''}${prefix}${(number < 0n ? -number : number).toString(base)}`;
  };
}

function open(args: Arguments): PyValue {
  const [path, mode = 'r'] = bind(
    'open()',
    ['file', 'mode?', 'buffering?', 'encoding?', 'errors?', 'newline?'],
    args,
  );
  if (path === undefined || !isText(path)) return raise('TypeError', 'open() needs a path');
  if (!isText(mode) || !/^r?t?$/.test(plainText(mode))) {
    return raise(
      'PermissionError',
      `files can only be read as text in a config, not opened with mode ${pyRepr(mode)}`,
    );
  }
  return new PyFile(machine.host.readText(plainText(path)).replace(/\r\n?/g, '\n'));
}

function hasAttribute(value: PyValue, name: PyValue): boolean {
  try {
    getAttribute(value, plainText(name as string));
    return true;
  } catch (error) {
    if (asRaised(error)?.type === 'AttributeError') return false;
    throw error;
  }
}

function divmod(left: PyValue, right: PyValue): PyValue {
  return new PyTuple([binary('FloorDiv', left, right), binary('Mod', left, right)]);
}

function power(base: PyValue, exponent: PyValue, modulus: PyValue | undefined): PyValue {
  if (modulus === undefined || modulus === null) return binary('Pow', base, exponent);
  const over = BigInt(toIndex(modulus));
  if (over === 0n) raise('ValueError', 'pow() 3rd argument cannot be 0');
  let [result, factor, left] = [1n, BigInt(toIndex(base)) % over, BigInt(toIndex(exponent))];
  for (; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % over;
    factor = (factor * factor) % over;
  }
  return toInteger(((result % over) + over) % over);
}

function some(name: 'any' | 'all'): PyBuiltin {
  return builtin(name, ['iterable'], (items) => {
    const source = iterate(items ?? null);
    for (let item = source.next(); !item.done; item = source.next()) {
      spendSteps(1);
      if (isTruthy(item.value) === (name === 'any')) return name === 'any';
    }
    return name === 'all';
  });
}

const functions: readonly PyBuiltin[] = [
  ...Object.values(frameFunctions),
  ...refused.map((name) =>
    variadic(name, () =>
      raise('PermissionError', `${name}() is not available: configs are read, not run`),
    ),
  ),
  builtin('abs', ['x'], (value) => {
    const number = numberOf(value ?? null);
    if (number === undefined)
      return raise('TypeError', `bad operand type for abs(): '${typeName(value ?? null)}'`);
    const size = number < 0 ? -number : number;
    return isFloat(value ?? null) ? toFloat(Math.abs(Number(number))) : size;
  }),
  some('all'),
  some('any'),
  builtin('ascii', ['object'], (value) => toRepr(value ?? null)),
  builtin('bin', ['number'], inBase(2, '0b')),
  builtin('callable', ['object'], (value) => isCallable(value ?? null)),
  builtin('chr', ['i'], (value) => {
    const code = toIndex(value ?? null);
    if (code < 0 || code > 0x10ffff) raise('ValueError', 'chr() arg not in range(0x110000)');
    return String.fromCodePoint(code);
  }),
  builtin('divmod', ['x', 'y'], (left, right) => divmod(left ?? null, right ?? null)),
  builtin('format', ['value', 'format_spec?'], (value, spec) =>
    format(value ?? null, spec === undefined ? '' : plainText(spec as string)),
  ),
  builtin('getattr', ['object', 'name', 'default?'], (value, name, fallback) => {
    if (name === undefined || !isText(name))
      return raise('TypeError', 'attribute name must be string');
    if (fallback !== undefined && !hasAttribute(value ?? null, name)) return fallback;
    return getAttribute(value ?? null, plainText(name));
  }),
  builtin('hasattr', ['object', 'name'], (value, name) => hasAttribute(value ?? null, name ?? '')),
  builtin('hex', ['number'], inBase(16, '0x')),
  builtin('isinstance', ['object', 'classinfo'], (value, wanted) =>
    isInstance(value ?? null, wanted ?? null),
  ),
  builtin('issubclass', ['class', 'classinfo'], (value, wanted) => {
    return value instanceof PyClass && wanted instanceof PyClass && value.isUnder(wanted);
  }),
  builtin('iter', ['object'], (items) =>
    items instanceof PyIterator ? items : new PyIterator('iterator', iterate(items ?? null)),
  ),
  builtin('len', ['obj'], (value) => lengthOf(value ?? null)),
  variadic('max', (args) => extreme('max', args)),
  variadic('min', (args) => extreme('min', args)),
  builtin('next', ['iterator', 'default?'], (value, fallback) => next(value ?? null, fallback)),
  builtin('oct', ['number'], inBase(8, '0o')),
  variadic('open', open),
  builtin('ord', ['c'], (value) => {
    const [character, more] = value !== undefined && isText(value) ? [...plainText(value)] : [];
    if (character === undefined || more !== undefined)
      return raise('TypeError', 'ord() expected a character');
    return character.codePointAt(0) ?? 0;
  }),
  builtin('pow', ['base', 'exp', 'mod?'], (base, exponent, modulus) =>
    power(base ?? null, exponent ?? null, modulus),
  ),
  variadic('print', () => null),
  builtin('repr', ['object'], (value) => toRepr(value ?? null)),
  builtin('round', ['number', 'ndigits?'], (value, digits) => round(value ?? null, digits)),
  builtin('sorted', ['iterable', 'key?', 'reverse?'], (items, key, reverse) =>
    sortItems(items ?? null, { key, reverse }),
  ),
  builtin('sum', ['iterable', 'start?'], (items, start) => sum(items ?? null, start ?? 0)),
];

/** All names that every config knows. */
export const builtins: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ...builtinClasses,
  ...functions.map((made) => [made.name, made] as const),
  ['Ellipsis', ellipsis],
  ['NotImplemented', notImplemented],
  ['__debug__', true],
  ['__name__', 'builtins'],
]);

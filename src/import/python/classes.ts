import { parseFloatText } from '../../python/parse-number.ts';
import { pyRepr } from '../../python/repr.ts';
import { stripText } from '../../python/text.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  isTruthy,
  MutableDict,
  numberOf,
  PyDict,
  PyObject,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { toFloat, toInteger } from './arithmetic.ts';
import { toRepr, toText } from './formatting.ts';
import { PyException, raise, spendItems, spendSteps } from './machine.ts';
import { makeDict, unboundMethod } from './methods.ts';
import {
  type Arguments,
  PyBytes,
  PyCallable,
  PyClass,
  PyIterator,
  PyRange,
  PyReference,
  PySet,
} from './objects.ts';
import { iterate, toIndex, toList } from './operations.ts';
import { bind, builtin } from './signature.ts';
import { callValue } from './sort-items.ts';

const known = new Map<string, PyClass>();

function define(
  name: string,
  make: (args: Arguments) => PyValue,
  options: {
    readonly bases?: readonly PyClass[];
    readonly attributes?: ReadonlyMap<string, PyValue>;
    readonly module?: string;
  } = {},
): PyClass {
  const made = new PyClass(name, make, options);
  known.set(name, made);
  return made;
}

export const objectClass = define('object', () => new PyObject('object', () => '<object>'));
const bases = [objectClass];

const methodsOf = (type: string, ...names: string[]) =>
  new Map<string, PyValue>(names.map((name) => [name, unboundMethod(type, name)]));

export const typeClass = define(
  'type',
  (args) => classOf(bind('type()', ['object'], args)[0] ?? null),
  {
    bases,
  },
);

const intClass = define('int', makeInteger, { bases });
define('bool', (args) => isTruthy(bind('bool()', ['x?'], args)[0] ?? false), { bases: [intClass] });
define('float', makeFloat, { bases });
define(
  'str',
  (args) => {
    const [value] = bind('str()', ['object?', 'encoding?', 'errors?'], args);
    return value === undefined ? '' : toText(value);
  },
  {
    bases,
    attributes: methodsOf(
      'str',
      'join',
      'lower',
      'upper',
      'strip',
      'split',
      'format',
      'replace',
      'title',
      'capitalize',
      'startswith',
      'endswith',
      'lstrip',
      'rstrip',
      'isdigit',
    ),
  },
);
define(
  'bytes',
  (args) => {
    const [value] = bind('bytes()', ['source?', 'encoding?'], args);
    if (value === undefined) return new PyBytes('');
    if (value instanceof PyBytes) return value;
    if (isText(value)) return new PyBytes(Buffer.from(plainText(value)).toString('latin1'));
    return new PyBytes(
      toList(value)
        .map((code) => String.fromCharCode(toIndex(code) & 255))
        .join(''),
    );
  },
  { bases },
);
define(
  'list',
  (args) => {
    const [items] = bind('list()', ['iterable?'], args);
    return items === undefined ? [] : toList(items);
  },
  { bases, attributes: methodsOf('list', 'append', 'extend', 'copy') },
);
define(
  'tuple',
  (args) => {
    const [items] = bind('tuple()', ['iterable?'], args);
    return items instanceof PyTuple ? items : new PyTuple(items === undefined ? [] : toList(items));
  },
  { bases },
);
export const dictClass = define('dict', makeDict, {
  bases,
  attributes: new Map<string, PyValue>([
    ...methodsOf('dict', 'get', 'items', 'keys', 'values', 'copy', 'update'),
    [
      'fromkeys',
      builtin('fromkeys', ['iterable', 'value?'], (keys, value) => {
        return new MutableDict(toList(keys ?? null).map((key) => [key, value ?? null]));
      }),
    ],
  ]),
});
define('set', (args) => new PySet(itemsOf('set', args)), { bases });
define('frozenset', (args) => new PySet(itemsOf('frozenset', args), { isFrozen: true }), { bases });
define('range', makeRange, { bases });
define('slice', () => raise('NotImplementedError', 'slice() is not available in configs'), {
  bases,
});
define('zip', (args) => new PyIterator('zip', zipItems(args)), { bases });
define(
  'map',
  ({ positional: [callee, ...sources] }) => {
    return new PyIterator('map', mapItems(callee ?? null, sources));
  },
  { bases },
);
define(
  'filter',
  (args) => {
    const [test, items] = bind('filter()', ['function', 'iterable'], args);
    return new PyIterator('filter', filterItems(test ?? null, items ?? null));
  },
  { bases },
);
define(
  'enumerate',
  (args) => {
    const [items, start] = bind('enumerate()', ['iterable', 'start?'], args);
    return new PyIterator(
      'enumerate',
      countItems(items ?? null, start === undefined ? 0 : toIndex(start)),
    );
  },
  { bases },
);
define(
  'reversed',
  (args) => {
    const [items] = bind('reversed()', ['sequence'], args);
    return new PyIterator(
      'reversed',
      toList(items ?? null)
        .reverse()
        .values(),
    );
  },
  { bases },
);

function itemsOf(name: string, args: Arguments): PyValue[] {
  const [items] = bind(`${name}()`, ['iterable?'], args);
  return items === undefined ? [] : toList(items);
}

function makeInteger(args: Arguments): PyValue {
  const [value = 0, base] = bind('int()', ['x?', 'base?'], args);
  if (isText(value)) return parseInteger(plainText(value), base === undefined ? 10 : toIndex(base));
  const number = numberOf(value);
  if (number === undefined) {
    return raise(
      'TypeError',
      `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
    );
  }
  if (typeof number === 'bigint') return number;
  if (Number.isNaN(number)) raise('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(number)) raise('OverflowError', 'cannot convert float infinity to integer');
  return toInteger(BigInt(Math.trunc(number)));
}

function parseInteger(text: string, base: number): number | bigint {
  const written = stripText(text)
    .replace(/(?<=[\da-z])_(?=[\da-z])/gi, '')
    .toLowerCase();
  const [, sign = '', prefix = '', digits = ''] =
    /^([+-]?)(0[xob])?([\da-z]+)$/.exec(written) ?? [];
  const bases: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };
  const radix = base === 0 ? (bases[prefix] ?? 10) : base;
  const body = prefix !== '' && bases[prefix] !== radix ? prefix + digits : digits;
  const isGood = body !== '' && [...body].every((digit) => Number.parseInt(digit, 36) < radix);
  if (!isGood || body.length > 4300) {
    return raise('ValueError', `invalid literal for int() with base ${base}: ${pyRepr(text)}`);
  }
  let value = 0n;
  for (const digit of body) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, 36));
  return toInteger(sign === '-' ? -value : value);
}

function makeFloat(args: Arguments): PyValue {
  const [value = 0] = bind('float()', ['x?'], args);
  if (isText(value)) return toFloat(parseFloatText(plainText(value)));
  const number = numberOf(value);
  if (number === undefined) {
    return raise(
      'TypeError',
      `float() argument must be a string or a real number, not '${typeName(value)}'`,
    );
  }
  return toFloat(Number(number));
}

function makeRange(args: Arguments): PyValue {
  const [first, second, third] = bind('range()', ['start', 'stop?', 'step?'], args);
  const notWhole = `'${typeName(first ?? null)}' object cannot be interpreted as an integer`;
  const numbers = [first, second, third].map((part) =>
    part === undefined ? undefined : toIndex(part, notWhole),
  );
  const [start = 0, stop, step = 1] = numbers;
  if (step === 0) raise('ValueError', 'range() arg 3 must not be zero');
  return stop === undefined ? new PyRange(0, start, 1) : new PyRange(start, stop, step);
}

function* zipItems({ positional, named }: Arguments): Generator<PyValue> {
  const sources = positional.map(iterate);
  const isStrict = isTruthy(named.get('strict') ?? false);
  while (sources.length > 0) {
    spendSteps(1);
    const row: PyValue[] = [];
    for (const source of sources) {
      const next = source.next();
      if (next.done) {
        if (isStrict && row.length > 0)
          raise('ValueError', 'zip() argument 2 is shorter than argument 1');
        return;
      }
      row.push(next.value);
    }
    spendItems(row.length);
    yield new PyTuple(row);
  }
}

function* mapItems(callee: PyValue, inputs: readonly PyValue[]): Generator<PyValue> {
  for (const row of zipItems({ positional: inputs, named: new Map() })) {
    yield callValue(callee, ...(row as PyTuple).items);
  }
}

function* filterItems(test: PyValue, items: PyValue): Generator<PyValue> {
  const source = iterate(items);
  for (let next = source.next(); !next.done; next = source.next()) {
    spendSteps(1);
    if (isTruthy(test === null ? next.value : callValue(test, next.value))) yield next.value;
  }
}

function* countItems(items: PyValue, start: number): Generator<PyValue> {
  const source = iterate(items);
  let index = start;
  for (let next = source.next(); !next.done; next = source.next()) {
    yield new PyTuple([index++, next.value]);
  }
}

const baseException = defineException('BaseException', []);

function defineException(name: string, above: readonly PyClass[]): PyClass {
  return define(name, ({ positional }) => makeException(name, positional), {
    bases: above.length === 0 ? bases : above,
    ...(name === 'ConfigParsingError' && { module: 'mmengine.config.utils' }),
  });
}

export function makeException(name: string, args: readonly PyValue[], said?: string): PyException {
  return new PyException(
    name,
    args,
    () => `${name}(${args.map((arg) => toRepr(arg)).join(', ')})`,
    said,
  );
}

const families: Readonly<Record<string, readonly string[]>> = {
  BaseException: ['Exception', 'KeyboardInterrupt', 'SystemExit', 'GeneratorExit'],
  Exception: [
    'ArithmeticError',
    'AssertionError',
    'AttributeError',
    'EOFError',
    'ImportError',
    'LookupError',
    'MemoryError',
    'NameError',
    'OSError',
    'RuntimeError',
    'StopIteration',
    'SyntaxError',
    'TypeError',
    'ValueError',
    'Warning',
  ],
  ArithmeticError: ['OverflowError', 'ZeroDivisionError', 'FloatingPointError'],
  ImportError: ['ModuleNotFoundError'],
  LookupError: ['IndexError', 'KeyError'],
  NameError: ['UnboundLocalError'],
  OSError: [
    'FileNotFoundError',
    'PermissionError',
    'FileExistsError',
    'IsADirectoryError',
    'TimeoutError',
  ],
  RuntimeError: ['NotImplementedError', 'RecursionError', 'ConfigParsingError'],
  SyntaxError: ['IndentationError'],
  ValueError: ['UnicodeError'],
  UnicodeError: ['UnicodeDecodeError', 'UnicodeEncodeError'],
  Warning: ['DeprecationWarning', 'UserWarning', 'FutureWarning'],
};

for (const [above, names] of Object.entries(families)) {
  for (const name of names) defineException(name, [known.get(above) ?? baseException]);
}
known.set('IOError', known.get('OSError') as PyClass);

const hidden = new Set(['ConfigParsingError']);

/** The classes that every config knows by name. */
export const builtinClasses: ReadonlyMap<string, PyValue> = new Map(
  [...known].filter(([name]) => !hidden.has(name)),
);

const others = new Map<string, PyClass>();

/** The class of a value. */
export function classOf(value: PyValue): PyClass {
  const name = value instanceof PyReference ? 'LazyObject' : typeName(value);
  if (value instanceof PyClass) return typeClass;
  const found = known.get(name) ?? others.get(name);
  if (found) return found;
  const isDict = value instanceof PyDict;
  const made = new PyClass(name, () => raise('TypeError', `cannot create '${name}' instances`), {
    bases: isDict ? [dictClass] : bases,
    module: moduleOf(value),
  });
  others.set(name, made);
  return made;
}

function moduleOf(value: PyValue): string {
  if (value instanceof PyDict)
    return value.type === 'ConfigDict' ? 'mmengine.config.config' : 'collections';
  return value instanceof PyReference ? 'mmengine.config.lazy' : 'builtins';
}

export function registerClass(made: PyClass): PyClass {
  others.set(made.name, made);
  return made;
}

/** The exception class of this name; one that is not known counts as a plain exception. */
export function exceptionClass(name: string): PyClass {
  return known.get(name) ?? (known.get('Exception') as PyClass);
}

/** `isinstance(value, wanted)` */
export function isInstance(value: PyValue, wanted: PyValue): boolean {
  if (wanted instanceof PyTuple) return wanted.items.some((item) => isInstance(value, item));
  if (!(wanted instanceof PyClass)) {
    return raise('TypeError', 'isinstance() arg 2 must be a type, a tuple of types, or a union');
  }
  return classOf(value).isUnder(wanted);
}

export function isCallable(value: PyValue): boolean {
  return value instanceof PyCallable || value instanceof PyReference;
}

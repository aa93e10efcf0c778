import { dumpJson } from '../../python/json.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  isTruthy,
  MutableDict,
  numberOf,
  PyObject,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { binary, isFloat, toFloat, toInteger } from './arithmetic.ts';
import { dictClass, registerClass } from './classes.ts';
import { ConfigDict } from './config-dict.ts';
import { deepCopy } from './deep-copy.ts';
import { machine, raise, spendItems, spendSteps } from './machine.ts';
import { findMethod, makeDict, pairsOf } from './methods.ts';
import {
  type Arguments,
  DefaultDict,
  OrderedDict,
  PyBuiltin,
  PyCallable,
  PyClass,
  PyEnvironment,
  PyIterator,
  PyModule,
} from './objects.ts';
import { iterate, spendOn, toIndex, toList } from './operations.ts';
import { pathModule } from './paths.ts';
import { bind, builtin, variadic } from './signature.ts';
import { callValue } from './sort-items.ts';
import { standardModules } from './standard-modules.ts';

/** `os.environ` shows what the reader of the config lets through, by name alone. */
const variable = (name: PyValue | undefined) =>
  name !== undefined && isText(name) ? machine.host.variable(plainText(name)) : undefined;

const environment = new PyEnvironment(
  new Map<string, PyValue>([
    ['get', builtin('get', ['key', 'default?'], (name, other) => variable(name) ?? other ?? null)],
    ['keys', builtin('keys', [], () => [])],
    ['values', builtin('values', [], () => [])],
    ['items', builtin('items', [], () => [])],
    ['copy', builtin('copy', [], () => new MutableDict([]))],
    ['setdefault', builtin('setdefault', ['key', 'value'], (_, value) => value ?? null)],
  ]),
  variable,
);

const os = new PyModule(
  'os',
  new Map<string, PyValue>([
    ['environ', environment],
    [
      'getenv',
      builtin('getenv', ['key', 'default?'], (name, other) => variable(name) ?? other ?? null, {
        isPlainFunction: true,
      }),
    ],
    ['getcwd', builtin('getcwd', [], () => machine.host.folder)],
    [
      'listdir',
      builtin('listdir', ['path?'], (path) => [
        ...machine.host.list(path === undefined ? '.' : plainText(path as string)),
      ]),
    ],
    ['path', pathModule],
    ['sep', '/'],
    ['linesep', '\n'],
  ]),
);

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

const functionsOf = (...list: readonly PyCallable[]) =>
  list.map((made) => [made.name, made] as const);

const math = new PyModule(
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

const copy = new PyModule(
  'copy',
  new Map<string, PyValue>([
    [
      'deepcopy',
      builtin('deepcopy', ['x', 'memo?'], (value) => deepCopy(value ?? null), {
        isPlainFunction: true,
      }),
    ],
    [
      'copy',
      builtin(
        'copy',
        ['x'],
        (value) =>
          findMethod(value ?? null, 'copy')?.call({ positional: [], named: new Map() }) ??
          value ??
          null,
        { isPlainFunction: true },
      ),
    ],
  ]),
);

function* product(pools: readonly (readonly PyValue[])[], row: PyValue[] = []): Generator<PyValue> {
  const [pool, ...rest] = pools;
  if (!pool) {
    spendSteps(1);
    spendItems(row.length);
    yield new PyTuple([...row]);
    return;
  }
  for (const item of pool) yield* product(rest, [...row, item]);
}

function* choose(
  items: readonly PyValue[],
  { count, isOrdered }: { count: number; isOrdered: boolean },
): Generator<PyValue> {
  function* from(start: number, picked: readonly number[]): Generator<PyValue> {
    spendSteps(1);
    if (picked.length === count) {
      spendItems(count);
      yield new PyTuple(picked.map((index) => items[index] ?? null));
      return;
    }
    for (let index = isOrdered ? 0 : start; index < items.length; index++) {
      if (isOrdered && picked.includes(index)) continue;
      yield* from(index + 1, [...picked, index]);
    }
  }
  yield* from(0, []);
}

function* chain(sources: Iterator<PyValue>): Generator<PyValue> {
  for (let source = sources.next(); !source.done; source = sources.next()) {
    const items = iterate(source.value);
    for (let next = items.next(); !next.done; next = items.next()) yield next.value;
  }
}

function* count(start: PyValue, step: PyValue): Generator<PyValue> {
  for (let value = start; ; value = binary('Add', value, step)) yield value;
}

function* repeat(value: PyValue, times: number): Generator<PyValue> {
  for (let done = 0; done < times; done++) yield value;
}

function* cycle(items: readonly PyValue[]): Generator<PyValue> {
  while (items.length > 0) yield* items;
}

function* slice(
  items: PyValue,
  { start, stop, step }: { start: number; stop: number; step: number },
): Generator<PyValue> {
  const source = iterate(items);
  for (let index = 0; index < stop; index++) {
    spendSteps(1);
    const next = source.next();
    if (next.done) return;
    if (index >= start && (index - start) % step === 0) yield next.value;
  }
}

const iterator = (name: string, source: Iterator<PyValue>) =>
  new PyIterator(`itertools.${name}`, source);
const iteratorClass = (
  name: string,
  make: (args: Arguments) => Iterator<PyValue>,
  attributes?: ReadonlyMap<string, PyValue>,
) =>
  new PyClass(name, (args) => iterator(name, make(args)), {
    module: 'itertools',
    ...(attributes && { attributes }),
  });

const itertools = new PyModule(
  'itertools',
  new Map<string, PyValue>(
    functionsOf(
      iteratorClass('product', ({ positional, named }) => {
        const pools = positional.map(toList);
        const times = toIndex(named.get('repeat') ?? 1);
        spendItems(pools.length * times);
        return product(Array.from({ length: times }, () => pools).flat());
      }),
      iteratorClass(
        'chain',
        ({ positional }) => chain(positional.values()),
        new Map<string, PyValue>([
          [
            'from_iterable',
            builtin('from_iterable', ['iterable'], (items) =>
              iterator('chain', chain(iterate(items ?? null))),
            ),
          ],
        ]),
      ),
      iteratorClass('count', (args) => {
        const [start, step] = bind('count()', ['start?', 'step?'], args);
        return count(start ?? 0, step ?? 1);
      }),
      iteratorClass('repeat', (args) => {
        const [value, times] = bind('repeat()', ['object', 'times?'], args);
        return repeat(value ?? null, times === undefined ? Infinity : toIndex(times));
      }),
      iteratorClass('cycle', (args) =>
        cycle(toList(bind('cycle()', ['iterable'], args)[0] ?? null)),
      ),
      iteratorClass('permutations', (args) => {
        const [items, size] = bind('permutations()', ['iterable', 'r?'], args);
        const list = toList(items ?? null);
        return choose(list, {
          count: size === undefined || size === null ? list.length : toIndex(size),
          isOrdered: true,
        });
      }),
      iteratorClass('combinations', (args) => {
        const [items, size] = bind('combinations()', ['iterable', 'r'], args);
        return choose(toList(items ?? null), { count: toIndex(size ?? null), isOrdered: false });
      }),
      iteratorClass('islice', (args) => {
        const [items, first, second, third] = bind(
          'islice()',
          ['iterable', 'start', 'stop?', 'step?'],
          args,
        );
        const bound = (value: PyValue | undefined, other: number) =>
          value === undefined || value === null ? other : toIndex(value);
        if (second === undefined)
          return slice(items ?? null, { start: 0, stop: bound(first, Infinity), step: 1 });
        return slice(items ?? null, {
          start: bound(first, 0),
          stop: bound(second, Infinity),
          step: bound(third, 1),
        });
      }),
    ),
  ),
);

function reduce(callee: PyValue, items: PyValue, start: PyValue | undefined): PyValue {
  const source = iterate(items);
  let total = start;
  for (let next = source.next(); !next.done; next = source.next()) {
    total = total === undefined ? next.value : callValue(callee, total, next.value);
  }
  if (total !== undefined) return total;
  return raise('TypeError', 'reduce() of empty iterable with no initial value');
}

const identity = (name: string) =>
  builtin(name, ['function?'], (made) => made ?? null, { isPlainFunction: true });

const functools = new PyModule(
  'functools',
  new Map<string, PyValue>([
    [
      'reduce',
      builtin('reduce', ['function', 'iterable', 'initial?'], (callee, items, start) =>
        reduce(callee ?? null, items ?? null, start),
      ),
    ],
    [
      'partial',
      variadic('partial', ({ positional: [callee, ...first], named }) =>
        callee instanceof PyCallable
          ? new PyBuiltin('partial', (args) =>
              callee.call({
                positional: [...first, ...args.positional],
                named: new Map([...named, ...args.named]),
              }),
            )
          : raise('TypeError', 'the first argument must be callable'),
      ),
    ],
    ['cache', identity('cache')],
    ['lru_cache', identity('lru_cache')],
  ]),
);

const orderedDict = registerClass(
  new PyClass('OrderedDict', (args) => new OrderedDict(makeDict(args).entries()), {
    module: 'collections',
    bases: [dictClass],
  }),
);
const defaultDict = registerClass(
  new PyClass(
    'defaultdict',
    ({ positional: [factory, ...rest], named }) => {
      return new DefaultDict(
        factory instanceof PyCallable ? factory : undefined,
        makeDict({ positional: rest, named }).entries(),
      );
    },
    { module: 'collections', bases: [dictClass] },
  ),
);

const collections = new PyModule(
  'collections',
  new Map<string, PyValue>(functionsOf(orderedDict, defaultDict)),
);

function parseJson(text: PyValue | undefined): PyValue {
  const read = (value: unknown): PyValue => {
    spendItems(1);
    if (Array.isArray(value)) return value.map(read);
    if (typeof value === 'object' && value !== null) {
      return new MutableDict(Object.entries(value).map(([key, item]) => [key, read(item)]));
    }
    return value as PyValue;
  };
  try {
    return read(JSON.parse(plainText(text as string)));
  } catch {
    return raise('ValueError', 'this is not JSON');
  }
}

const json = new PyModule(
  'json',
  new Map<string, PyValue>([
    [
      'dumps',
      builtin(
        'dumps',
        ['obj', 'ensure_ascii?', 'indent?', 'sort_keys?'],
        (value, ascii, indent, sortKeys) => {
          spendOn(value ?? null);
          const spaces =
            indent === undefined || indent === null
              ? undefined
              : ' '.repeat(Math.min(20, toIndex(indent)));
          return dumpJson(value ?? null, {
            ensureAscii: ascii === undefined || isTruthy(ascii),
            indent: spaces,
            sortKeys: sortKeys !== undefined && isTruthy(sortKeys),
          });
        },
        { isPlainFunction: true },
      ),
    ],
    ['loads', builtin('loads', ['s'], parseJson, { isPlainFunction: true })],
  ]),
);

const lower = 'abcdefghijklmnopqrstuvwxyz';
const string = new PyModule(
  'string',
  new Map<string, PyValue>([
    ['ascii_lowercase', lower],
    ['ascii_uppercase', lower.toUpperCase()],
    ['ascii_letters', lower + lower.toUpperCase()],
    ['digits', '0123456789'],
    ['hexdigits', '0123456789abcdefABCDEF'],
    ['punctuation', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['whitespace', ' \t\n\r\v\f'],
  ]),
);

/** What `with read_base():` stands on. */
const readBase = builtin(
  'read_base',
  [],
  () => new PyObject('_GeneratorContextManager', () => '<read_base>'),
  { isPlainFunction: true },
);

const mmengineConfig = new PyModule(
  'mmengine.config',
  new Map<string, PyValue>([
    ['read_base', readBase],
    [
      'ConfigDict',
      registerClass(
        new PyClass(
          'ConfigDict',
          (args) => {
            const dict = new ConfigDict([]);
            for (const [key, value] of pairsOf(makeDict(args))) dict.set(key, value);
            return dict;
          },
          { module: 'mmengine.config.config', bases: [dictClass] },
        ),
      ),
    ],
  ]),
);

const modules: ReadonlyMap<string, PyModule> = new Map(
  [os, math, copy, itertools, functools, collections, json, string, mmengineConfig].map(
    (module) => [module.name, module],
  ),
);

/** Something of a module that is not available here: it may be imported, but not used. */
function unavailable(module: string, name: string): PyValue {
  const say = () =>
    raise('PermissionError', `${module}.${name} is not available: configs are read, not run`);
  return new PyClass(name, say, { module });
}

/** `import name` of a module that comes with Python. */
export function importModule(name: string): PyModule {
  if (name === 'os.path' || name === 'posixpath') return pathModule;
  const known =
    modules.get(name) ?? (name.startsWith('mmengine.config') ? mmengineConfig : undefined);
  if (known) return known;
  const [top = ''] = name.split('.');
  if (!standardModules.has(top)) raise('ModuleNotFoundError', `No module named '${top}'`);
  return new PyModule(name, new Map());
}

/** `from module import name` of a module that comes with Python. */
export function importMember(module: string, name: string): PyValue {
  const found = importModule(module);
  const member = found.members.get(name);
  if (member !== undefined) return member;
  if (modules.get(`${module}.${name}`)) return importModule(`${module}.${name}`);
  if (module === 'os' && name === 'path') return pathModule;
  return unavailable(module, name);
}

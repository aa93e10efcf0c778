import { dumpJson } from '../../python/json.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, isTruthy, MutableDict, PyObject, type PyValue } from '../../python/values.ts';
import { dictClass, registerClass } from './classes.ts';
import { ConfigDict } from './config-dict.ts';
import { deepCopy } from './deep-copy.ts';
import { itertoolsModule } from './itertools-module.ts';
import { machine, raise, spendItems } from './machine.ts';
import { mathModule } from './math-module.ts';
import { findMethod, makeDict, pairsOf } from './methods.ts';
import {
  DefaultDict,
  OrderedDict,
  PyBuiltin,
  PyCallable,
  PyClass,
  PyEnvironment,
  PyModule,
} from './objects.ts';
import { iterate, spendOn, toIndex } from './operations.ts';
import { pathModule } from './paths.ts';
import { builtin, functionsOf, variadic } from './signature.ts';
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
  [os, mathModule, copy, itertoolsModule, functools, collections, json, string, mmengineConfig].map(
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

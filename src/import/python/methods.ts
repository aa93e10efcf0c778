import { pyRepr } from '../../python/repr.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  MutableDict,
  PyDict,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { combineSets } from './arithmetic.ts';
import { ConfigDict } from './config-dict.ts';
import { deepCopy } from './deep-copy.ts';
import { raise, spendItems, spendSteps } from './machine.ts';
import {
  type Arguments,
  DefaultDict,
  OrderedDict,
  PyBuiltin,
  PyBytes,
  PyDictView,
  PyFile,
  PySet,
} from './objects.ts';
import { asList, equals, iterate, readLine, toIndex, toList } from './operations.ts';
import { bind } from './signature.ts';
import { sortItems } from './sort-items.ts';
import { textMethods } from './text-methods.ts';

type Given = PyValue | undefined;
type Method<Self> = (self: Self, args: Arguments) => PyValue;

function method<Self>(
  parameters: readonly string[],
  body: (self: Self, ...values: Given[]) => PyValue,
): Method<Self> {
  return (self, args) => body(self, ...bind('the method', parameters, args));
}

const listMethods: ReadonlyMap<string, Method<PyValue[]>> = new Map([
  [
    'append',
    method(['object'], (self, item) => {
      spendItems(1);
      self.push(item ?? null);
      return null;
    }),
  ],
  [
    'clear',
    method([], (self) => {
      self.length = 0;
      return null;
    }),
  ],
  ['copy', method([], (self) => toList(self))],
  [
    'count',
    method(['value'], (self, value) => self.filter((item) => equals(item, value ?? null)).length),
  ],
  [
    'extend',
    method(['iterable'], (self, items) => {
      for (const item of toList(items ?? null)) self.push(item);
      return null;
    }),
  ],
  [
    'index',
    method(['value', 'start?', 'stop?'], (self, value, start) => {
      const from = start === undefined ? 0 : toIndex(start);
      const at = self.findIndex((item, index) => index >= from && equals(item, value ?? null));
      return at < 0 ? raise('ValueError', `${pyRepr(value ?? null)} is not in list`) : at;
    }),
  ],
  [
    'insert',
    method(['index', 'object'], (self, index, item) => {
      spendItems(1);
      spendSteps(self.length >> 4);
      self.splice(toIndex(index ?? null), 0, item ?? null);
      return null;
    }),
  ],
  [
    'pop',
    method(['index?'], (self, index) => {
      if (self.length === 0) raise('IndexError', 'pop from empty list');
      const wanted = index === undefined ? -1 : toIndex(index);
      const at = wanted < 0 ? wanted + self.length : wanted;
      if (at < 0 || at >= self.length) raise('IndexError', 'pop index out of range');
      return self.splice(at, 1)[0] ?? null;
    }),
  ],
  [
    'remove',
    method(['value'], (self, value) => {
      const at = self.findIndex((item) => equals(item, value ?? null));
      if (at < 0) raise('ValueError', 'list.remove(x): x not in list');
      self.splice(at, 1);
      return null;
    }),
  ],
  [
    'reverse',
    method([], (self) => {
      self.reverse();
      return null;
    }),
  ],
  [
    'sort',
    (self, args) => {
      const [key, reverse] = bind('sort()', ['key?', 'reverse?'], args);
      const sorted = sortItems(self, { key, reverse });
      for (const [index, item] of sorted.entries()) self[index] = item;
      return null;
    },
  ],
]);

const tupleMethods: ReadonlyMap<string, Method<PyTuple>> = new Map([
  [
    'count',
    method(['value'], (self, value) => {
      return self.items.filter((item) => equals(item, value ?? null)).length;
    }),
  ],
  [
    'index',
    method(['value'], (self, value) => {
      const at = self.items.findIndex((item) => equals(item, value ?? null));
      return at < 0 ? raise('ValueError', 'tuple.index(x): x not in tuple') : at;
    }),
  ],
]);

/** The pairs that `dict(…)` and `update` read out of a value. */
export function pairsOf(value: PyValue): (readonly [PyValue, PyValue])[] {
  if (value instanceof PyDict) {
    spendItems(value.size);
    return value.entries();
  }
  return toList(value).map((pair, index) => {
    const items = toList(pair);
    if (items.length !== 2) {
      raise(
        'ValueError',
        `dictionary update sequence element #${index} has length ${items.length}; 2 is required`,
      );
    }
    return [items[0] ?? null, items[1] ?? null];
  });
}

function entriesOf({ positional, named }: Arguments, name: string): [PyValue, PyValue][] {
  if (positional.length > 1)
    raise('TypeError', `${name} expected at most 1 argument, got ${positional.length}`);
  spendItems(named.size);
  const pairs = positional[0] === undefined ? [] : pairsOf(positional[0]);
  return [...pairs, ...named].map(([key, value]) => [key, value]);
}

/** `dict(…)` */
export function makeDict(args: Arguments): MutableDict {
  return new MutableDict(entriesOf(args, 'dict'));
}

function copyDict(self: MutableDict): MutableDict {
  spendItems(self.size);
  if (self instanceof ConfigDict) return self.shallowCopy();
  if (self instanceof OrderedDict) return new OrderedDict(self.entries());
  if (self instanceof DefaultDict) return new DefaultDict(self.factory, self.entries());
  return new MutableDict(self.entries());
}

function view(kind: PyDictView['kind']): Method<MutableDict> {
  return method([], (self) => {
    // An attribute dict hands out lists of its values and items.
    const isList = self instanceof ConfigDict && kind !== 'keys';
    const seen = new PyDictView(self, kind);
    return isList ? seen.list() : seen;
  });
}

const dictMethods: ReadonlyMap<string, Method<MutableDict>> = new Map([
  [
    'clear',
    method([], (self) => {
      self.clear();
      return null;
    }),
  ],
  ['copy', method([], copyDict)],
  [
    'get',
    method(['key', 'default?'], (self, key, other = null) => {
      const value = self.get(key ?? null);
      return value === undefined ? other : value;
    }),
  ],
  ['items', view('items')],
  ['keys', view('keys')],
  [
    'pop',
    method(['key', 'default?'], (self, key, other) => {
      const value = self.get(key ?? null);
      if (value === undefined) {
        if (other !== undefined || self instanceof ConfigDict) return other ?? null;
        return raise('KeyError', pyRepr(key ?? null));
      }
      self.delete(key ?? null);
      return value;
    }),
  ],
  [
    'popitem',
    method(['last?'], (self) => {
      const last = self.entries().at(-1);
      if (!last) return raise('KeyError', "'popitem(): dictionary is empty'");
      self.delete(last[0]);
      return new PyTuple(last);
    }),
  ],
  [
    'setdefault',
    method(['key', 'default?'], (self, key, value) => {
      const known = self.get(key ?? null);
      if (known !== undefined) return known;
      self.set(key ?? null, value ?? null);
      return value ?? null;
    }),
  ],
  [
    'update',
    (self, args) => {
      const entries = entriesOf(args, 'update');
      spendItems(entries.length);
      if (self instanceof ConfigDict) self.updateDeep(new MutableDict(entries));
      else for (const [key, value] of entries) self.set(key, value);
      return null;
    },
  ],
  ['values', view('values')],
]);

const configDictMethods: ReadonlyMap<string, Method<ConfigDict>> = new Map([
  ['deepcopy', method([], (self) => deepCopy(self))],
  ['to_dict', method([], (self) => toPlain(self))],
  [
    'merge',
    method(['other'], (self, other) => {
      if (other instanceof PyDict) self.updateDeep(other);
      return null;
    }),
  ],
]);

function toPlain(value: PyValue): PyValue {
  spendSteps(1);
  if (value instanceof PyDict) {
    return new MutableDict(value.entries().map(([key, item]) => [key, toPlain(item)]));
  }
  const list = asList(value);
  if (list) return list.map(toPlain);
  return value instanceof PyTuple ? new PyTuple(value.items.map(toPlain)) : value;
}

function setOf(value: Given): PySet {
  return value instanceof PySet ? value : new PySet(toList(value ?? null));
}

function combining(operator: 'BitOr' | 'BitAnd' | 'Sub' | 'BitXor'): Method<PySet> {
  return (self, { positional }) =>
    positional.reduce<PySet>((all, other) => {
      return combineSets(operator, all, setOf(other)) ?? all;
    }, self);
}

function changing(change: (self: PySet, item: PyValue) => void): Method<PySet> {
  return method(['item'], (self, item) => {
    if (self.isFrozen) raise('AttributeError', "'frozenset' object cannot be changed");
    change(self, item ?? null);
    return null;
  });
}

const setMethods: ReadonlyMap<string, Method<PySet>> = new Map([
  ['add', changing((self, item) => self.add(item))],
  ['copy', method([], (self) => new PySet(self.items(), self))],
  ['difference', combining('Sub')],
  ['discard', changing((self, item) => self.members.delete(item))],
  ['intersection', combining('BitAnd')],
  [
    'issubset',
    method(['other'], (self, other) => {
      const { members } = setOf(other);
      return self.items().every((item) => members.has(item));
    }),
  ],
  [
    'issuperset',
    method(['other'], (self, other) => {
      return setOf(other)
        .items()
        .every((item) => self.members.has(item));
    }),
  ],
  [
    'remove',
    changing((self, item) => {
      if (!self.members.delete(item)) raise('KeyError', pyRepr(item));
    }),
  ],
  ['symmetric_difference', combining('BitXor')],
  ['union', combining('BitOr')],
  [
    'update',
    (self, { positional }) => {
      for (const items of positional) for (const item of toList(items)) self.add(item);
      return null;
    },
  ],
]);

const bytesMethods: ReadonlyMap<string, Method<PyBytes>> = new Map([
  [
    'decode',
    method(['encoding?', 'errors?'], (self) => {
      const bytes = Buffer.from(self.bytes, 'latin1');
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        return raise('UnicodeDecodeError', "'utf-8' codec can't decode these bytes");
      }
    }),
  ],
  ['hex', method([], (self) => Buffer.from(self.bytes, 'latin1').toString('hex'))],
]);

function readRest(self: PyFile, size: Given): string {
  const { position, text } = self;
  const end = size === undefined || size === null ? text.length : position + toIndex(size);
  self.position = Math.min(text.length, end);
  return text.slice(position, self.position);
}

const fileMethods: ReadonlyMap<string, Method<PyFile>> = new Map([
  ['read', method(['size?'], readRest)],
  ['readline', method([], readLine)],
  [
    'readlines',
    method([], (self) => {
      const lines: PyValue[] = [];
      const source = iterate(self);
      for (let next = source.next(); !next.done; next = source.next()) lines.push(next.value);
      return lines;
    }),
  ],
  ['close', method([], () => null)],
]);

/** A method of a value by its name. */
export function findMethod(self: PyValue, name: string): PyBuiltin | undefined {
  if (isText(self)) return bound(textMethods, plainText(self), name);
  const list = asList(self);
  if (list) return bound(listMethods, list, name);
  if (self instanceof MutableDict) {
    const found = bound(dictMethods, self, name);
    if (found || !(self instanceof ConfigDict)) return found;
    return bound(configDictMethods, self, name);
  }
  if (self instanceof PyTuple) return bound(tupleMethods, self, name);
  if (self instanceof PySet) return bound(setMethods, self, name);
  if (self instanceof PyBytes) return bound(bytesMethods, self, name);
  return self instanceof PyFile ? bound(fileMethods, self, name) : undefined;
}

function bound<Self>(
  methods: ReadonlyMap<string, Method<Self>>,
  self: Self,
  name: string,
): PyBuiltin | undefined {
  const found = methods.get(name);
  return found && new PyBuiltin(name, (args) => found(self, args));
}

/** `str.join` and its like: a method that takes the value as its first argument. */
export function unboundMethod(type: string, name: string): PyBuiltin {
  return new PyBuiltin(name, ({ positional, named }) => {
    const [self, ...rest] = positional;
    if (self === undefined) return raise('TypeError', `${type}.${name}() needs an argument`);
    const found = findMethod(self, name);
    return found
      ? found.call({ positional: rest, named })
      : raise('AttributeError', `'${typeName(self)}' object has no attribute '${name}'`);
  });
}

import { fail } from '../../python/compat-error.ts';
import { classes, type Value } from './library.ts';
import { equals, sameKind } from './operators.ts';
import { textMethods } from './text-methods.ts';
import {
  isDict,
  isList,
  isText,
  makeFunction,
  none,
  type Operation,
  Sequence,
  takes,
  toValue,
  tuple,
  typeName,
} from './values.ts';

function entries(self: Value): [unknown, Value][] {
  return isDict(self)
    ? [...self.value]
    : fail('TypeError', `a mapping is needed, not ${typeName(self)}`);
}

function items(self: Value): readonly Value[] {
  return isList(self)
    ? self.value
    : fail('TypeError', `a list is needed here, not ${typeName(self)}`);
}

/** Key and value of every entry, as `dict.items()` gives them. */
export function itemsOf(self: Value): Value[] {
  return entries(self).map(([key, value]) => tuple([toValue(key), value]));
}

/** Chat templates run in a sandbox in which lists and mappings cannot be changed. */
const refusal: Operation = () =>
  fail('SecurityError', 'a chat template cannot change a list or a mapping');

function refusals(...names: string[]): [string, Operation][] {
  return names.map((name) => [name, refusal]);
}

/** The methods of Python's `dict` that templates can call. */
const dictMethods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...refusals('clear', 'pop', 'popitem', 'setdefault', 'update'),
  ['copy', takes([], (self) => new classes.Dict(new Map(entries(self))))],
  [
    'get',
    takes(['key', 'default?'], (self, [key, fallback = none]) => {
      const found = isDict(self) ? self.value.get(key?.value) : undefined;
      return found ?? fallback;
    }),
  ],
  ['items', takes([], (self) => new Sequence('dict_items', itemsOf(self)))],
  [
    'keys',
    takes([], (self) => {
      const keys = entries(self).map(([key]) => toValue(key));
      return new Sequence('dict_keys', keys);
    }),
  ],
  [
    'values',
    takes([], (self) => {
      const values = entries(self).map(([, value]) => value);
      return new Sequence('dict_values', values);
    }),
  ],
]);

/** The methods of Python's `list` and `tuple` that templates can call. */
const listMethods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...refusals('append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'),
  ['copy', takes([], (self) => (isList(self) ? sameKind(self, self.value) : self))],
  [
    'count',
    takes(
      ['item'],
      (self, [item]) => items(self).filter((other) => item && equals(other, item)).length,
    ),
  ],
  [
    'index',
    takes(['item'], (self, [item]) => {
      const index = items(self).findIndex((other) => item && equals(other, item));
      return index < 0 ? fail('ValueError', 'the item is not in the list') : index;
    }),
  ],
]);

/** Every name that can be called as a method of something. */
export const methodNames: ReadonlySet<string> = new Set([
  ...textMethods.keys(),
  ...dictMethods.keys(),
  ...listMethods.keys(),
]);

/** A method that is bound to its object. */
export function getMethod(object: Value, name: string): Value | undefined {
  let methods: ReadonlyMap<string, Operation> | undefined;
  if (isText(object)) methods = textMethods;
  else if (isDict(object)) methods = dictMethods;
  else if (isList(object)) methods = listMethods;
  const method = methods?.get(name);
  return method && makeFunction((args) => method(object, args));
}

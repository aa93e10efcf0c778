import { Float } from '../../prompt/values.ts';
import { pyCompare, pyEquals } from '../../python/operators.ts';
import { pyRepr } from '../../python/repr.ts';
import { countCharacters } from '../../python/text.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  MutableDict,
  numberOf,
  PyDict,
  PyObject,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { machine, raise, spendCharacters, spendItems, spendSteps } from './machine.ts';
import {
  DefaultDict,
  PyBytes,
  PyClass,
  PyDictView,
  PyEnvironment,
  PyFile,
  PyIterator,
  PyRange,
  PyReference,
  PySet,
  PySlice,
} from './objects.ts';

/** A list that can be changed. */
export function asList(value: PyValue): PyValue[] | undefined {
  return Array.isArray(value) ? (value as PyValue[]) : undefined;
}

/** Counts what a value holds, at every level, before something looks at all of it. */
export function spendOn(value: PyValue): void {
  if (typeof value === 'string') {
    spendCharacters(value.length >> 2);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  spendSteps(1);
  if (Array.isArray(value)) for (const item of value as PyValue[]) spendOn(item);
  else if (value instanceof PyTuple) for (const item of value.items) spendOn(item);
  else if (value instanceof PySet) for (const item of value.items()) spendOn(item);
  else if (value instanceof PyDict) {
    for (const [key, item] of value.entries()) {
      spendOn(key);
      spendOn(item);
    }
  }
}

export function equals(left: PyValue, right: PyValue): boolean {
  if (left === right) return !Number.isNaN(left);
  if (typeof left === 'object' && left !== null) spendOn(left);
  return pyEquals(left, right);
}

export function compare(left: PyValue, right: PyValue): number {
  if (typeof left === 'object' && left !== null) spendOn(left);
  return pyCompare(left, right);
}

function* overList(list: readonly PyValue[]): Generator<PyValue> {
  for (let index = 0; index < list.length; index++) yield list[index] as PyValue;
}

function* overRange(range: PyRange): Generator<PyValue> {
  for (let index = 0; index < range.length; index++) yield range.at(index);
}

function* overDict(dict: PyDict, kind: PyDictView['kind']): Generator<PyValue> {
  const { size } = dict;
  for (const [key, value] of dict.live()) {
    yield kind === 'keys' ? key : kind === 'values' ? value : new PyTuple([key, value]);
    if (dict.size !== size) raise('RuntimeError', 'dictionary changed size during iteration');
  }
}

function* overLines(file: PyFile): Generator<PyValue> {
  while (file.position < file.text.length) yield readLine(file);
}

export function readLine(file: PyFile): string {
  const end = file.text.indexOf('\n', file.position);
  const from = file.position;
  file.position = end < 0 ? file.text.length : end + 1;
  return file.text.slice(from, file.position);
}

/** What `for item in value` visits, as it is while one goes through it. */
export function iterate(value: PyValue): Iterator<PyValue> {
  const list = asList(value);
  if (list) return overList(list);
  if (value instanceof PyTuple) return overList(value.items);
  if (value instanceof PyIterator) return value.source;
  if (value instanceof PyRange) return overRange(value);
  if (value instanceof PyDictView) return overDict(value.dict, value.kind);
  if (value instanceof PyDict) {
    // An attribute dict hands out a list of its keys.
    return value.type === 'ConfigDict' ? overList(value.keys()) : overDict(value, 'keys');
  }
  if (isText(value)) {
    const text = plainText(value);
    spendCharacters(text.length);
    return overList([...text]);
  }
  if (value instanceof PySet) {
    const items = value.items();
    if (items.length > 1 && items.some(isText)) machine.isUnstable = true;
    return overList(items);
  }
  if (value instanceof PyBytes) return overList([...value.bytes].map((c) => c.charCodeAt(0)));
  if (value instanceof PyFile) return overLines(value);
  if (value instanceof PyEnvironment) return overList([]);
  return raise('TypeError', `'${typeName(value)}' object is not iterable`);
}

/** All of it in a new list. */
export function toList(value: PyValue): PyValue[] {
  const list = asList(value) ?? (value instanceof PyTuple ? value.items : undefined);
  if (list) {
    spendItems(list.length);
    return [...list];
  }
  const items: PyValue[] = [];
  const source = iterate(value);
  for (let next = source.next(); !next.done; next = source.next()) {
    spendItems(1);
    spendSteps(1);
    items.push(next.value);
  }
  return items;
}

export function lengthOf(value: PyValue): number {
  if (isText(value)) return countCharacters(plainText(value));
  if (Array.isArray(value)) return value.length;
  if (value instanceof PyTuple) return value.items.length;
  if (value instanceof PyDict) return value.size;
  if (value instanceof PySet) return value.members.size;
  if (value instanceof PyRange) return value.length;
  if (value instanceof PyDictView) return value.dict.size;
  if (value instanceof PyBytes) return value.bytes.length;
  return raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

/** A whole number of ordinary size, as an index is. */
export function toIndex(value: PyValue, what = 'indices must be integers'): number {
  const number = value instanceof Float ? undefined : numberOf(value);
  if (number === undefined || (typeof number === 'number' && !Number.isInteger(number))) {
    return raise('TypeError', what);
  }
  return Number(number);
}

/** The indexes that a slice takes. */
export function sliceIndexes({ parts }: PySlice, length: number): number[] {
  const [from, to, by] = parts.map((part) => (part === null ? undefined : toIndex(part)));
  const step = by ?? 1;
  if (step === 0) raise('ValueError', 'slice step cannot be zero');
  const bound = (given: number | undefined, fallback: number) => {
    if (given === undefined) return fallback;
    const index = given < 0 ? given + length : given;
    return step > 0
      ? Math.min(Math.max(index, 0), length)
      : Math.min(Math.max(index, -1), length - 1);
  };
  const start = bound(from, step > 0 ? 0 : length - 1);
  const stop = bound(to, step > 0 ? length : -1);
  const indexes: number[] = [];
  spendItems(Math.max(0, Math.ceil((stop - start) / step)));
  for (let index = start; step > 0 ? index < stop : index > stop; index += step)
    indexes.push(index);
  return indexes;
}

function itemAt<Item>(items: readonly Item[] | string, key: PyValue, kind: string): Item {
  const index = toIndex(key, `${kind} indices must be integers or slices, not ${typeName(key)}`);
  const item = items[index < 0 ? index + items.length : index];
  return (item as Item | undefined) ?? raiseIndex(items, index, kind);
}

function raiseIndex(items: { readonly length: number }, index: number, kind: string): never {
  const at = index < 0 ? index + items.length : index;
  if (at >= 0 && at < items.length) return raise('SystemError', 'an item is missing');
  return raise('IndexError', `${kind} index out of range`);
}

export function getItem(container: PyValue, key: PyValue): PyValue {
  if (container instanceof PyDict) return dictItem(container, key);
  if (Array.isArray(container)) {
    const list = container as PyValue[];
    if (key instanceof PySlice)
      return sliceIndexes(key, list.length).map((index) => list[index] as PyValue);
    return listItem(list, key, 'list');
  }
  if (container instanceof PyTuple) {
    const { items } = container;
    if (key instanceof PySlice) {
      return new PyTuple(sliceIndexes(key, items.length).map((index) => items[index] as PyValue));
    }
    return listItem(items, key, 'tuple');
  }
  if (isText(container)) {
    const text = plainText(container);
    spendCharacters(text.length >> 2);
    const points = countCharacters(text) === text.length ? text : [...text];
    if (key instanceof PySlice) return sliceText(text, points, key);
    return itemAt<string>(points, key, 'string');
  }
  if (container instanceof PyRange) {
    if (key instanceof PySlice)
      return sliceIndexes(key, container.length).map((index) => container.at(index));
    const index = toIndex(key);
    const at = index < 0 ? index + container.length : index;
    if (at < 0 || at >= container.length) raise('IndexError', 'range object index out of range');
    return container.at(at);
  }
  if (container instanceof PyBytes) {
    const { bytes } = container;
    if (key instanceof PySlice) {
      return new PyBytes(
        sliceIndexes(key, bytes.length)
          .map((index) => bytes[index])
          .join(''),
      );
    }
    return itemAt<string>(bytes, key, 'byte').charCodeAt(0);
  }
  if (container instanceof PyEnvironment)
    return container.variable(key) ?? raise('KeyError', pyRepr(key));
  // `List[int]` in annotations
  if (container instanceof PyClass) return container;
  return raise('TypeError', `'${typeName(container)}' object is not subscriptable`);
}

function listItem(items: readonly PyValue[], key: PyValue, kind: string): PyValue {
  const index = toIndex(key, `${kind} indices must be integers or slices, not ${typeName(key)}`);
  const item = items[index < 0 ? index + items.length : index];
  return item === undefined ? raiseIndex(items, index, kind) : item;
}

function sliceText(text: string, points: string | readonly string[], key: PySlice): string {
  const [from, to, by] = key.parts;
  if (by === null && typeof points === 'string') {
    const start = from === null ? 0 : toIndex(from);
    const end = to === null ? text.length : toIndex(to);
    return text.slice(start, end);
  }
  return sliceIndexes(key, points.length)
    .map((index) => points[index])
    .join('');
}

function dictItem(dict: PyDict, key: PyValue): PyValue {
  const value = dict.get(key);
  if (value !== undefined) return value;
  if (dict instanceof DefaultDict && dict.factory) {
    const made = dict.factory.call({ positional: [], named: new Map() });
    dict.set(key, made);
    return made;
  }
  return raise('KeyError', pyRepr(key));
}

export function setItem(container: PyValue, key: PyValue, value: PyValue): void {
  if (container instanceof MutableDict) {
    spendItems(1);
    if (typeof key === 'string' && key.length > 1000) spendCharacters(key.length);
    container.set(key, value);
    return;
  }
  const list = asList(container);
  if (list) {
    if (key instanceof PySlice) {
      setSlice(list, key, toList(value));
      return;
    }
    const index = toIndex(key, `list indices must be integers or slices, not ${typeName(key)}`);
    const at = index < 0 ? index + list.length : index;
    if (at < 0 || at >= list.length) raise('IndexError', 'list assignment index out of range');
    list[at] = value;
    return;
  }
  raise('TypeError', `'${typeName(container)}' object does not support item assignment`);
}

function setSlice(list: PyValue[], key: PySlice, items: PyValue[]): void {
  const indexes = sliceIndexes(key, list.length);
  if (key.parts[2] === null || key.parts[2] === 1) {
    const [from] = key.parts;
    const given = from === null ? 0 : toIndex(from);
    const start = Math.min(Math.max(given < 0 ? given + list.length : given, 0), list.length);
    replaceItems(list, { start, count: indexes.length, items });
    return;
  }
  if (indexes.length !== items.length) {
    raise(
      'ValueError',
      `attempt to assign sequence of size ${items.length} to extended slice of size ${indexes.length}`,
    );
  }
  for (const [at, index] of indexes.entries()) list[index] = items[at] as PyValue;
}

function replaceItems(
  list: PyValue[],
  { start, count, items }: { start: number; count: number; items: readonly PyValue[] },
): void {
  const tail = list.slice(start + count);
  list.length = start;
  for (const item of items) list.push(item);
  for (const item of tail) list.push(item);
}

export function deleteItem(container: PyValue, key: PyValue): void {
  if (container instanceof MutableDict) {
    if (!container.delete(key)) raise('KeyError', pyRepr(key));
    return;
  }
  const list = asList(container);
  if (!list) {
    raise('TypeError', `'${typeName(container)}' object doesn't support item deletion`);
    return;
  }
  if (key instanceof PySlice) {
    const gone = new Set(sliceIndexes(key, list.length));
    const kept = list.filter((_, index) => !gone.has(index));
    replaceItems(list, { start: 0, count: list.length, items: kept });
    return;
  }
  const index = toIndex(key);
  const at = index < 0 ? index + list.length : index;
  if (at < 0 || at >= list.length) raise('IndexError', 'list assignment index out of range');
  list.splice(at, 1);
}

/** `needle in container` */
export function contains(container: PyValue, needle: PyValue): boolean {
  if (isText(container)) {
    if (!isText(needle)) {
      raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(needle)}`);
    }
    const [whole, part] = [plainText(container), plainText(needle as string)];
    spendCharacters(whole.length >> 4);
    return whole.includes(part);
  }
  if (container instanceof PyDict) return container.has(needle);
  if (container instanceof PySet) return container.members.has(needle);
  if (container instanceof PyEnvironment) return container.variable(needle) !== undefined;
  if (container instanceof PyDictView && container.kind === 'keys')
    return container.dict.has(needle);
  if (container instanceof PyReference || typeof container !== 'object' || container === null) {
    raise('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  }
  const source = iterate(container);
  for (let next = source.next(); !next.done; next = source.next()) {
    spendSteps(1);
    if (next.value === needle || equals(next.value, needle)) return true;
  }
  return false;
}

/** Whether `left is right`. */
export function isSame(left: PyValue, right: PyValue): boolean {
  if (left instanceof Float && right instanceof Float) return left.value === right.value;
  if (left instanceof PyTuple && right instanceof PyTuple) {
    return left === right || (left.items.length === 0 && right.items.length === 0);
  }
  return left === right || (left instanceof PyObject && left === right);
}

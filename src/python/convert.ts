import { type ConfigPath, TemplateError } from '../errors.ts';
import type { Origin } from '../prompt/origin.ts';
import { Float } from '../prompt/values.ts';
import { pyRepr, pyStr } from './repr.ts';
import { compareText } from './text.ts';
import { mapOrigins, plainText, type Text, TracedText, traceText } from './traced-text.ts';
import { isText, PromptList, PyDict, PyObject, PyTuple, type PyValue } from './values.ts';

/** Reads a plain value, as a config or a row holds it, as a Python value. */
export function toPython(value: unknown): PyValue {
  return convert(value, { trace: (text) => text, path: [] });
}

/** The same for a template: every string remembers its location in the config. */
export function toTracedPython(value: unknown, path: ConfigPath): PyValue {
  const trace = (text: string, at: ConfigPath): TracedText =>
    traceText(text, { type: 'literal', at: { path: at, start: 0 } });
  return convert(value, { trace, path });
}

/** Changes the origins of all traced texts in a value. */
export function mapOriginsIn(value: PyValue, change: (origin: Origin) => Origin): PyValue {
  return mapTexts(value, (text) => (typeof text === 'string' ? text : mapOrigins(text, change)));
}

/** Gives every string of a row's value the origin of that field. */
export function traceField(value: PyValue, origin: Origin): PyValue {
  return mapTexts(value, (text) => traceText(plainText(text), origin));
}

/** Sorts every dict by `str(key)`, as the command line of OpenCompass does to a config. */
export function sortDictKeys(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(sortDictKeys);
  if (!(value instanceof PyDict)) return value;
  const entries = value.entries().map(([key, item]) => [key, sortDictKeys(item)] as const);
  return new PyDict(entries.sort(([left], [right]) => compareText(pyStr(left), pyStr(right))));
}

/** The key of a dict as it is written in a config path. */
export function pathKey(key: PyValue): string | number {
  if (isText(key)) return pyStr(key);
  return typeof key === 'number' ? key : pyRepr(key);
}

interface Tracing {
  readonly trace: (text: string, path: ConfigPath) => Text;
  readonly path: ConfigPath;
}

function convert(value: unknown, tracing: Tracing): PyValue {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
      return tracing.trace(value, tracing.path);
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      return convertObject(value, tracing);
    default:
      throw new TemplateError('compat.unsupported_value', `a ${typeof value} is not a value`, {
        hint: 'use strings, numbers, booleans, null, lists and mappings',
        path: tracing.path,
      });
  }
}

function convertObject(value: object, tracing: Tracing): PyValue {
  if (Array.isArray(value)) return convertItems(value, tracing);
  const isKept = value instanceof Float || value instanceof TracedText || value instanceof PyObject;
  if (isKept) return value;
  if (value instanceof PyTuple) return new PyTuple(convertItems(value.items, tracing));
  if (value instanceof PromptList) return new PromptList(convertItems(value.items, tracing));
  const entries: Iterable<readonly [unknown, unknown]> =
    value instanceof PyDict || value instanceof Map ? value.entries() : Object.entries(value);
  const converted: [PyValue, PyValue][] = [];
  for (const [name, item] of entries) {
    if (item === undefined) continue;
    const key = toPython(name);
    converted.push([key, convert(item, below(tracing, pathKey(key)))]);
  }
  return new PyDict(converted);
}

function convertItems(items: readonly unknown[], tracing: Tracing): PyValue[] {
  return items.map((item, index) => convert(item, below(tracing, index)));
}

function below({ trace, path }: Tracing, key: string | number): Tracing {
  return { trace, path: [...path, key] };
}

/** The same value with every text of it changed; keys stay. */
export function mapTexts(value: PyValue, change: (text: Text) => Text): PyValue {
  if (isText(value)) return change(value);
  if (value instanceof PyDict) {
    return new PyDict(value.entries().map(([key, item]) => [key, mapTexts(item, change)]));
  }
  const mapItem = (item: PyValue): PyValue => mapTexts(item, change);
  if (value instanceof PromptList) return new PromptList(value.items.map(mapItem));
  if (value instanceof PyTuple) return new PyTuple(value.items.map(mapItem));
  return Array.isArray(value) ? value.map(mapItem) : value;
}

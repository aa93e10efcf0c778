import { createHash } from 'node:crypto';
import { Float } from '../../src/prompt/values.ts';
import { pyRepr } from '../../src/python/repr.ts';
import { TracedText } from '../../src/python/traced-text.ts';
import { PromptList, PyDict, PyObject, PyTuple, type PyValue } from '../../src/python/values.ts';
import { isArray, isObject, type Json, type JsonObject } from './json.ts';

/** Reads a Python value from the form that the vectors write it in. */
export function decode(json: Json): PyValue {
  if (isArray(json)) return json.map(decode);
  if (!isObject(json)) return json;
  const keys = Object.keys(json);
  const [tag] = keys;
  if (keys.length === 1 && tag?.startsWith('$')) {
    const wrapped = decodeWrapped(tag, json[tag] ?? null);
    if (wrapped !== undefined) return wrapped;
  }
  return new PyDict(keys.map((key) => [key, decode(json[key] ?? null)]));
}

/** Reads a value in a prompt position, where an array is a `PromptList`. */
export function decodePrompt(json: Json): PyValue {
  if (isArray(json)) return new PromptList(json.map(decode));
  if (isObject(json)) {
    if (isArray(json.$batch)) return json.$batch.map(decodePrompt);
    if ('$raw' in json) return decode(json.$raw ?? null);
  }
  return decode(json);
}

export function decodeDict(json: Json | undefined): PyDict {
  const value = decode(json ?? {});
  if (value instanceof PyDict) return value;
  throw new Error(`not a dict: ${JSON.stringify(json)}`);
}

/** Writes a Python value in the form of the vectors; a `PromptList` is told apart if asked. */
export function encode(value: PyValue, tagPromptLists = false): Json {
  const inner = (item: PyValue): Json => encode(item, tagPromptLists);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof TracedText) return value.text;
  if (typeof value === 'bigint') return { $int: value.toString() };
  if (value instanceof Float) return { $float: pyRepr(value) };
  if (typeof value === 'number') return Number.isInteger(value) ? value : { $float: pyRepr(value) };
  if (value instanceof PyTuple) return { $tuple: value.items.map(inner) };
  if (value instanceof PromptList) {
    const items = value.items.map(inner);
    return tagPromptLists ? { $promptlist: items } : items;
  }
  if (value instanceof PyObject) throw new Error(`no vector holds a ${value.type}`);
  if (!(value instanceof PyDict)) return value.map(inner);
  const entries = value.entries().map(([key, item]): [Json, Json] => [inner(key), inner(item)]);
  if (entries.some(([key]) => isTrickyKey(key))) return { $dict: entries };
  return Object.fromEntries(entries);
}

/** The short form in which the vectors give long outputs. */
export function digest(json: Json): string {
  const canonical = typeof json === 'string' ? json : JSON.stringify(sortKeys(json));
  return `#${createHash('sha256').update(canonical, 'utf8').digest('hex').slice(0, 16)}`;
}

function decodeWrapped(tag: string, content: Json): PyValue | undefined {
  switch (tag) {
    case '$dict':
    case '$pairs':
      return new PyDict(pairs(content));
    case '$tuple':
      return new PyTuple(isArray(content) ? content.map(decode) : []);
    case '$promptlist':
      return new PromptList(isArray(content) ? content.map(decode) : []);
    case '$float':
      return new Float(parseFloatText(String(content)));
    case '$int':
      return BigInt(String(content));
    default:
      return undefined;
  }
}

function pairs(content: Json): [PyValue, PyValue][] {
  if (!isArray(content)) return [];
  return content.map((pair) => {
    const [key = null, value = null] = isArray(pair) ? pair : [];
    return [decode(key), decode(value)];
  });
}

export function parseFloatText(text: string): number {
  if (text === 'nan') return Number.NaN;
  return Number(text.replace('inf', 'Infinity'));
}

function isTrickyKey(key: Json): boolean {
  return typeof key !== 'string' || /^(\d+$|\$)/.test(key);
}

function sortKeys(json: Json): Json {
  if (isArray(json)) return json.map(sortKeys);
  if (!isObject(json)) return json;
  const sorted: JsonObject = Object.fromEntries(
    Object.keys(json)
      .sort()
      .map((key) => [key, sortKeys(json[key] ?? null)]),
  );
  return sorted;
}

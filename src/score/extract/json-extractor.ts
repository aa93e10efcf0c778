import type { Extractor } from './extractor.ts';
import {
  endOfSimpleValue,
  type JsonEnds,
  type JsonLocation,
  scanJson,
  skipSpace,
} from './scan-json.ts';

/**
 * The value at a path in the last JSON object of the text that has it, fenced or not. Strings come
 * without their quotes, everything else as it is written; null is nothing.
 *
 * @example
 * jsonValue(['answer', 'value']).extract('So: {"answer": {"value": 42}}')?.value; // '42'
 */
export function jsonValue(path: JsonPath): Extractor {
  return {
    name: 'json',
    extract(text) {
      const { objects, ends } = scanJson(text);
      for (const from of objects.toReversed()) {
        const location = followPath({ text, ends, from }, path);
        if (!location) continue;
        const written = text.slice(location.start, location.end);
        const value = written.startsWith('"') ? String(JSON.parse(written)) : written;
        return value.trim() === '' || value === 'null' ? undefined : { value, ...location };
      }
      return undefined;
    },
  };
}

/** The keys and indexes that lead to a value; an index below 0 counts from the end. */
export type JsonPath = readonly (string | number)[];

/**
 * Reads `answer.value`, `items[0]` or `["odd key"]`; nothing if it is not a path.
 *
 * @example
 * parseJsonPath('items[0].name'); // ['items', 0, 'name']
 */
export function parseJsonPath(written: string): JsonPath | undefined {
  const step = /(?:^|\.)([^.[\]"\s]+)|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  const path: (string | number)[] = [];
  while (step.lastIndex < written.length) {
    const match = step.exec(written);
    if (!match) return undefined;
    const [, name, index, quoted] = match;
    path.push(name ?? (index === undefined ? unquote(quoted ?? '') : Number(index)));
  }
  return path.length > 0 ? path : undefined;
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

interface ScannedText {
  readonly text: string;
  readonly ends: JsonEnds;
}

/** Where the value stands that the path leads to from a well-formed value. */
function followPath(
  { from, ...scanned }: ScannedText & { readonly from: JsonLocation },
  path: JsonPath,
): JsonLocation | undefined {
  let location: JsonLocation | undefined = from;
  for (const step of path) {
    if (!location) return undefined;
    const opening = scanned.text.charAt(location.start);
    if (opening === '{') location = memberOf(scanned, location.start, String(step));
    else if (opening === '[' && typeof step === 'number') {
      location = [...valuesIn(scanned, location.start)].at(step)?.value;
    } else return undefined;
  }
  return location;
}

/** The keys of the object that begins here in a text, in their order, each as often as it is written. */
export function keysOfObject(text: string, start: number): string[] {
  const { ends } = scanJson(text);
  return Array.from(valuesIn({ text, ends }, start), ({ key }) =>
    key ? String(JSON.parse(text.slice(key.start, key.end))) : '',
  );
}

/** As everywhere, the last of several members of one name counts. */
function memberOf(scanned: ScannedText, start: number, name: string): JsonLocation | undefined {
  let found: JsonLocation | undefined;
  for (const { key, value } of valuesIn(scanned, start)) {
    if (key && JSON.parse(scanned.text.slice(key.start, key.end)) === name) found = value;
  }
  return found;
}

/** What a well-formed object or list holds. */
function* valuesIn(
  { text, ends }: ScannedText,
  start: number,
): Generator<{ readonly key?: JsonLocation; readonly value: JsonLocation }> {
  const isObject = text.charAt(start) === '{';
  const locationAt = (index: number): JsonLocation => ({
    start: index,
    end: ends.get(index) ?? endOfSimpleValue(text, index),
  });
  let index = skipSpace(text, start + 1);
  while (!'}]'.includes(text.charAt(index))) {
    const key = isObject ? locationAt(index) : undefined;
    const value = locationAt(key ? skipSpace(text, skipSpace(text, key.end) + 1) : index);
    yield key ? { key, value } : { value };
    index = skipSpace(text, value.end);
    if (text.charAt(index) === ',') index = skipSpace(text, index + 1);
  }
}

import type { Extractor } from '../extractor.ts';
import { followPath, type JsonPath } from './json-path.ts';
import { scanJson } from './scan-json.ts';

/**
 * What a path leads to in the last JSON object of the text that has it, fenced or not. Strings come
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
        const place = followPath({ text, ends, from }, path);
        if (!place) continue;
        const written = text.slice(place.start, place.end);
        const value = written.startsWith('"') ? String(JSON.parse(written)) : written;
        return value.trim() === '' || value === 'null' ? undefined : { value, ...place };
      }
      return undefined;
    },
  };
}

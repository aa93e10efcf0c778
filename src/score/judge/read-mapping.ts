import { keysOfObject } from '../extract/json-extractor.ts';
import { scanJson } from '../extract/scan-json.ts';

/** A mapping whose keys do not say one thing. */
export interface UnclearMapping {
  readonly problem: string;
}

export type ReadMapping = ReadonlyMap<string, unknown> | UnclearMapping | undefined;

/** A text that is one mapping and nothing else, as JSON or as a flat one of Python. */
export function readMapping(text: string): ReadMapping {
  const written = text.trim();
  const [object] = scanJson(written).objects;
  if (object?.start === 0 && object.end === written.length) {
    const double = firstDouble(keysOfObject(written, 0));
    if (double !== undefined) return unclear(double);
    return new Map(Object.entries(JSON.parse(written) as Record<string, unknown>));
  }
  return readPythonMapping(written);
}

const string = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
const entry = new RegExp(
  String.raw`\s*(?<key>${string})\s*:\s*(?:(?<text>${string})|(?<other>-?\d+(?:\.\d+)?|True|False|None))\s*(?<end>,|\}\s*$)`,
  'sy',
);

function readPythonMapping(text: string): ReadMapping {
  if (!text.startsWith('{')) return undefined;
  const values = new Map<string, unknown>();
  for (let place = 1; place < text.length; ) {
    entry.lastIndex = place;
    const { key = '', text: said, other, end = '' } = entry.exec(text)?.groups ?? {};
    if (end === '') return undefined;
    const name = unquote(key);
    if (values.has(name)) return unclear(name);
    values.set(name, said === undefined ? other : unquote(said));
    if (end !== ',') return values;
    place = entry.lastIndex;
    if (/^\s*\}\s*$/.test(text.slice(place))) return values;
  }
  return undefined;
}

function firstDouble(keys: readonly string[]): string | undefined {
  return keys.find((key, index) => keys.indexOf(key) < index);
}

function unclear(key: string): UnclearMapping {
  return { problem: `\`${key}\` is written twice` };
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

import { scanJson } from '../extract/scan-json.ts';

/** A text that is one mapping and nothing else, as JSON or as a flat one of Python. */
export function readMapping(text: string): ReadonlyMap<string, unknown> | undefined {
  const written = text.trim();
  const [object] = scanJson(written).objects;
  if (object?.start === 0 && object.end === written.length) {
    return new Map(Object.entries(JSON.parse(written) as Record<string, unknown>));
  }
  return readPythonMapping(written);
}

const string = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
const entry = new RegExp(
  String.raw`\s*(?<key>${string})\s*:\s*(?:(?<text>${string})|(?<other>-?\d+(?:\.\d+)?|True|False|None))\s*(?<end>,|\}\s*$)`,
  'sy',
);

function readPythonMapping(text: string): ReadonlyMap<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  const values = new Map<string, unknown>();
  for (let place = 1; place < text.length; ) {
    entry.lastIndex = place;
    const { key = '', text: said, other, end = '' } = entry.exec(text)?.groups ?? {};
    if (end === '') return undefined;
    values.set(unquote(key), said === undefined ? other : unquote(said));
    if (end !== ',') return values;
    place = entry.lastIndex;
    if (/^\s*\}\s*$/.test(text.slice(place))) return values;
  }
  return undefined;
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

/** Where a JSON value stands in a text. */
export interface JsonLocation {
  readonly start: number;
  readonly end: number;
}

/** The end of every JSON object and list by its start; nothing for those that are broken. */
export type JsonEnds = ReadonlyMap<number, number | undefined>;

export interface JsonScan {
  /** The well-formed objects that are inside no other, from left to right. */
  readonly objects: readonly JsonLocation[];
  readonly ends: JsonEnds;
}

/**
 * Finds the JSON objects in a text, whatever stands around them.
 *
 * The time goes with the length of the text. What starts inside a broken object was read along with
 * it, and is not read again. What starts inside one of its strings takes every string for what is
 * between strings: there are only these two ways to read a character.
 */
export function scanJson(text: string): JsonScan {
  const ends = new Map<number, number | undefined>();
  const objects: JsonLocation[] = [];
  let start = text.indexOf('{');
  while (start >= 0) {
    if (!ends.has(start)) readObject(text, start, ends);
    const end = ends.get(start);
    if (end !== undefined) objects.push({ start, end });
    start = text.indexOf('{', end ?? start + 1);
  }
  return { objects, ends };
}

type Expected = 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end';

/** Reads from an opening brace to the one that closes it, or to the first thing that is amiss. */
function readObject(text: string, start: number, ends: Map<number, number | undefined>): void {
  const open: { readonly start: number; readonly isObject: boolean }[] = [];
  let expected: Expected = 'value';
  let index = start;
  do {
    const character = text.charAt(index);
    const takesValue: boolean = expected === 'value' || expected === 'value or end';
    const takesKey: boolean = expected === 'key' || expected === 'key or end';
    const isObject = open.at(-1)?.isObject ?? false;
    let end = index + 1;
    if (takesValue && (character === '{' || character === '[')) {
      ends.set(index, undefined);
      open.push({ start: index, isObject: character === '{' });
      expected = character === '{' ? 'key or end' : 'value or end';
    } else if (expected.endsWith('or end') && character === (isObject ? '}' : ']')) {
      ends.set(open.pop()?.start ?? start, end);
      expected = 'comma or end';
    } else if (expected === 'comma or end' && character === ',') {
      expected = isObject ? 'key' : 'value';
    } else if (expected === 'colon' && character === ':') {
      expected = 'value';
    } else if (takesKey || takesValue) {
      end = takesKey ? endOfString(text, index) : endOfSimpleValue(text, index);
      expected = takesKey ? 'colon' : 'comma or end';
    } else return;
    if (end < 0) return;
    index = skipSpace(text, end);
  } while (open.length > 0);
}

/** Where the string, number or word ends that starts here; -1 if none does. */
export function endOfSimpleValue(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start);
  const simple = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
  simple.lastIndex = start;
  return simple.test(text) ? simple.lastIndex : -1;
}

function endOfString(text: string, start: number): number {
  if (text.charAt(start) !== '"') return -1;
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') return index + 1;
    if (character < ' ') return -1;
    if (character !== '\\') continue;
    index += 1;
    const escaped = text.charAt(index);
    if (escaped === 'u' && /^[\da-f]{4}$/i.test(text.slice(index + 1, index + 5))) index += 4;
    else if (escaped === '' || !'"\\/bfnrt'.includes(escaped)) return -1;
  }
  return -1;
}

/** The next position that is not white space to JSON. */
export function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && ' \t\n\r'.includes(text.charAt(index))) index += 1;
  return index;
}

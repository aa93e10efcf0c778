import type { PromptDifferences, PromptPlace, RowPlace } from '../comparison.ts';

/** The prompts of a pair of rows, as far as they are recorded. */
export interface PromptPair {
  readonly row: RowPlace;
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

const listedPlaces = 3;
const shownBefore = 24;
const shownAfter = 40;
/** Places are one where this much around them is the same. */
const alike = 6;

/** Where the prompts of paired rows begin to differ. */
export function promptDifferences(pairs: readonly PromptPair[]): PromptDifferences {
  const known = pairs.filter(({ a, b }) => a !== undefined && b !== undefined);
  const other = known.filter(({ a, b }) => a !== b);
  const places = new Map<string, PromptPlace>();
  for (const { row, a = '', b = '' } of other) {
    const place = placeOf(row, a, b);
    const { before } = place;
    const key = [before.slice(-alike), place.a.slice(0, alike), place.b.slice(0, alike)].join('\0');
    const earlier = places.get(key);
    places.set(key, earlier ? { ...earlier, rows: earlier.rows + 1 } : place);
  }
  return {
    same: known.length - other.length,
    other: other.length,
    whiteSpace: other.filter(({ a, b }) => squeeze(a) === squeeze(b)).length,
    unknown: pairs.length - known.length,
    places: [...places.values()].sort((one, next) => next.rows - one.rows).slice(0, listedPlaces),
  };
}

function squeeze(text: string | undefined): string | undefined {
  return text?.replaceAll(/\s+/g, '');
}

function placeOf(row: RowPlace, a: string, b: string): PromptPlace {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  const lines = a.slice(0, at).split('\n');
  return {
    rows: 1,
    row,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    before: a.slice(Math.max(0, at - shownBefore), at),
    a: a.slice(at, at + shownAfter),
    b: b.slice(at, at + shownAfter),
  };
}

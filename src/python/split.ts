import { fail } from './compat-error.ts';
import { pythonSpace } from './text.ts';

export type Side = 'left' | 'right';

/** Offsets of a stretch of text. */
export type Range = readonly [start: number, end: number];

export interface SplitOptions {
  /** Undefined splits at runs of white space. */
  readonly separator: string | undefined;
  /** How often to split at most; undefined or negative means as often as possible. */
  readonly limit: number | undefined;
  /** The side from which splits are counted. */
  readonly from: Side;
}

/** Where `split` and `rsplit` cut, and whether that is everywhere they could. */
export function splitRanges(
  text: string,
  { separator, limit, from }: SplitOptions,
): { readonly cuts: readonly Range[]; readonly isWhole: boolean } {
  const all = separator === undefined ? spaceRanges(text) : separatorRanges(text, separator, from);
  const count = limit === undefined || limit < 0 ? all.length : Math.min(limit, all.length);
  const cuts = from === 'left' ? all.slice(0, count) : all.slice(all.length - count);
  return { cuts, isWhole: count === all.length };
}

const gap = new RegExp(`(?<=[^${pythonSpace}])[${pythonSpace}]+(?=[^${pythonSpace}])`, 'g');

function spaceRanges(text: string): Range[] {
  return matchRanges(text, gap);
}

function matchRanges(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}

/** Where a separator stands, in the order of the text, if it is looked for from one side. */
export function separatorRanges(text: string, separator: string, from: Side): Range[] {
  if (separator === '') fail('ValueError', 'the separator is empty');
  const size = separator.length;
  const ranges: Range[] = [];
  if (from === 'left') {
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + size)) {
      ranges.push([at, at + size]);
    }
    return ranges;
  }
  let end = text.length;
  while (end >= size) {
    const at = text.lastIndexOf(separator, end - size);
    if (at < 0) break;
    ranges.unshift([at, at + size]);
    end = at;
  }
  return ranges;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends lines at these too
const lineEnd = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/g;

/** The line ends at which `splitlines` cuts. */
export function lineEndRanges(text: string): Range[] {
  return matchRanges(text, lineEnd);
}

import { fail } from './failure.ts';
import type { TextValue } from './library.ts';
import { ask, joinTexts, sliceText, trimText } from './text.ts';
import { characters } from './values.ts';
import { SPACE } from './whitespace.ts';

export type Side = 'left' | 'right';

/** Python's `strip`, `lstrip` and `rstrip`: of white space, or of any of `set`. */
export function strip(
  self: TextValue,
  { set, sides }: { set: string | undefined; sides: readonly Side[] },
): TextValue {
  const [left, right] = [sides.includes('left'), sides.includes('right')];
  if (set === undefined) return trimText(self, { start: left, end: right });
  const members = new Set(set);
  const isAtEdge = [...members].some(
    (member) =>
      (left && ask(self, 'startsWith', member)) || (right && ask(self, 'endsWith', member)),
  );
  if (!isAtEdge) return self;
  const points = [...self.value];
  let start = 0;
  let end = self.value.length;
  while (left && members.has(points[0] ?? '')) start += points.shift()?.length ?? 0;
  while (right && members.has(points.at(-1) ?? '')) end -= points.pop()?.length ?? 0;
  return sliceText(self, start, end);
}

interface SplitOptions {
  /** Undefined splits at runs of white space. */
  readonly separator: string | undefined;
  /** How often to split at most; undefined or negative means as often as possible. */
  readonly limit: number | undefined;
  /** The side from which splits are counted. */
  readonly from: Side;
}

export function split(self: TextValue, { separator, limit, from }: SplitOptions): TextValue[] {
  if (separator && !ask(self, 'includes', separator)) return [self];
  const cuts = separator === undefined ? gaps(self.value) : places(self.value, separator, from);
  const most = limit === undefined || limit < 0 ? cuts.length : limit;
  const used = from === 'left' ? cuts.slice(0, most) : cuts.slice(Math.max(0, cuts.length - most));
  const pieces = cutOut(self, used);
  if (separator !== undefined) return pieces;
  // White space around words goes, except at the far end of a remainder that was not split.
  const isWhole = used.length === cuts.length;
  const trim = { start: isWhole || from === 'left', end: isWhole || from === 'right' };
  return pieces.map((piece) => trimText(piece, trim)).filter((piece) => piece.value !== '');
}

type Range = readonly [start: number, end: number];

const gap = new RegExp(`(?<=[^${SPACE}])[${SPACE}]+(?=[^${SPACE}])`, 'g');

function gaps(source: string): Range[] {
  return [...source.matchAll(gap)].map(({ index, 0: found }) => [index, index + found.length]);
}

function places(source: string, separator: string, from: Side): Range[] {
  if (separator === '') fail('the separator is empty');
  const size = separator.length;
  const ranges: Range[] = [];
  if (from === 'left') {
    for (let at = source.indexOf(separator); at >= 0; at = source.indexOf(separator, at + size)) {
      ranges.push([at, at + size]);
    }
    return ranges;
  }
  let end = source.length;
  while (end >= size) {
    const at = source.lastIndexOf(separator, end - size);
    if (at < 0) break;
    ranges.unshift([at, at + size]);
    end = at;
  }
  return ranges;
}

/** The text between the ranges. */
function cutOut(self: TextValue, ranges: readonly Range[]): TextValue[] {
  const starts = [0, ...ranges.map(([, end]) => end)];
  const ends = [...ranges.map(([start]) => start), self.value.length];
  return starts.map((start, index) => sliceText(self, start, ends[index] ?? 0));
}

/** Text before, at and after the first (or last) separator, if there is one. */
export function partition(
  self: TextValue,
  { separator, from }: { separator: string; from: Side },
): TextValue[] | undefined {
  const ranges = places(self.value, separator, from);
  const range = from === 'left' ? ranges[0] : ranges.at(-1);
  if (range === undefined) return undefined;
  const [start, end] = range;
  const last = self.value.length;
  return [sliceText(self, 0, start), sliceText(self, start, end), sliceText(self, end, last)];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends lines at these too
const lineEnd = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/g;

export function splitLines(self: TextValue, keepEnds: boolean): TextValue[] {
  const lines: TextValue[] = [];
  let position = 0;
  for (const { index, 0: found } of self.value.matchAll(lineEnd)) {
    const end = index + found.length;
    lines.push(sliceText(self, position, keepEnds ? end : index));
    position = end;
  }
  const last = self.value.length;
  return position < last ? [...lines, sliceText(self, position, last)] : lines;
}

interface ReplaceOptions {
  readonly old: string;
  readonly replacement: TextValue;
  readonly limit: number | undefined;
}

export function replaceText(
  self: TextValue,
  { old, replacement, limit }: ReplaceOptions,
): TextValue {
  if (old !== '') {
    return joinTexts(split(self, { separator: old, limit, from: 'left' }), replacement);
  }
  const points = characters(self);
  const most = limit === undefined || limit < 0 ? points.length + 1 : limit;
  const parts = points.flatMap((point, index) => (index < most ? [replacement, point] : [point]));
  return joinTexts(points.length < most ? [...parts, replacement] : parts);
}

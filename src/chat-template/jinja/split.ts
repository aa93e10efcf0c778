import {
  lineEndRanges,
  type Range,
  type Side,
  type SplitOptions,
  separatorRanges,
  splitRanges,
} from '../../python/split.ts';
import { spendItems, spendSearch } from './budget.ts';
import type { TextValue } from './library.ts';
import { ask, joinTexts, sliceText, trimText } from './text.ts';
import { characters } from './values.ts';

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
  spendItems(self.value.length);
  const points = [...self.value];
  let [first, last] = [0, points.length];
  while (left && first < last && members.has(points[first] ?? '')) first += 1;
  while (right && first < last && members.has(points[last - 1] ?? '')) last -= 1;
  const start = points.slice(0, first).join('').length;
  return sliceText(self, start, start + points.slice(first, last).join('').length);
}

export function split(self: TextValue, options: SplitOptions): TextValue[] {
  const { separator, from } = options;
  if (separator && !ask(self, 'includes', separator)) return [self];
  const { value } = self;
  spendSearch(value, separator ?? '');
  const { cuts, isWhole } = splitRanges(value, options);
  spendItems(cuts.length);
  const pieces = cutOut(self, cuts);
  if (separator !== undefined) return pieces;
  // White space around words goes, except at the far end of a remainder that was not split.
  const trim = { start: isWhole || from === 'left', end: isWhole || from === 'right' };
  return pieces.map((piece) => trimText(piece, trim)).filter((piece) => piece.value !== '');
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
  spendSearch(self.value, separator);
  const ranges = separatorRanges(self.value, separator, from);
  const range = from === 'left' ? ranges[0] : ranges.at(-1);
  if (range === undefined) return undefined;
  const [start, end] = range;
  const last = self.value.length;
  return [sliceText(self, 0, start), sliceText(self, start, end), sliceText(self, end, last)];
}

export function splitLines(self: TextValue, keepEnds: boolean): TextValue[] {
  const lines: TextValue[] = [];
  let position = 0;
  for (const [start, end] of lineEndRanges(self.value)) {
    lines.push(sliceText(self, position, keepEnds ? end : start));
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
  const count = limit === undefined || limit < 0 ? points.length + 1 : limit;
  const parts = points.flatMap((point, index) => (index < count ? [replacement, point] : [point]));
  return joinTexts(points.length < count ? [...parts, replacement] : parts);
}

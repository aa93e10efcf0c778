import { fail } from '../compat-error.ts';
import { countCharacters } from '../text.ts';
import type { FormatSpec } from './format-spec.ts';

/** Nobody asks for wider fields and means it. */
const maxWidth = 1_000_000;

/** Refuses a width or precision that nothing has room for. */
export function checkWidth(width: number): void {
  if (width > maxWidth)
    fail('MemoryError', `a field is ${width} characters wide; ${maxWidth} is the most`);
}

/** What stands before and after a text of so many characters, for the width that is asked for. */
export function paddingOf(
  length: number,
  { fill, align, width }: FormatSpec,
): [before: string, after: string] {
  const missing = width === 0 ? 0 : width - length;
  if (missing <= 0) return ['', ''];
  checkWidth(width);
  const before = align === '>' ? missing : align === '^' ? Math.floor(missing / 2) : 0;
  return [fill.repeat(before), fill.repeat(missing - before)];
}

/** Puts fill characters around a text. */
export function pad(text: string, spec: FormatSpec): string {
  const [before, after] = paddingOf(countCharacters(text), spec);
  return before + text + after;
}

export interface NumberParts {
  readonly isNegative: boolean;
  /** `0x` and its like. */
  readonly prefix: string;
  /** Digits before the point. */
  readonly digits: string;
  /** The point and what follows, or a text that is no number. */
  readonly rest: string;
}

/** Writes a number with its sign, groups of digits and padding. */
export function alignNumber(
  { isNegative, prefix, digits, rest }: NumberParts,
  spec: FormatSpec & { readonly groupSize: number },
): string {
  checkWidth(spec.width);
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const start = sign + prefix;
  if (spec.align !== '=') return pad(start + group(digits, { ...spec, width: 0 }) + rest, spec);
  const inner = spec.width - start.length - [...rest].length;
  const width = spec.fill === '0' ? inner : 0;
  return (
    start + pad(group(digits, { ...spec, width }), { ...spec, width: inner, align: '>' }) + rest
  );
}

/** Digits in groups, with zeros before them up to a width; a separator is never the first. */
function group(
  digits: string,
  { grouping, groupSize, width }: Pick<FormatSpec, 'grouping' | 'width'> & { groupSize: number },
): string {
  if (digits === '' || grouping === '') return digits;
  const groups: string[] = [];
  let left = digits;
  let room = width;
  do {
    const size = Math.min(groupSize, Math.max(left.length, room, 1));
    groups.push(left.slice(-size).padStart(size, '0'));
    left = left.slice(0, -size);
    room -= size + 1;
  } while (left !== '' || room >= 0);
  return groups.reverse().join(grouping);
}

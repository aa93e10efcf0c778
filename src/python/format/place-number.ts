import { type FormatSpec, pad } from './format-spec.ts';

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
export function placeNumber(
  { isNegative, prefix, digits, rest }: NumberParts,
  spec: FormatSpec & { readonly groupSize: number },
): string {
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
    groups.unshift(left.slice(-size).padStart(size, '0'));
    left = left.slice(0, -size);
    room -= size + 1;
  } while (left !== '' || room >= 0);
  return groups.join(grouping);
}

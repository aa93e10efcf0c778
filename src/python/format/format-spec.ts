import { fail } from '../failure.ts';

/** A format specification, such as the `>10.3f` of `{question:>10.3f}`. */
export interface FormatSpec {
  readonly fill: string;
  readonly align: Align;
  readonly sign: '' | '+' | '-' | ' ';
  /** `z`: no negative zero. */
  readonly positiveZero: boolean;
  /** `#` */
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: '' | ',' | '_';
  readonly precision: number | undefined;
  readonly type: string;
}

export type Align = '<' | '>' | '=' | '^';

const pattern =
  /^(?:(?<fill>[\s\S])?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<positiveZero>z)?(?<alternate>#)?(?<width>\d*)(?<grouping>,?_?,?)(?:\.(?<precision>\d*))?(?<type>[\s\S]*)$/u;

/** Python's largest index. */
const largestCount = 2n ** 63n - 1n;
/** Wider fields do not fit in a string. */
const largestWidth = 2 ** 28;

/** Reads a specification by the rules for values whose usual type and alignment are these. */
export function parseFormatSpec(
  text: string,
  usual: { readonly type: string; readonly align: Align },
): FormatSpec {
  const groups = pattern.exec(text)?.groups ?? {};
  const { sign = '', width = '', grouping = '', precision, type = '' } = groups;
  const isZeroFilled = groups.fill === undefined && width.startsWith('0');
  if (grouping.length > 1) fail('ValueError', 'a format has both `,` and `_`');
  if (precision === '') fail('ValueError', 'a format has no number after its point');
  if ([...type].length > 1) fail('ValueError', `\`${type}\` is no format`);
  const spec = {
    fill: groups.fill ?? (isZeroFilled ? '0' : ' '),
    align: (groups.align ?? (isZeroFilled && usual.align === '>' ? '=' : usual.align)) as Align,
    sign: sign as FormatSpec['sign'],
    positiveZero: groups.positiveZero !== undefined,
    alternate: groups.alternate !== undefined,
    width: readCount(width),
    grouping: grouping as FormatSpec['grouping'],
    precision: precision === undefined ? undefined : readCount(precision),
    type: type === '' ? usual.type : type,
  };
  checkGrouping(spec);
  return spec;
}

function checkGrouping({ grouping, type }: FormatSpec): void {
  if (grouping === '' || type === '' || 'defgEG%F'.includes(type)) return;
  if (grouping === '_' && 'boxX'.includes(type)) return;
  fail('ValueError', `digits cannot be grouped with \`${grouping}\` in the format \`${type}\``);
}

/** A whole number written in digits, or nothing. */
export function readInteger(text: string): number | undefined {
  return /^\d+$/.test(text) ? readCount(text) : undefined;
}

function readCount(digits: string): number {
  if (BigInt(digits) > largestCount) fail('ValueError', `the number ${digits} is too large`);
  return Number(digits);
}

/** Puts fill characters around a text, for the width that the specification asks for. */
export function pad(text: string, { fill, align, width }: FormatSpec): string {
  const missing = width === 0 ? 0 : width - lengthOf(text);
  if (missing <= 0) return text;
  if (width > largestWidth) fail('MemoryError', `no text can be ${width} characters wide`);
  const before = align === '>' ? missing : align === '^' ? Math.floor(missing / 2) : 0;
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

/** How many characters Python counts. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs;
}

import { fail } from '../compat-error.ts';

/** A format specification, such as the `>10.3f` of `{question:>10.3f}`. */
export interface FormatSpec {
  /** The specification as it was written. */
  readonly source: string;
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
const maxCount = 2n ** 63n - 1n;

/** Reads a specification by the rules for values with this default type and alignment. */
export function parseFormatSpec(
  text: string,
  defaults: { readonly type: string; readonly align: Align },
): FormatSpec {
  const groups = pattern.exec(text)?.groups ?? {};
  const { sign = '', width = '', grouping = '', precision, type = '' } = groups;
  const isZeroFilled = groups.fill === undefined && width.startsWith('0');
  if (grouping.length > 1) fail('ValueError', 'a format has both `,` and `_`');
  if (precision === '') fail('ValueError', 'a format has no number after its point');
  if ([...type].length > 1) fail('ValueError', `\`${type}\` is not a format`);
  const spec = {
    source: text,
    fill: groups.fill ?? (isZeroFilled ? '0' : ' '),
    align: (groups.align ??
      (isZeroFilled && defaults.align === '>' ? '=' : defaults.align)) as Align,
    sign: sign as FormatSpec['sign'],
    positiveZero: groups.positiveZero !== undefined,
    alternate: groups.alternate !== undefined,
    width: readCount(width),
    grouping: grouping as FormatSpec['grouping'],
    precision: precision === undefined ? undefined : readCount(precision),
    type: type === '' ? defaults.type : type,
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
  if (BigInt(digits) > maxCount) fail('ValueError', `the number ${digits} is too large`);
  return Number(digits);
}

/** Reads the specification of a text, which has fewer parts than that of a number. */
export function parseTextSpec(text: string): FormatSpec {
  const spec = parseFormatSpec(text, { type: 's', align: '<' });
  if (spec.type !== 's') fail('ValueError', `a text has no format \`${spec.type}\``);
  if (spec.sign !== '' || spec.positiveZero || spec.alternate || spec.align === '=') {
    fail('ValueError', `\`${text}\` has parts that only numbers can have`);
  }
  return spec;
}

export interface PercentField {
  readonly source: string;
  /** What stands in parentheses: the name of the value. */
  readonly key: string | undefined;
  readonly spec: FormatSpec;
}

/** The fields of a template of `'…' % value`, each with its offset. */
export function* percentFields(template: string): Generator<PercentField & { start: number }> {
  const pattern = /%(?:\(([^)]*)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?([\s\S])/g;
  for (const match of template.matchAll(pattern)) {
    const [source, key, flags = '', width = '', precision, type = ''] = match;
    const isZeroFilled = flags.includes('0') && !flags.includes('-') && !'sra'.includes(type);
    const spec: FormatSpec = {
      source,
      fill: isZeroFilled ? '0' : ' ',
      align: flags.includes('-') ? '<' : isZeroFilled ? '=' : '>',
      sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
      positiveZero: false,
      alternate: flags.includes('#'),
      width: readCount(width),
      grouping: '',
      precision: precision === undefined ? undefined : readCount(precision),
      type,
    };
    yield { source, key, spec, start: match.index };
  }
}

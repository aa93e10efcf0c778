import { formatValue } from '../../prompt/values.ts';
import { runChain, within } from '../extract/extractor.ts';
import { afterMarker, answerLine, boxed } from '../extract/marked-answer.ts';
import { numbersOf } from '../extract/number-extractors.ts';
import { lastAmount, resultNumber } from '../extract/result-number.ts';
import { hasNoSpaces, isInsideWord } from '../text-matching.ts';

/** How an answer fared, and what was held against what. */
export interface Compared {
  /** From 0, wrong, to 1, right. */
  readonly value: number;
  readonly got: string;
  readonly want: string;
  /** As in the score of a row. */
  readonly insideWord?: true | undefined;
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  readonly cell?: string | undefined;
  readonly counts?: readonly number[] | undefined;
}

/** Holds an extracted answer against the gold answer; nothing if the gold answer is unusable. */
export type Comparison = (
  got: string,
  gold: unknown,
  input?: {
    readonly logprobs?: readonly number[] | undefined;
    readonly answer?: { readonly answer: string; readonly isVerbatim?: true } | undefined;
    /** What the answer is read together with. */
    readonly begun?: string | undefined;
    readonly openings?: readonly string[] | undefined;
    readonly wantsNothing?: true | undefined;
  },
) => Compared | undefined;

export interface TextOptions {
  readonly ignoreCase?: boolean | undefined;
  /** Takes compatibility characters for their common forms, as Unicode's NFKC does. */
  readonly normalize?: boolean | undefined;
}

/**
 * Right if both texts are the same, ignoring white space around them.
 *
 * @example
 * exact({ ignoreCase: true })(' paris', 'Paris'); // { value: 1, got: 'paris', want: 'paris' }
 */
export function exact(options: TextOptions = {}): Comparison {
  return compareTexts(options, (got, want) => got === want);
}

export interface ContainsOptions extends TextOptions {
  /** Whether the gold answer has to stand by itself, not inside of a longer word or number. */
  readonly wholeWords?: boolean | undefined;
}

/**
 * Right if the gold answer is somewhere in the answer. A short one, or a number, that stands inside
 * of words or numbers alone is marked.
 *
 * @example
 * contains()('I think it is Paris.', 'Paris')?.value; // 1
 */
export function contains({ wholeWords, ...options }: ContainsOptions = {}): Comparison {
  const compare = compareTexts(options, (got, want) =>
    wholeWords ? standsAlone(got, want) : got.includes(want),
  );
  return (answer, gold, context) => {
    const compared = compare(answer, gold, context);
    if (compared?.value !== 1 || !isShort(compared.want)) return compared;
    return standsAlone(compared.got, compared.want) ? compared : { ...compared, insideWord: true };
  };
}

function isShort(text: string): boolean {
  return Array.from(text).length <= 2 || /^[-−+]?[$€£¥]?[\d.,]+%?$/.test(text);
}

function standsAlone(text: string, part: string): boolean {
  if (hasNoSpaces(part)) return text.includes(part);
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + 1)) {
    const isNegated = /^\d/.test(part) && /(?:^|[\s(])[-−]$/.test(text.slice(0, start));
    if (!isNegated && !isInsideWord(text, start, start + part.length)) return true;
  }
  return false;
}

function compareTexts(
  options: TextOptions,
  matches: (got: string, want: string) => boolean,
): Comparison {
  return (answer, gold, context) => {
    const isVerbatim = context?.answer?.isVerbatim;
    const got = prepare(answer, options, isVerbatim);
    const want = prepare(formatValue(gold), options, isVerbatim);
    return want === '' && !context?.wantsNothing
      ? undefined
      : { value: Number(matches(got, want)), got, want };
  };
}

function prepare(text: string, { ignoreCase, normalize }: TextOptions, isVerbatim = false): string {
  const whole = normalize ? text.normalize('NFKC') : text;
  const normal = isVerbatim ? whole : whole.trim();
  return ignoreCase ? normal.toLowerCase() : normal;
}

export interface NumberOptions {
  /** How far apart the numbers may be; 0 by default. */
  readonly tolerance?: number | undefined;
  /** The same as a share of the gold answer; 0 by default. */
  readonly relativeTolerance?: number | undefined;
}

const numberOfGold = [
  within(boxed, lastAmount),
  within(afterMarker(['####']), lastAmount),
  lastAmount,
];

/**
 * Right if both are the same number, however it is written. Whole numbers may have any size. Where
 * one of them alone is a percentage it may be meant as it stands or as a share: `50%` is both 50
 * and 0.5, but 50 is not 0.5. An amount that is given in two units, `7 days (1 week)`, is both numbers.
 *
 * @example
 * numberEqual()('1,000.0', '1000')?.value; // 1
 */
export function numberEqual({
  tolerance = 0,
  relativeTolerance = 0,
}: NumberOptions = {}): Comparison {
  return (answer, gold) => {
    const want = runChain(numberOfGold, formatValue(gold)).found?.value;
    if (want === undefined) return undefined;
    const isRead = numbersOf(answer).length > 1;
    const got = isRead ? answer : (lastAmount.extract(answer)?.value ?? answer);
    const areEqual = (left: string, right: string) => {
      const allowed = Math.max(tolerance, relativeTolerance * Math.abs(Number(right)));
      return left === right || isNear({ got: left, want: right, allowed });
    };
    const isSame = (left: string, right: string) =>
      areEqual(left.replace('%', ''), right.replace('%', '')) ||
      (left.endsWith('%') !== right.endsWith('%') && areEqual(asShare(left), asShare(right)));
    const [first = got, ...others] = numbersOf(got);
    const wants = numbersOf(want);
    const right = [first, ...others].find((one) => wants.some((other) => isSame(one, other)));
    return { value: Number(right !== undefined), got: right ?? first, want };
  };
}

/**
 * Whether a gold answer holds several numbers and does not say which of them is meant: `3 or 4`.
 *
 * @example
 * holdsNumbers('2-3'); // true
 */
export function holdsNumbers(gold: string): boolean {
  if (marked.some(({ extract }) => extract(gold))) return false;
  const values = new Set<string>();
  for (let rest = gold; ; ) {
    const number = resultNumber.extract(rest);
    if (!number) return values.size > 1;
    values.add(number.value);
    rest = rest.slice(0, number.start);
  }
}

const marked = [boxed, afterMarker(['####', '=']), answerLine];

function asShare(amount: string): string {
  return amount.endsWith('%') ? String(Number(`${amount.slice(0, -1)}e-2`)) : amount;
}

function isNear({ got, want, allowed }: { got: string; want: string; allowed: number }): boolean {
  // Whole numbers that differ as text do differ, however many digits a number can hold.
  if (allowed === 0 && /^-?\d+$/.test(got) && /^-?\d+$/.test(want)) return false;
  // Reading decimals rounds them: that must not decide.
  return Math.abs(Number(got) - Number(want)) <= allowed * (1 + 1e-9);
}

/**
 * Allows the gold answer to be a list; the best match counts.
 *
 * @example
 * oneOf(exact())('colour', ['color', 'colour'])?.value; // 1
 */
export function oneOf(comparison: Comparison): Comparison {
  return (got, gold, input) => {
    if (!Array.isArray(gold)) return comparison(got, gold, input);
    const results = gold.flatMap((item) => comparison(got, item, input) ?? []);
    const [first] = results;
    if (first === undefined) return undefined;
    const value = Math.max(...results.map((result) => result.value));
    const best = results.filter((result) => result.value === value);
    return {
      value,
      got: first.got,
      want: results.map(({ want }) => want).join(' | '),
      insideWord: best.every(({ insideWord }) => insideWord) || undefined,
    };
  };
}

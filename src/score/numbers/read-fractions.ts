import type { Extraction } from '../extract/extractor.ts';
import { decimalText } from './split-digits.ts';

const latex = /\s?\\[cdt]?frac\s*(?:(\d)|\{\s*(-?\d{1,15})\s*\})\s*(?:(\d)|\{\s*(\d{1,15})\s*\})/y;
const signs = new Map([
  ['½', 1 / 2],
  ['⅓', 1 / 3],
  ['⅔', 2 / 3],
  ['¼', 1 / 4],
  ['¾', 3 / 4],
]);

/** The fraction in LaTeX, or the sign of one, that starts here. */
export function readFraction(text: string, start: number): Extraction | undefined {
  const sign = signs.get(text.charAt(start));
  if (sign !== undefined) return { value: decimalText(sign), start, end: start + 1 };
  const fraction = latexFraction(text, start);
  return fraction && { value: decimalText(fraction.value), start, end: fraction.end };
}

/** A mixed number such as `1 1/2`, `1½` or `1\frac{1}{2}`, of which the whole part was read. */
export function readMixed(text: string, number: Extraction): Extraction | undefined {
  const { start, end } = number;
  if (!/^\d{1,15}$/.test(text.slice(start, end))) return undefined;
  const sign = signs.get(text.charAt(end));
  const part =
    sign === undefined ? (latexFraction(text, end) ?? plainFraction(text, number)) : undefined;
  const value = sign ?? part?.value ?? 0;
  if (!(value > 0 && value < 1)) return undefined;
  return { value: decimalText(Number(number.value) + value), start, end: part?.end ?? end + 1 };
}

interface Fraction {
  readonly value: number;
  readonly end: number;
}

function latexFraction(text: string, start: number): Fraction | undefined {
  latex.lastIndex = start;
  const match = latex.exec(text);
  const value = Number(match?.[1] ?? match?.[2]) / Number(match?.[3] ?? match?.[4]);
  return Number.isFinite(value) ? { value, end: latex.lastIndex } : undefined;
}

/** Longer numbers side by side are a year and a share, or the like. */
function plainFraction(text: string, { start, end }: Extraction): Fraction | undefined {
  const pattern = / (\d{1,2})\/(\d{1,3})(?![\d/]|[.,]\d)/y;
  pattern.lastIndex = end;
  const match = end - start > 3 ? null : pattern.exec(text);
  return match ? { value: Number(match[1]) / Number(match[2]), end: pattern.lastIndex } : undefined;
}

import type { Extraction } from '../extract/extractor.ts';
import { foldWidth } from '../text-matching.ts';
import { readFraction, readMixed } from './read-fractions.ts';
import { decimalText, digitRun, splitDigits } from './split-digits.ts';

/**
 * The numbers in a text, from left to right, each as plain decimal text: `$1,234.50` is `1234.5`,
 * `3/4` is `0.75`, `1 1/2` is `1.5`, `10^6` is `1000000`, `1億2000万` is `120000000`. Digits that end
 * a word, as in `x2`, are no number.
 */
export function* readNumbers(text: string): Generator<Extraction> {
  const folded = foldWidth(text);
  const candidate = new RegExp(`\\\\[cdt]?frac|[½⅓⅔¼¾]|${digitRun.source}`, 'g');
  for (let match = candidate.exec(folded); match; match = candidate.exec(folded)) {
    for (const number of readCandidate(folded, match)) {
      candidate.lastIndex = number.end;
      yield withSign(folded, number);
    }
  }
}

function* readCandidate(
  text: string,
  { 0: run, index: start }: RegExpExecArray,
): Generator<Extraction> {
  if (!/^\d/.test(run)) {
    const fraction = readFraction(text, start);
    if (fraction) yield fraction;
    return;
  }
  if (/[\p{Script=Latin}_]/u.test(text.charAt(start - 1))) return;
  const parts = splitDigits(run, hasEuropeanUnit(text, start + run.length));
  for (const [index, part] of parts.entries()) {
    const number = { value: part.value, start: start + part.start, end: start + part.end };
    const pointed = index === 0 ? withLeadingPoint(text, number) : number;
    yield index === parts.length - 1 ? withTail(text, pointed) : pointed;
  }
}

function hasEuropeanUnit(text: string, end: number): boolean {
  return matchAt(/\s?(?:€|eur|%|‰)/iy, text, end) !== null;
}

/** `.5` is a half, unless the point ends what stands before it. */
function withLeadingPoint(text: string, number: Extraction): Extraction {
  const isWhole = /^\d+$/.test(text.slice(number.start, number.end));
  const before = text.slice(Math.max(0, number.start - 2), number.start);
  if (!isWhole || !/(?:^|[^\p{L}\p{N}.)\]])\.$/u.test(before)) return number;
  const value = decimalText(Number(`.${text.slice(number.start, number.end)}`));
  return { value, start: number.start - 1, end: number.end };
}

/** Takes in what follows a number and changes its value. */
function withTail(text: string, number: Extraction): Extraction {
  return (
    readQuotient(text, number) ??
    readMixed(text, number) ??
    readPower(text, number) ??
    readMyriads(text, number)
  );
}

function readQuotient(text: string, { value, start, end }: Extraction): Extraction | undefined {
  const pattern = /\s?\/\s?(\d{1,15})(?![\d/]|[.,]\d)/y;
  const match = matchAt(pattern, text, end);
  const isWhole = /^\d{1,15}$/.test(text.slice(start, end));
  if (!match || !isWhole || text.charAt(start - 1) === '/') return undefined;
  const quotient = Number(value) / Number(match[1]);
  if (!Number.isFinite(quotient)) return undefined;
  return { value: decimalText(quotient), start, end: pattern.lastIndex };
}

function readPower(text: string, { value, start, end }: Extraction): Extraction | undefined {
  const isTen = value === '10' && end - start === 2;
  const pattern = isTen ? tensPower : timesPower;
  const match = matchAt(pattern, text, end);
  const { short, caret, above = '' } = match?.groups ?? {};
  const exponent = short ?? caret ?? plainDigits(above);
  const product = Number(`${isTen ? 1 : value}e${exponent}`);
  if (!match || !Number.isFinite(product)) return undefined;
  return { value: decimalText(product), start, end: pattern.lastIndex };
}

const raised = String.raw`(?:\^\{?(?<caret>[+-]?\d{1,3})(?!\d)\}?|(?<above>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))`;
const tensPower = new RegExp(raised, 'y');
const timesPower = new RegExp(
  String.raw`e(?<short>[+-]?\d{1,3})(?!\w)|\s*(?:[×x*·]|\\times|\\cdot)\s*10${raised}`,
  'iy',
);

function plainDigits(superscripts: string): string {
  const signs = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻';
  return Array.from(superscripts, (sign) => '0123456789+-'[signs.indexOf(sign)]).join('');
}

const powerOf = new Map([
  ['千', 3],
  ['万', 4],
  ['萬', 4],
  ['億', 8],
  ['亿', 8],
  ['兆', 12],
]);

/** `3万5千` and the like: parts in falling order, of which the last may be bare digits. */
function readMyriads(text: string, number: Extraction): Extraction {
  const part = /(\d[\d,]*(?:\.\d+)?)([千万萬億亿兆]?)/y;
  let total = 0;
  let end = number.end;
  let limit = Number.POSITIVE_INFINITY;
  let next: RegExpExecArray | null = matchAt(/[千万萬億亿兆]/y, text, end);
  let digits = number.value;
  while (next) {
    const power = powerOf.get(next[2] ?? next[0]) ?? 0;
    const amount = Number(`${digits}e${power}`);
    if (amount >= limit || !Number.isFinite(total + amount)) break;
    total += amount;
    end = next.index + next[0].length;
    limit = 10 ** power;
    next = power === 0 ? null : matchAt(part, text, end);
    digits = next?.[1]?.replaceAll(',', '') ?? '';
  }
  return end === number.end ? number : { value: decimalText(total), start: number.start, end };
}

/** A sign counts where it cannot be a hyphen or an operator. ▲ and △ mark losses in Japanese accounts. */
function withSign(text: string, number: Extraction): Extraction {
  const before = text.slice(Math.max(0, number.start - 4), number.start);
  const match = /(?<![\p{Script=Latin}\p{N})\]}_%])([-−+▲△])\\?[$€£¥￥₩₹]?$/u.exec(before);
  const length = match?.[0].length ?? spacedSign(text, number);
  if (length === undefined) return number;
  const start = number.start - length;
  const isNegative = match?.[1] !== '+' && number.value !== '0';
  const value = number.value.replace(/^-/, '');
  const flips = isNegative !== number.value.startsWith('-');
  return { value: flips ? `-${value}` : value, start, end: number.end };
}

/** A minus with a space after it, where nothing stands before that it could be taken from. */
function spacedSign(text: string, { start }: Extraction): number | undefined {
  if (text.charAt(start - 1) !== ' ') return undefined;
  const from = Math.max(0, start - 16);
  const before = (from === 0 ? '\n' : '') + text.slice(from, start);
  // At the start of a line a hyphen marks an item of a list.
  const match =
    /(?:(?:[=:(<>≈]|\b(?:is|are|equals)|は)[^\S\n]*(?<any>[-−] )|\n(?<minus>− ))$/iu.exec(before);
  return (match?.groups?.any ?? match?.groups?.minus)?.length;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

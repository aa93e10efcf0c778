import type { Extraction } from '../extract/extractor.ts';
import { foldWidth } from '../text-matching.ts';
import { decimalText, digitRun, shortenDecimal, splitDigits } from './split-digits.ts';

/**
 * The numbers in a text, from left to right, each as plain decimal text: `$1,234.50` is `1234.5`,
 * `3/4` is `0.75`, `1 1/2` is `1.5`, `2^10` is `1024`, `1億2000万` is `120000000`. Digits that end
 * a word, as in `x2`, are no number, nor is the power that something else is raised to.
 */
export function* readNumbers(text: string): Generator<Extraction> {
  const folded = foldWidth(apartAtCommas(text));
  for (let match = matchAt(candidate, folded, 0); match; ) {
    let end = match.index + match[0].length;
    for (const number of readCandidate(folded, match)) {
      end = number.end;
      yield withSign(folded, number);
    }
    match = matchAt(candidate, folded, end);
  }
}

const candidate = new RegExp(`\\\\[cdt]?frac|[½⅓⅔¼¾]|${digitRun.source}`, 'g');

/** A full-width comma ends a clause, unless groups of three digits on both sides of two of them say otherwise. */
function apartAtCommas(text: string): string {
  if (!text.includes('，')) return text;
  return text.replace(/\d+(?:，\d+)+/g, (run) =>
    /^[1-9]\d{0,2}(?:，\d{3}){2,}$/.test(run) ? run : run.replaceAll('，', '、'),
  );
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
  if (/\^\{?[-+−]?$/.test(text.slice(Math.max(0, start - 3), start))) return;
  const isPair =
    text.charAt(start - 1) === '(' &&
    text.charAt(start + run.length) === ')' &&
    /^\d+,\d+$/.test(run);
  const grouped = groupedMoney(text, start, run);
  if (grouped !== undefined) {
    yield { value: grouped, start, end: start + run.length };
    return;
  }
  const parts = splitDigits(run, isPair);
  for (const [index, part] of parts.entries()) {
    const number = { value: part.value, start: start + part.start, end: start + part.end };
    const pointed = index === 0 ? withLeadingPoint(text, number) : number;
    yield index === parts.length - 1 ? withTail(text, pointed) : pointed;
  }
}

const pointMoneyBefore = /(?:€|(?<!\p{L})(?:EUR|R\$|Rp\.?|zł|₫|₺)) ?$/u;
const pointMoneyAfter =
  /^ ?(?:€|(?:EUR|[Ee]uros?|pesos|kr|zł|Kč|₫|đồng|VND|₺|TL|rupiah|reais)(?!\p{L}))(?! ?(?:\/|per\b|pro\b|par\b|por\b|al?\b))/u;
const indianMoneyBefore = /(?:₹|(?<!\p{L})(?:Rs\.?|INR)) ?$/u;
const indianMoneyAfter = /^ ?(?:₹|(?:INR|rupees?)(?!\p{L}))/u;

/**
 * Groups of digits that a currency makes plain: `1.500 Euro` is 1500, since no price in euros has three decimals,
 * and `₹1,25,000` is 125000.
 */
function groupedMoney(text: string, start: number, run: string): string | undefined {
  const isPointed = /^[1-9]\d{0,2}\.\d{3}$/.test(run);
  const isIndian = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(run);
  if (!isPointed && !isIndian) return undefined;
  const before = text.slice(Math.max(0, start - 6), start);
  const after = text.slice(start + run.length, start + run.length + 16);
  const [known, follows] = isPointed
    ? [pointMoneyBefore, pointMoneyAfter]
    : [indianMoneyBefore, indianMoneyAfter];
  if (!known.test(before) && !follows.test(after)) return undefined;
  return isPointed ? run.replace('.', '') : shortenDecimal(run.replaceAll(',', ''));
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
  const power = matchAt(raisedTo, text, end);
  const times = power ?? matchAt(timesPower, text, end);
  if (!times) return undefined;
  const { short, braced, caret, above = '' } = times.groups ?? {};
  const exponent = Number((short ?? braced ?? caret ?? plainDigits(above)).replace('−', '-'));
  const result = power ? raise(value, exponent) : finiteText(Number(`${value}e${exponent}`));
  return result === undefined
    ? undefined
    : { value: result, start, end: times.index + times[0].length };
}

/** Whole numbers come out to the last digit. */
function raise(base: string, exponent: number): string | undefined {
  const approximate = base === '10' ? Number(`1e${exponent}`) : Number(base) ** exponent;
  const isExact = Number.isFinite(approximate) && exponent >= 0 && /^\d+$/.test(base);
  return isExact ? (BigInt(base) ** BigInt(exponent)).toString() : finiteText(approximate);
}

function finiteText(value: number): string | undefined {
  return Number.isFinite(value) ? decimalText(value) : undefined;
}

const raised = String.raw`(?:\^(?:\{(?<braced>[-+−]?\d{1,3})\}|(?<caret>[-+−]?\d{1,3})(?![\d.]*\d))|(?<above>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))`;
const raisedTo = new RegExp(raised, 'y');
const timesPower = new RegExp(
  String.raw`e(?<short>[+-]?\d{1,3})(?!\w)|\s*(?:[×x*·]|\\times|\\cdot)\s*10${raised}`,
  'iy',
);

function plainDigits(superscripts: string): string {
  const signs = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻';
  return Array.from(superscripts, (sign) => '0123456789+-'[signs.indexOf(sign)]).join('');
}

const powerOf = new Map([
  ['百', 2],
  ['千', 3],
  ['万', 4],
  ['萬', 4],
  ['百万', 6],
  ['百萬', 6],
  ['千万', 7],
  ['千萬', 7],
  ['億', 8],
  ['亿', 8],
  ['兆', 12],
]);

// The prefix of a unit is none: 3千克 are 3 kilograms, 10兆瓦 ten megawatts.
const units = '米克瓦卡焦帕伏安赫升吨噸字比位欧歐牛';
const myriad = `百[万萬](?!円)|千[万萬]|百(?![万萬分${units}])|千(?![${units}])|[万萬億亿]|兆(?![${units}])`;
const firstMyriad = new RegExp(myriad, 'uy');
const myriadPart = new RegExp(`(\\d[\\d,]*(?:\\.\\d+)?)(${myriad}|)`, 'uy');

/** `3万5千` and the like: parts in falling order, of which the last may be bare digits. */
function readMyriads(text: string, number: Extraction): Extraction {
  let total = 0;
  let end = number.end;
  let limit = Number.POSITIVE_INFINITY;
  let next: RegExpExecArray | null = matchAt(firstMyriad, text, end);
  let digits = number.value;
  while (next) {
    const power = powerOf.get(next[2] ?? next[0]) ?? 0;
    const amount = Number(`${digits}e${power}`);
    if (amount >= limit || !Number.isFinite(total + amount)) break;
    total += amount;
    end = next.index + next[0].length;
    limit = 10 ** power;
    next = power === 0 ? null : matchAt(myriadPart, text, end);
    digits = next?.[1]?.replaceAll(',', '') ?? '';
  }
  return end === number.end ? number : { value: decimalText(total), start: number.start, end };
}

/** A sign counts where it cannot be a hyphen or an operator. ▲ and △ mark losses in Japanese accounts. */
export function withSign(text: string, number: Extraction): Extraction {
  const before = text.slice(Math.max(0, number.start - 4), number.start);
  const match = /(?<![\p{Script=Latin}\p{N})\]}_%])([-−+▲△])\\?[$€£¥￥₩₹]?$/u.exec(before);
  const length = match?.[0].length ?? spacedSign(text, number) ?? signWord(text, number);
  if (length === undefined) return belowZero(text, number);
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

/** What stands before a number and not before what is taken from one. */
const beforeValue = [
  ...['is', 'are', 'was', 'were', 'be', 'equals?', 'to', 'of', 'at', 'about', 'around', 'exactly'],
  ...[
    'approximately',
    'roughly',
    'ist',
    'sind',
    'war',
    'beträgt',
    'lautet',
    'ergibt',
    'auf',
    'bei',
  ],
  ...['etwa', 'est(?:\\s+de)?', 'vaut', 'égale?\\s+à', 'es(?:\\s+de)?', 'son', 'é', 'è'],
  ...['är', 'равн[аоы]', 'равен', 'составляет', 'будет'],
].join('|');
const signInWords = new RegExp(
  [
    String.raw`(?:[\n=:(]|(?<!\p{L})(?:${beforeValue})|は)[\s*_]*(?<minus>(?:minus|минус|moins|menos|meno)[^\S\n]+[$€£¥]?)`,
    String.raw`\b(?<negative>negative[^\S\n]+[$€£¥]?)`,
    String.raw`(?<![\d)\]\p{Script=Han}])(?<minusHan>[负負])`,
    String.raw`(?<![\d)\]]\s?)(?<kana>マイナス|마이너스\s?|零下|氷点下|영하\s?)`,
    '(?:[为為是等于於得:：])(?<han>[负負])',
    String.raw`(?<![\d)\]]\s?|\p{L}\s)(?<word>(?:минус|moins|menos)[^\S\n]+)`,
  ]
    .map((form) => `(?:${form})$`)
    .join('|'),
  'iu',
);

/** `minus 3` where nothing stands before that it could be taken from; `negative 3` anywhere. */
function signWord(text: string, { start }: Extraction): number | undefined {
  const from = Math.max(0, start - 24);
  const before = (from === 0 ? '\n' : '') + text.slice(from, start);
  // Most numbers have nothing of the kind before them.
  if (!/[负負ス스下하]|min|neg|мин|moi|men/iu.test(before)) return undefined;
  const match = signInWords.exec(before);
  const { minus, negative, kana, minusHan, han, word } = match?.groups ?? {};
  return (minus ?? negative ?? kana ?? minusHan ?? han ?? word)?.length;
}

/** `40 degrees below zero` */
function belowZero(text: string, number: Extraction): Extraction {
  const isBelow =
    /^\s?(?:°\s?[CF]?|degrees?(?:\s(?:celsius|fahrenheit))?)?\s?below\s(?:zero|0)(?!\p{L})/iu.test(
      text.slice(number.end, number.end + 40),
    );
  if (!isBelow || number.value === '0' || number.value.startsWith('-')) return number;
  return { ...number, value: `-${number.value}` };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

const latex = /\s?\\[cdt]?frac\s*(?:(\d)|\{\s*(-?\d{1,15})\s*\})\s*(?:(\d)|\{\s*(\d{1,15})\s*\})/y;
const signs = new Map([
  ['½', 1 / 2],
  ['⅓', 1 / 3],
  ['⅔', 2 / 3],
  ['¼', 1 / 4],
  ['¾', 3 / 4],
]);

/** The fraction in LaTeX, or the sign of one, that starts here. */
function readFraction(text: string, start: number): Extraction | undefined {
  const sign = signs.get(text.charAt(start));
  if (sign !== undefined) return { value: decimalText(sign), start, end: start + 1 };
  const fraction = latexFraction(text, start);
  return fraction && { value: decimalText(fraction.value), start, end: fraction.end };
}

/** A mixed number such as `1 1/2`, `1½` or `1\frac{1}{2}`, of which the whole part was read. */
function readMixed(text: string, number: Extraction): Extraction | undefined {
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

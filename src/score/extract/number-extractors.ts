import { readNumbers } from '../numbers/read-numbers.ts';
import type { Extraction, Extractor } from './extractor.ts';

/** The first number of a text, as plain decimal text. */
export const firstNumber: Extractor = {
  name: 'first-number',
  extract(text) {
    for (const number of readNumbers(text)) return number;
    return undefined;
  },
};

/** The same, with a percent sign where one follows the number. */
export function keepPercent({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const found = extract(text);
      if (!found) return undefined;
      const sign = /\s?(?:\\?[%％]|per\s?cent\b|パーセント)/iy;
      sign.lastIndex = found.end;
      if (!sign.test(text)) return found;
      return { value: `${found.value}%`, start: found.start, end: sign.lastIndex };
    },
  };
}

/** The first number of a text, with its percent sign. */
export const firstAmount = keepPercent(firstNumber);

/** The last number of a text, as plain decimal text. */
export const lastNumber: Extractor = {
  name: 'last-number',
  extract(text) {
    let last: Extraction | undefined;
    for (const number of readNumbers(text)) last = number;
    return last;
  },
};

/** What a unit is of the first one of its row; words of one row measure the same thing. */
const measures: readonly (readonly (readonly [words: string, size: number])[])[] = [
  [
    ['seconds?|secs?|秒', 1],
    ['minutes?|mins?|分钟?', 60],
    ['hours?|hrs?|時間|小时', 3_600],
    ['days?|日|天', 86_400],
    ['weeks?|週間?|周', 604_800],
    ['months?|[かヶ]月|个月', 2_629_800],
    ['years?|年', 31_557_600],
    ['decades?', 315_576_000],
  ],
  [
    ['mm', 0.001],
    ['cm|centimet(?:er|re)s?', 0.01],
    ['in|inch(?:es)?', 0.0254],
    ['ft|feet|foot', 0.3048],
    ['yards?', 0.9144],
    ['m|met(?:er|re)s?', 1],
    ['km|kilomet(?:er|re)s?', 1_000],
    ['miles?', 1_609.34],
  ],
  [
    ['mg|milligrams?', 0.001],
    ['g|grams?', 1],
    ['oz|ounces?', 28.35],
    ['lbs?|pounds?', 453.6],
    ['kg|kilograms?', 1_000],
    ['tons?', 1_000_000],
  ],
  [
    ['ml|millilit(?:er|re)s?', 0.001],
    ['cups?', 0.2366],
    ['pints?', 0.4732],
    ['quarts?', 0.9464],
    ['l|lit(?:er|re)s?', 1],
    ['gallons?', 3.785],
  ],
  [
    ['cents?', 0.01],
    ['dollars?', 1],
  ],
  [
    ['', 1],
    ['dozen', 12],
    ['hundred', 100],
    ['thousand', 1e3],
    ['million', 1e6],
    ['billion', 1e9],
    ['trillion', 1e12],
  ],
];
const measure = measures
  .flatMap((units) => units.flatMap(([words]) => (words === '' ? [] : [words])))
  .join('|');
const converted = new RegExp(
  String.raw`[^\S\n]?(?<outer>${measure})[^\S\n]?[(（](?<inner>[^()（）\n]{1,40})[)）]`,
  'iuy',
);
const measured = new RegExp(
  String.raw`^\s*(?:or|=|≈|about|i\.e\.,?|that is,?)?\s*[-−+$€£¥]*[\d.,/ ]+\s*(?<unit>${measure})?\s*$`,
  'iu',
);

const namedMeasures = measures.map((units) =>
  units.map(([words, size]) => ({ name: new RegExp(`^(?:${words})$`, 'iu'), size })),
);

/** How many of the second unit one of the first is; nothing where they measure different things. */
function unitsIn(unit: string, other: string): number | undefined {
  for (const units of namedMeasures) {
    const sizeOf = (written: string) => units.find(({ name }) => name.test(written))?.size;
    const [one, two] = [sizeOf(unit), sizeOf(other)];
    if (one !== undefined && two !== undefined) return one / two;
  }
  return undefined;
}

/** The same amount in another unit, which stands in brackets after a number and its unit. */
export function convertedAfter(text: string, { value, end }: Extraction): Extraction | undefined {
  converted.lastIndex = end;
  const found = converted.exec(text)?.groups;
  if (!found) return undefined;
  const { outer = '', inner = '' } = found;
  const unit = measured.exec(inner);
  const number = unit ? firstNumber.extract(inner) : undefined;
  const factor = unitsIn(outer, unit?.groups?.unit ?? '');
  if (!number || factor === undefined) return undefined;
  const expected = Number(value) * factor;
  const isSame = Math.abs(Number(number.value) - expected) <= 0.05 * Math.abs(expected);
  return isSame ? { ...number, start: end, end: converted.lastIndex } : undefined;
}

/** The same, with what the number is in another unit: `7 days (1 week)` is `7 (1)`. */
export function keepConverted({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const found = extract(text);
      const other = found && convertedAfter(text, found);
      if (!other) return found;
      return { value: `${found.value} (${other.value})`, start: found.start, end: other.end };
    },
  };
}

/**
 * The numbers that an amount stands for: one, or two where it is given in two units.
 *
 * @example
 * numbersOf('7 (1)'); // ['7', '1']
 */
export function numbersOf(amount: string): readonly string[] {
  const [, number, other] = /^(\S+) \((\S+)\)$/.exec(amount) ?? [];
  return number === undefined || other === undefined ? [amount] : [number, other];
}

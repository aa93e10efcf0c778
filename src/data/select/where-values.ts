import { Float, formatValue } from '../../prompt/values.ts';

/**
 * Comparisons by their sign. Numbers compare by value however they are written, also in strings, as
 * all values of a CSV file are strings. Values that have no order are neither less nor greater.
 */
export const comparisons = new Map<string, (left: unknown, right: unknown) => boolean>([
  ['==', areEqual],
  ['!=', (left, right) => !areEqual(left, right)],
  ['<', byOrder((order) => order < 0)],
  ['<=', byOrder((order) => order <= 0)],
  ['>', byOrder((order) => order > 0)],
  ['>=', byOrder((order) => order >= 0)],
]);

function byOrder(fits: (order: number) => boolean): (left: unknown, right: unknown) => boolean {
  return (left, right) => {
    const [first, second] = numbersOf(left, right) ?? stringsOf(left, right) ?? [];
    if (first === undefined || second === undefined) return false;
    if (first < second) return fits(-1);
    if (first > second) return fits(1);
    const isNumber = first >= second;
    return isNumber && fits(0);
  };
}

/** Tells whether a list has an item, or a string a part. */
export function holdsValue(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole)) return whole.some((item) => areEqual(item, part));
  return typeof whole === 'string' && part !== null && whole.includes(formatValue(part));
}

function areEqual(left: unknown, right: unknown): boolean {
  const numbers = numbersOf(left, right);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are equal
  if (numbers) return numbers[0] == numbers[1];
  if (left === right) return true;
  const areObjects = typeof left === 'object' && typeof right === 'object' && left && right;
  return areObjects ? formatValue(left) === formatValue(right) : false;
}

type Numeric = number | bigint;

/** Both values as numbers if one is a number and the other is one or reads as one. */
function numbersOf(left: unknown, right: unknown): [Numeric, Numeric] | undefined {
  if (!isNumber(left) && !isNumber(right)) return undefined;
  const [first, second] = [numberOf(left), numberOf(right)];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
}

function numberOf(value: unknown): Numeric | undefined {
  if (value instanceof Float) return value.value;
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function stringsOf(left: unknown, right: unknown): [string, string] | undefined {
  return typeof left === 'string' && typeof right === 'string' ? [left, right] : undefined;
}

import { Float } from '../../../prompt/values.ts';
import { pyStr } from '../../../python/repr.ts';
import type { PyValue } from '../../../python/values.ts';

/** What a cell holds. Numbers that are whole are `int`, as pandas has them. */
export type SheetValue = string | number | boolean;

/** The values of a column below its title, of the type that pandas gives the whole column. */
export type SheetColumn = readonly (PyValue | undefined)[];

/**
 * Columns by the names in the first row: a number is named as pandas names it (`1`, not `1.0`),
 * and a name that comes again has a number behind it.
 */
export function titleColumns([titles = new Map(), ...rows]: readonly ReadonlyMap<
  number,
  SheetValue
>[]): Map<string, SheetColumn> {
  const columns = new Map<string, SheetColumn>();
  for (const [column, title] of titles) {
    const name = pyStr(title);
    let free = name;
    for (let count = 1; columns.has(free); count++) free = `${name}.${count}`;
    columns.set(free, typeColumn(rows.map((row) => row.get(column))));
  }
  return columns;
}

/** A column of numbers, or of what reads as one, is numeric; a gap makes it `float`. */
function typeColumn(values: readonly (SheetValue | undefined)[]): SheetColumn {
  const numbers = values.map(numberOf);
  const isNumeric = values.every((value, row) => value === undefined || numbers[row] !== undefined);
  if (!isNumeric || values.every((value) => typeof value === 'boolean')) return values.map(whole);
  const isFloat = numbers.some((number) => number === undefined || number instanceof Float);
  return numbers.map((number) =>
    isFloat && typeof number === 'number' ? new Float(number) : whole(number),
  );
}

function numberOf(value: SheetValue | undefined): number | Float | undefined {
  switch (typeof value) {
    case 'string':
      if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
      return /[.e]/i.test(value) ? new Float(Number(value)) : Number(value);
    case 'number':
      return Number.isInteger(value) ? value : new Float(value);
    default:
      return value === undefined ? undefined : Number(value);
  }
}

/** Python prints every digit of a whole number, however large. */
function whole<Value extends PyValue | undefined>(value: Value): Value | bigint {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value;
}

import { isMapping, type Mapping } from '../../prompt/mapping.ts';
import { readJson } from '../json-reader.ts';
import { hasExponent, isMarked, markFloats, markNumbers, readMarked } from './inexact-numbers.ts';

type Members = Record<string, unknown>;

/**
 * Parses one row so that floats, integers beyond 2^53 and the order of keys stay as written. A
 * value that is no mapping is no row.
 *
 * @throws {JsonProblem} if the text is no JSON
 */
export function parseRow(text: string): Mapping | undefined {
  const [row] = parseRows(`[${text}]`, { count: 1 }) ?? [];
  if (row !== undefined) return row;
  const { value } = readJson(text, { allowDuplicateKeys: true });
  return isMapping(value) ? value : undefined;
}

export interface ListOptions {
  readonly count: number;
  /** Tells that no row begins or ends with a number that has an exponent. It is asked only if it matters. */
  readonly endsWithoutExponents?: () => boolean;
}

/** Parses rows written as a JSON list, or gives nothing if that would lose something. */
export function parseRows(
  list: string,
  { count, endsWithoutExponents = () => false }: ListOptions,
): readonly Members[] | undefined {
  const marked = markFloats(list);
  const { rows, risk } = parseList(marked, { count, hasMarks: marked !== list });
  const areMarksMissing =
    risk === risks.digits ||
    (risk === risks.exponents && hasExponent(list)) ||
    (risk === risks.exponentsAtEnds && !endsWithoutExponents() && hasExponent(list));
  if (!areMarksMissing) return rows;
  return parseList(markNumbers(list), { count, hasMarks: true }).rows;
}

function parseList(
  list: string | undefined,
  { count, hasMarks }: { readonly count: number; readonly hasMarks: boolean },
): { readonly rows?: readonly Members[]; readonly risk: number } {
  const rows = list === undefined ? undefined : tryParse(list);
  if (!Array.isArray(rows) || rows.length !== count) return { risk: risks.rest };
  let risk = risks.none;
  for (const row of rows) {
    risk = Math.max(risk, isObject(row) ? restoreRow(row, hasMarks) : risks.rest);
  }
  return risk === risks.rest ? { risk } : { rows, risk };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What JSON.parse may have lost, the worst last. */
const risks = {
  none: 0,
  /** That the whole number a row begins or ends with has an exponent, which makes it a float. */
  exponentsAtEnds: 1,
  /** That any whole number has one. */
  exponents: 2,
  /** The last digits of integers beyond 2^53. */
  digits: 3,
  /** The order of keys, or the value is no row. */
  rest: 4,
};

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces marked strings by their numbers, and tells what may be lost. */
function restoreRow(row: Members, hasMarks: boolean): number {
  let risk = risks.none;
  let isFirst = true;
  let isNumberBefore = false;
  for (const key in row) {
    if (isNumberBefore) risk = Math.max(risk, risks.exponents);
    isNumberBefore = false;
    const value = row[key];
    if (typeof value === 'string') {
      if (hasMarks && isMarked(value)) row[key] = readMarked(value);
    } else {
      const found = restoreInside(value, hasMarks);
      if (found !== risks.exponents || typeof value !== 'number') risk = Math.max(risk, found);
      else if (isFirst) risk = Math.max(risk, risks.exponentsAtEnds);
      else isNumberBefore = true;
    }
    isFirst = false;
  }
  return isNumberBefore ? Math.max(risk, risks.exponentsAtEnds) : risk;
}

function restoreMembers(members: Members, hasMarks: boolean): number {
  let risk = risks.none;
  for (const key in members) risk = Math.max(risk, restoreMember(members, key, hasMarks));
  return risk;
}

function restoreMember(members: Members, key: string, hasMarks: boolean): number {
  const value = members[key];
  if (typeof value !== 'string') return restoreInside(value, hasMarks);
  if (hasMarks && isMarked(value)) members[key] = readMarked(value);
  return risks.none;
}

function restoreItems(items: unknown[], hasMarks: boolean): number {
  let risk = risks.none;
  for (let index = 0; index < items.length; index += 1) {
    const value = items[index];
    if (typeof value !== 'string') risk = Math.max(risk, restoreInside(value, hasMarks));
    else if (hasMarks && isMarked(value)) items[index] = readMarked(value);
  }
  return risk;
}

function restoreInside(value: unknown, hasMarks: boolean): number {
  if (typeof value === 'number') return riskOfNumber(value);
  if (Array.isArray(value)) return restoreItems(value, hasMarks);
  if (!isObject(value)) return risks.none;
  return hasMovedKeys(value) ? risks.rest : restoreMembers(value, hasMarks);
}

function riskOfNumber(value: number): number {
  if (!Number.isInteger(value)) return risks.none;
  return Number.isSafeInteger(value) ? risks.exponents : risks.digits;
}

/** Objects hold keys that are whole numbers before all others, whatever the order in the text. */
function hasMovedKeys(members: Members): boolean {
  let count = 0;
  for (const key in members) {
    count += 1;
    if (count > 1) return true;
    if (!/^\d+$/.test(key)) return false;
  }
  return false;
}

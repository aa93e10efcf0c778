import { isMapping, type Mapping } from '../../prompt/mapping.ts';
import { maxNesting, readJson } from '../json-reader.ts';
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
  const { value } = readJson(text);
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
  const walk: Walk = { hasMarks, depth: 1 };
  for (const row of rows) {
    risk = Math.max(risk, isObject(row) ? restoreRow(row, walk) : risks.rest);
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
  /** The order of keys, or the value is no row, or too deep. */
  rest: 4,
};

interface Walk {
  readonly hasMarks: boolean;
  /** Of lists and objects around the value; one number for all, as this is done for every value. */
  depth: number;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces marked strings by their numbers, and tells what may be lost. */
function restoreRow(row: Members, walk: Walk): number {
  let risk = risks.none;
  let isFirst = true;
  let isNumberBefore = false;
  for (const key in row) {
    if (isNumberBefore) risk = Math.max(risk, risks.exponents);
    isNumberBefore = false;
    const value = row[key];
    if (typeof value === 'string') {
      if (walk.hasMarks && isMarked(value)) row[key] = readMarked(value);
    } else {
      const found = restoreInside(value, walk);
      if (found !== risks.exponents || typeof value !== 'number') risk = Math.max(risk, found);
      else if (isFirst) risk = Math.max(risk, risks.exponentsAtEnds);
      else isNumberBefore = true;
    }
    isFirst = false;
  }
  return isNumberBefore ? Math.max(risk, risks.exponentsAtEnds) : risk;
}

function restoreMembers(members: Members, walk: Walk): number {
  let risk = risks.none;
  for (const key in members) risk = Math.max(risk, restoreMember(members, key, walk));
  return risk;
}

function restoreMember(members: Members, key: string, walk: Walk): number {
  const value = members[key];
  if (typeof value !== 'string') return restoreInside(value, walk);
  if (walk.hasMarks && isMarked(value)) members[key] = readMarked(value);
  return risks.none;
}

function restoreItems(items: unknown[], walk: Walk): number {
  let risk = risks.none;
  for (let index = 0; index < items.length; index += 1) {
    const value = items[index];
    if (typeof value !== 'string') risk = Math.max(risk, restoreInside(value, walk));
    else if (walk.hasMarks && isMarked(value)) items[index] = readMarked(value);
  }
  return risk;
}

function restoreInside(value: unknown, walk: Walk): number {
  if (typeof value === 'number') return riskOfNumber(value);
  if (typeof value !== 'object' || value === null) return risks.none;
  if (walk.depth >= maxNesting) return risks.rest;
  walk.depth += 1;
  const risk = Array.isArray(value)
    ? restoreItems(value, walk)
    : restoreObject(value as Members, walk);
  walk.depth -= 1;
  return risk;
}

function restoreObject(members: Members, walk: Walk): number {
  return hasMovedKeys(members) ? risks.rest : restoreMembers(members, walk);
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

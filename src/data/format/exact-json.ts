import { isMapping, type Mapping } from '../../prompt/mapping.ts';
import { readJson } from '../json-reader.ts';
import { isMarked, markFloats, markNumbers, readMarked } from './inexact-numbers.ts';

type Members = Record<string, unknown>;

/**
 * Parses one row so that floats, integers beyond 2^53 and the order of keys stay as written. A
 * value that is no mapping is no row.
 *
 * @throws {JsonProblem} if the text is no JSON
 */
export function parseRow(text: string): Mapping | undefined {
  const [row] = parseRows(`[${text}]`, 1) ?? [];
  if (row !== undefined) return row;
  const { value } = readJson(text, { allowDuplicateKeys: true });
  return isMapping(value) ? value : undefined;
}

/** Parses rows written as a JSON list, or gives nothing if that would lose something. */
export function parseRows(list: string, count: number): readonly Members[] | undefined {
  const marked = markFloats(list);
  const { rows, lost } = parseList(marked, { count, hasMarks: marked !== list });
  if (lost !== loss.digits) return rows;
  return parseList(markNumbers(list), { count, hasMarks: true }).rows;
}

interface ListOptions {
  readonly count: number;
  /** Whether there are numbers that stand in the text as marked strings. */
  readonly hasMarks: boolean;
}

function parseList(
  list: string | undefined,
  { count, hasMarks }: ListOptions,
): { readonly rows?: readonly Members[]; readonly lost: number } {
  const rows = list === undefined ? undefined : tryParse(list);
  if (!Array.isArray(rows) || rows.length !== count) return { lost: loss.rest };
  let lost = loss.none;
  for (const row of rows) {
    lost = Math.max(lost, isObject(row) ? restoreMembers(row, hasMarks) : loss.rest);
  }
  return lost === loss.rest ? { lost } : { rows, lost };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What JSON.parse has lost, the worst last. */
const loss = {
  none: 0,
  /** The last digits of integers beyond 2^53. */
  digits: 1,
  /** The order of keys, or the value is no row. */
  rest: 2,
};

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts numbers in the place of marked strings, and tells what is lost. */
function restoreMembers(members: Members, hasMarks: boolean): number {
  let lost = loss.none;
  for (const key in members) {
    const value = members[key];
    if (typeof value !== 'string') lost = Math.max(lost, restoreInside(value, hasMarks));
    else if (hasMarks && isMarked(value)) members[key] = readMarked(value);
  }
  return lost;
}

function restoreItems(items: unknown[], hasMarks: boolean): number {
  let lost = loss.none;
  for (let index = 0; index < items.length; index += 1) {
    const value = items[index];
    if (typeof value !== 'string') lost = Math.max(lost, restoreInside(value, hasMarks));
    else if (hasMarks && isMarked(value)) items[index] = readMarked(value);
  }
  return lost;
}

function restoreInside(value: unknown, hasMarks: boolean): number {
  if (typeof value === 'number') {
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? loss.digits : loss.none;
  }
  if (Array.isArray(value)) return restoreItems(value, hasMarks);
  if (!isObject(value)) return loss.none;
  return hasMovedKeys(value) ? loss.rest : restoreMembers(value, hasMarks);
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

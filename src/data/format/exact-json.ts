import { isMapping, type Mapping } from '../../prompt/mapping.ts';
import { readJson } from '../json-reader.ts';
import { mayHoldInexact, parseMarked } from './inexact-numbers.ts';

type Members = Readonly<Record<string, unknown>>;

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
  const rows = tryParse(list);
  if (!Array.isArray(rows) || rows.length !== count) return undefined;
  switch (lossOfRows(rows)) {
    case loss.none:
      return rows;
    case loss.perhapsNumbers:
      return mayHoldInexact(list) ? parseMarked(list) : rows;
    case loss.numbers:
      return parseMarked(list);
    default:
      return undefined;
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What JSON.parse may have lost, the worst last. */
const loss = {
  none: 0,
  /** There are whole numbers; only the text tells whether they were written as floats. */
  perhapsNumbers: 1,
  /** There are integers beyond 2^53. */
  numbers: 2,
  /** The order of keys, or the value is no row. */
  rest: 3,
};

function lossOfRows(rows: readonly unknown[]): number {
  let worst = loss.none;
  for (const row of rows) {
    if (!isObject(row)) return loss.rest;
    worst = Math.max(worst, lossOfMembers(row));
  }
  return worst;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lossOfMembers(members: Members): number {
  let worst = loss.none;
  for (const key in members) {
    const value = members[key];
    if (typeof value !== 'string') worst = Math.max(worst, lossOf(value));
  }
  return worst;
}

function lossOf(value: unknown): number {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return loss.none;
    return Number.isSafeInteger(value) ? loss.perhapsNumbers : loss.numbers;
  }
  if (Array.isArray(value)) {
    return value.reduce((worst: number, item) => Math.max(worst, lossOf(item)), loss.none);
  }
  if (!isObject(value)) return loss.none;
  return hasMovedKeys(value) ? loss.rest : lossOfMembers(value);
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

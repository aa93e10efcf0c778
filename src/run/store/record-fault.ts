import type { OldFields } from './old-record.ts';
import type { RowRecord } from './row-record.ts';

/** The lowest and the highest score that a row can have. */
export type ScoreRange = readonly [lowest: number, highest: number];

/** Rows are numbered below this. */
export const rowsEnd = 2 ** 31;

const keyLength = 32;
/** Means of scores may be off by a rounding. */
const rounding = 1e-6;

/**
 * Why a value is no record of a row; nothing if it is one. Called for every line of a log, so these
 * are plain checks.
 */
export function recordFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object';
  const record: UncheckedRecord = value;
  const { id, outcome, key, score } = record;
  if (!Number.isInteger(id) || (id as number) < 0 || (id as number) >= rowsEnd)
    return `id ${shown(id)} is not the number of a row`;
  if (typeof key !== 'string' || !isKey(key)) return `key ${shown(key)} is not a hash`;
  if (outcome === 'scored') {
    if (typeof score !== 'number' || !Number.isFinite(score))
      return `score ${shown(score)} is not a number`;
  } else if (outcome !== 'unscored' && outcome !== 'failed')
    return `outcome ${shown(outcome)} is none of scored, unscored and failed`;
  return faultOfTexts(record) ?? faultOfMeasures(record);
}

/** Why a record cannot be of a metric with these scores; nothing if it can. */
export function scoreFault(
  { outcome, score = 0 }: RowRecord,
  range: ScoreRange | undefined,
): string | undefined {
  if (!range || outcome !== 'scored') return undefined;
  const [lowest, highest] = range;
  const isWithin = score >= lowest - rounding && score <= highest + rounding;
  return isWithin ? undefined : `score ${score} is not within ${lowest} and ${highest}`;
}

/** What stands in a line before it is known to be a record. */
type UncheckedRecord = { readonly [Key in keyof (RowRecord & OldFields)]?: unknown };

function isKey(key: string): boolean {
  if (key.length !== keyLength) return false;
  for (let place = 0; place < keyLength; place++) {
    const code = key.charCodeAt(place);
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && !(code >= 97 && code <= 102)) return false;
  }
  return true;
}

function isStretch(value: unknown): boolean {
  if (value === undefined) return true;
  return isList(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

function faultOfTexts(record: UncheckedRecord): string | undefined {
  const { prompt, row, cluster, scoring, answer, reasoning, opened, begun, prefix } = record;
  const { reason, detail, part, parts } = record;
  const { kind, finish, served } = record;
  if (typeof prompt !== 'string') return `prompt ${shown(prompt)} is not a text`;
  if (!isText(row)) return `row ${shown(row)} is not a text`;
  if (!isText(cluster)) return `cluster ${shown(cluster)} is not a text`;
  if (!isText(scoring)) return `scoring ${shown(scoring)} is not a text`;
  if (!isText(answer)) return `answer ${shown(answer)} is not a text`;
  if (!isText(reasoning)) return `reasoning ${shown(reasoning)} is not a text`;
  if (!isText(opened)) return `opened ${shown(opened)} is not a text`;
  if (!isText(begun)) return `begun ${shown(begun)} is not a text`;
  if (!isStretch(prefix)) return `prefix ${shown(prefix)} is not a stretch of the answer`;
  if (!isText(reason)) return `reason ${shown(reason)} is not a text`;
  if (!isText(kind)) return `kind ${shown(kind)} is not a text`;
  if (!isText(finish)) return `finish ${shown(finish)} is not a text`;
  if (!isText(served)) return `served ${shown(served)} is not a text`;
  if (!isText(detail)) return `detail ${shown(detail)} is not a text`;
  if (!isText(part) && typeof part !== 'number') return `part ${shown(part)} is not a name`;
  if (parts !== undefined && !(isList(parts) && parts.every(isPart)))
    return 'parts is not a list of hashes';
  return undefined;
}

function faultOfMeasures(record: UncheckedRecord): string | undefined {
  const { metrics, cell, counts, rounds, samples, tokens, examples, ties, logprobs } = record;
  const { loglikelihoods = record.weights, verdicts, checks, toolCalls, steps } = record;
  if (metrics !== undefined && !areMetrics(metrics)) return 'metrics are not numbers';
  if (record.finishes !== undefined && !areMetrics(record.finishes))
    return 'finishes are not numbers of answers';
  if (rounds !== undefined && !(Number.isInteger(rounds) && (rounds as number) > 0))
    return `rounds ${shown(rounds)} is not a number of samples`;
  const isOfTurns = record.parts !== undefined && areCells(cell, isOneCell);
  if (cell !== undefined && !isOfTurns && !isCell(cell, rounds !== undefined))
    return `cell ${shown(cell)} is not the cell of a table`;
  if (counts !== undefined && !areNumbers(counts)) return 'counts are not numbers';
  if (samples !== undefined && !isPair(samples)) return 'samples is not a pair of numbers';
  if (tokens !== undefined && !areTokens(tokens)) return 'tokens are not numbers';
  if (examples !== undefined && !(isList(examples) && examples.every(isRowId)))
    return 'examples are not rows';
  if (ties !== undefined && !isList(ties)) return 'ties is not a list of labels';
  if (loglikelihoods !== undefined && !areLoglikelihoods(loglikelihoods))
    return 'loglikelihoods are not numbers';
  // They are many: what is in them is checked when they are used.
  if (logprobs !== undefined && !(isList(logprobs) && logprobs.every(isMapping)))
    return 'logprobs are not those of texts';
  if (verdicts !== undefined && !(isList(verdicts) && verdicts.every(isVerdict)))
    return 'verdicts are not requests to a judge';
  if (checks !== undefined && !(isList(checks) && checks.every(isCheck)))
    return 'checks are not names with scores';
  if (toolCalls !== undefined && !(isList(toolCalls) && toolCalls.every(isNamed)))
    return 'toolCalls are not calls of tools';
  if (steps !== undefined && !(isList(steps) && steps.every(isMapping)))
    return 'steps are not requests';
  return undefined;
}

function isNamed(value: unknown): boolean {
  return isMapping(value) && 'name' in value && typeof value.name === 'string';
}

function isCheck(value: unknown): boolean {
  return isNamed(value) && Number.isFinite((value as { readonly score?: unknown }).score);
}

function isPart(part: unknown): boolean {
  return typeof part === 'string' || part === null;
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areNumbers(value: unknown): boolean {
  return isList(value) && value.every(Number.isFinite);
}

function isPair(value: unknown): boolean {
  return isList(value) && value.length === 2 && areNumbers(value);
}

/** Null stands for what JSON has no number for. */
function isMeasure(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

/** In, out and, where the server says so, in from its cache. */
function areTokens(value: unknown): boolean {
  return isList(value) && (value.length === 2 || value.length === 3) && value.every(isMeasure);
}

function isRowId(value: unknown): boolean {
  return typeof value === 'string' || Number.isInteger(value);
}

function areMetrics(value: unknown): boolean {
  return isMapping(value) && Object.values(value).every(isMeasure);
}

function areLoglikelihoods(value: unknown): boolean {
  return (
    isList(value) &&
    value.every((one) => isMapping(one) && 'logprob' in one && isMeasure(one.logprob))
  );
}

function isVerdict(value: unknown): boolean {
  if (!isMapping(value) || !('key' in value) || typeof value.key !== 'string') return false;
  if ('said' in value && typeof value.said !== 'string') return false;
  if ('sent' in value && typeof value.sent !== 'string' && !isList(value.sent)) return false;
  return !('tokens' in value) || areTokens(value.tokens);
}

const keptCells = new Set<string>();
const maxKept = 4096;

/** A cell is a pair in JSON; that of a row with several samples or turns is a list of such texts. */
function isCell(cell: unknown, hasRounds: boolean): boolean {
  return hasRounds ? areCells(cell, (one) => one === null || isOneCell(one)) : isOneCell(cell);
}

function areCells(cell: unknown, isOne: (one: unknown) => boolean): boolean {
  const cells = typeof cell === 'string' ? parse(cell) : undefined;
  return isList(cells) && cells.every(isOne);
}

function isOneCell(cell: unknown): boolean {
  if (typeof cell !== 'string') return false;
  if (keptCells.has(cell)) return true;
  const value = parse(cell);
  const isKnown = isList(value) && value.length === 2;
  if (isKnown && keptCells.size < maxKept) keptCells.add(cell);
  return isKnown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const longestShown = 40;

function shown(value: unknown): string {
  if (value === undefined) return '(missing)';
  const text = JSON.stringify(value);
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

/** What the results of a model on a dataset are held to. */
export interface Gate {
  /** The score to reach, from 0 to 1; or a score for each of some metrics, by name. */
  readonly failUnder?: FailUnder | undefined;
  /** How many rows may have an answer and no score, and how many samples of the other rows. */
  readonly maxUnscored?: RowLimit | undefined;
  /** How many rows may have failed; none by default. */
  readonly allowFailed?: RowLimit | undefined;
}

/** The gate of a dataset, and what holds for some models in its place. */
export interface DatasetGate extends Gate {
  readonly models?: Readonly<Record<string, Gate>> | undefined;
}

/** A score as it is written: a number, or a percentage of a share. */
export type WrittenScore = number | `${number}%`;

/** The score to reach: a share of the first metric, or a score for each of some metrics, by name. */
export type FailUnder = number | Readonly<Record<string, WrittenScore>>;

/** What it has to look like. */
export const failUnderForm =
  'a score from 0 to 1 or from 0% to 100%, or a mapping of metric to score';

/** Reads the score to reach; nothing if it is none. */
export function readFailUnder(value: unknown): FailUnder | undefined {
  if (typeof value !== 'object' || value === null) return readShare(value);
  const marks: Record<string, WrittenScore> = {};
  for (const [metric, mark] of Object.entries(value)) {
    const read = readMark(mark);
    if (read === undefined) return undefined;
    marks[metric] = read;
  }
  return Object.keys(marks).length > 0 ? marks : undefined;
}

/** Metrics such as perplexity go beyond 1; percentages are kept, for not every metric has them. */
export function readMark(value: unknown): WrittenScore | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  if (!text.endsWith('%')) return readMark(Number(text));
  return readShare(text) === undefined ? undefined : (text as `${number}%`);
}

/** The number that a score stands for. */
export function scoreOf(written: WrittenScore): number {
  return typeof written === 'number' ? written : (readShare(written) ?? Number.NaN);
}

/** Reads a share that is written as a number from 0 to 1 or as a percentage; nothing if it is none. */
export function readShare(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const [, digits = '', percent] =
    (typeof text === 'string' && /^\s*([\d.]+(?:e-?\d+)?)(%?)\s*$/.exec(text)) || [];
  const share = digits === '' ? Number.NaN : Number(digits) / (percent ? 100 : 1);
  return share >= 0 && share <= 1 ? share : undefined;
}

/** How many rows something may be true of: so many, or a share of them. */
export type RowLimit = { readonly rows: number } | { readonly share: number };

/** As it is written: `3` is a number of rows, `5%` a share of them. */
export type WrittenRowLimit = number | `${number}%`;

/** What a limit has to look like. */
export const rowLimitForm = 'a number of rows such as 3, or a share of them such as 5%';

/** Reads a limit; nothing if it is none. */
export function readRowLimit(value: unknown): RowLimit | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? { rows: value } : undefined;
  }
  const [, digits = '', percent] =
    (typeof value === 'string' && /^\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(value)) || [];
  if (digits === '') return undefined;
  if (!percent) return readRowLimit(Number(digits));
  return Number(digits) <= 100 ? { share: Number(digits) / 100 } : undefined;
}

/** The limit as it is written. */
export function writeRowLimit(limit: RowLimit): WrittenRowLimit {
  return 'rows' in limit ? limit.rows : `${Number((limit.share * 100).toPrecision(12))}%`;
}

/** How many rows that is at most; their total is asked for where it matters. */
export function maxWithin(limit: RowLimit, totalOf: () => number): number {
  if ('rows' in limit) return limit.rows;
  if (limit.share === 0) return 0;
  const total = totalOf();
  // A share of rows is what it was written as, not its binary neighbour.
  return limit.share * total + 1e-9 * total;
}

/** Whether no more rows than that are meant. */
export function isWithin(limit: RowLimit, rows: number, total: number): boolean {
  return rows <= maxWithin(limit, () => total);
}

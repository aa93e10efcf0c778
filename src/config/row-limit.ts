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

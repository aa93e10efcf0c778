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

/** Whether no more rows than that are meant. */
export function isWithin(limit: RowLimit, rows: number, total: number): boolean {
  // A share of rows is compared with what it was written as, not with its binary neighbour.
  return 'rows' in limit ? rows <= limit.rows : rows <= limit.share * total + 1e-9 * total;
}

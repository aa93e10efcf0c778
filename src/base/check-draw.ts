import { DataError } from '../errors.ts';

/** Refuses a limit below which no whole number can be drawn. */
export function checkLimit(limit: number, largest: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= largest) return;
  throw new DataError('random.bad_limit', `Cannot draw a whole number below ${limit}`, {
    hint: `Use a whole number from 1 to ${largest}.`,
  });
}

/** Refuses a draw of more distinct numbers than there are. */
export function checkSample(size: number, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0 && count <= size) return;
  throw new DataError('random.bad_sample', `Cannot draw ${count} distinct rows out of ${size}`, {
    hint: `Ask for at most ${size}, or provide more rows.`,
  });
}

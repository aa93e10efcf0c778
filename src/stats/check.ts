import { DataError } from '../errors.ts';

/** Refuses numbers that no statistic can be made of. */
export function requireThat(holds: boolean, message: string): void {
  if (!holds) throw new DataError('stats.bad_number', message);
}

export function requireLevel(level: number): void {
  requireThat(level > 0 && level < 1, `A level must be between 0 and 1, not ${level}`);
}

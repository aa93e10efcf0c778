import { keyedRandom } from '../base/keyed-random.ts';

const firstDelayMs = 200;
const maxDelayMs = 30_000;

/**
 * How long to wait before the next attempt: what the server asked for, else twice as long each
 * time, spread by chance so that requests that failed together do not come back together.
 */
export function retryDelayMs(
  key: string,
  attempt: number,
  retryAfterMs: number | undefined,
): number {
  const spread = 0.5 + keyedRandom(attempt, key).next();
  const grown = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * spread;
  return retryAfterMs === undefined ? grown : retryAfterMs + firstDelayMs * spread * 0.2;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../errors.ts';
import { backoffMs } from './backoff.ts';

const mostAttempts = 5;

/** Asks again while that may help. The key tells the request from others that fail with it. */
export async function withRetries<Result>(
  ask: () => Promise<Result>,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const mayHelp = error instanceof ModelError && error.retryable && attempt < mostAttempts;
      if (!mayHelp) throw error;
      await sleep(backoffMs(key, attempt, error.retryAfterMs), undefined, { signal });
    }
  }
}

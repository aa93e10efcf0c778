import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../errors.ts';
import { backoffMs } from './backoff.ts';

const defaultAttempts = 5;

interface RetryOptions {
  readonly key: string;
  readonly signal: AbortSignal;
  /** 5 by default. */
  readonly maxAttempts?: number | undefined;
}

/** Asks again while that may help. The key tells the request from others that fail with it. */
export async function withRetries<Result>(
  ask: () => Promise<Result>,
  { key, signal, maxAttempts = defaultAttempts }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const mayHelp = error instanceof ModelError && error.retryable && attempt < maxAttempts;
      if (!mayHelp) throw error;
      await sleep(backoffMs(key, attempt, error.retryAfterMs), undefined, { signal });
    }
  }
}

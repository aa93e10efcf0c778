import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../errors.ts';
import { retryDelayMs } from './retry-delay.ts';

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
      await waitToRetry(error, { key, attempt, signal });
    }
  }
}

interface RetryWait extends Pick<RetryOptions, 'key' | 'signal'> {
  readonly attempt: number;
}

/** Waits before a request is sent again. */
export async function waitToRetry(
  { retryAfterMs }: Pick<ModelError, 'retryAfterMs'>,
  { key, attempt, signal }: RetryWait,
): Promise<void> {
  // As many wait as requests failed together, which may be more than Node expects.
  setMaxListeners(0, signal);
  await sleep(retryDelayMs(key, attempt, retryAfterMs), undefined, { signal });
}

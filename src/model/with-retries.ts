import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../errors.ts';

const mostAttempts = 5;
const firstDelayMs = 200;

/** Asks again, after what the server asks for or twice as long each time, while that may help. */
export async function withRetries<Result>(
  ask: () => Promise<Result>,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const mayHelp = error instanceof ModelError && error.retryable && attempt < mostAttempts;
      if (!mayHelp) throw error;
      const delayMs = error.retryAfterMs ?? firstDelayMs * 2 ** (attempt - 1);
      await sleep(delayMs, undefined, { signal });
    }
  }
}

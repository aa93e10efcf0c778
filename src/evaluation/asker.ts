import { contentHash } from '../base/content-hash.ts';
import type { GenerateResult, Model } from '../model/model.ts';
import { withRetries } from '../model/with-retries.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Pace } from './evaluation.ts';
import { requestKey } from './key.ts';

export type Ask = (prompt: Prompt, signal: AbortSignal) => Promise<GenerateResult>;

/** Asks a model beside a run, as a judge: a few prompts at once, each until it is answered. */
export function createAsker(
  model: Model,
  { maxConcurrency, maxAttempts }: Pick<Pace, 'maxConcurrency' | 'maxAttempts'>,
): Ask {
  const identity = contentHash(model.identity);
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const enter = async () => {
    if (inFlight < maxConcurrency) inFlight++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  // Whoever waits takes the place over, so that nobody else can come in between.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else inFlight--;
  };
  return async (prompt, signal) => {
    const body = model.encode({ prompt });
    const key = requestKey(body, identity);
    await enter();
    try {
      signal.throwIfAborted();
      const ask = () => model.generate({ prompt, body, key }, { signal });
      return await withRetries(ask, { key, signal, maxAttempts });
    } finally {
      leave();
    }
  };
}

import { contentHash } from '../base/content-hash.ts';
import { Slots } from '../base/slots.ts';
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
  const slots = new Slots(maxConcurrency);
  return async (prompt, signal) => {
    const body = model.encode({ prompt });
    const key = requestKey(body, identity);
    const ask = () => model.generate({ prompt, body, key }, { signal });
    return slots.use(async () => {
      signal.throwIfAborted();
      return withRetries(ask, { key, signal, maxAttempts });
    });
  };
}

import type { GenerateResult, Model } from '../model/model.ts';
import { withRetries } from '../model/with-retries.ts';
import type { Prompt } from '../prompt/index.ts';
import { contentHash, requestKey } from './key.ts';
import type { ResponseCache } from './response-cache.ts';

export type Ask = (prompt: Prompt, signal: AbortSignal) => Promise<GenerateResult>;

export interface AskerOptions {
  readonly maxConcurrency: number;
  readonly cache?: ResponseCache | undefined;
}

/** Asks a model beside a run, as a judge: a few prompts at once, each until it is answered. */
export function createAsker(model: Model, { maxConcurrency, cache }: AskerOptions): Ask {
  const identity = contentHash(model.identity);
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const enter = async () => {
    if (underWay < maxConcurrency) underWay++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  // Whoever waits takes the place over, so that nobody else can come in between.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  };
  return async (prompt, signal) => {
    const body = model.encode({ prompt });
    const key = requestKey(body, identity);
    if (cache?.has(key)) {
      const known = await cache.get(key);
      if (known && 'text' in known) return known;
    }
    await enter();
    try {
      signal.throwIfAborted();
      const ask = () => model.generate({ prompt, body, key }, { signal });
      const result = await withRetries(ask, { key, signal });
      cache?.put(key, result);
      return result;
    } finally {
      leave();
    }
  };
}

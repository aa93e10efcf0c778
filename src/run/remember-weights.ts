import { ModelError } from '../errors.ts';
import { requestKey } from '../evaluation/key.ts';
import type { Weigher, WeighRequest } from '../model/weigh.ts';
import { ResponseCache } from './response-cache.ts';

export interface WeightMemory {
  /** Where the weights are kept, beside the logs of the model. */
  readonly folder: string;
  readonly modelIdentity: string;
}

/** A weigher that keeps what it is told, and asks for nothing again when a run goes on. */
export function rememberWeights(
  weigher: Weigher,
  { folder, modelIdentity }: WeightMemory,
): { readonly weigher: Weigher; readonly close: () => Promise<void> } {
  let opened: Promise<ResponseCache> | undefined;
  return {
    weigher: {
      encode: (request) => weigher.encode(request),
      async weigh(request, options) {
        opened ??= ResponseCache.open(folder);
        const memory = await opened;
        const key = keyOf(weigher, request, modelIdentity);
        const known = await memory.get(key);
        if (known && 'weights' in known) return known;
        const result = await weigher.weigh(request, options);
        memory.put(key, result);
        return result;
      },
    },
    close: async () => (await opened)?.close(),
  };
}

/** A weigher that knows what a run kept, and writes nothing. It may ask for the rest, or not. */
export function recallWeights(
  weigher: Weigher,
  { folder, modelIdentity, mayAsk }: WeightMemory & { readonly mayAsk: boolean },
): Weigher {
  let read: ReturnType<typeof ResponseCache.read> | undefined;
  return {
    encode: (request) => weigher.encode(request),
    async weigh(request, options) {
      read ??= ResponseCache.read(folder);
      const known = (await read).get(keyOf(weigher, request, modelIdentity));
      if (known && 'weights' in known) return known;
      if (mayAsk) return weigher.weigh(request, options);
      throw new ModelError(
        'model.not_weighed',
        'the examples depend on weights that are not kept',
        {
          retryable: false,
          hint: 'MDLRetriever weighs them in a run; here the model is not asked.',
        },
      );
    },
  };
}

function keyOf(weigher: Weigher, request: WeighRequest, modelIdentity: string): string {
  return requestKey(weigher.encode(request), modelIdentity);
}

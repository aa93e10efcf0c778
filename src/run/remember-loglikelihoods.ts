import { ModelError } from '../errors.ts';
import { loglikelihoodKey } from '../evaluation/key.ts';
import type {
  LoglikelihoodModel,
  LoglikelihoodRequest,
  LoglikelihoodResult,
} from '../model/loglikelihood.ts';
import { ResponseCache } from './response-cache.ts';

export interface LoglikelihoodMemory {
  /** Where the loglikelihoods are kept, beside the logs of the model. */
  readonly folder: string;
  readonly modelIdentity: string;
}

/** A loglikelihoodModel that keeps what it is told, and asks for nothing again when a run goes on. */
export function rememberLoglikelihoods(
  loglikelihoodModel: LoglikelihoodModel,
  { folder, modelIdentity }: LoglikelihoodMemory,
): { readonly loglikelihoodModel: LoglikelihoodModel; readonly close: () => Promise<void> } {
  let opened: Promise<ResponseCache> | undefined;
  let cache: ResponseCache | undefined;
  const asked = new Set<string>();
  return {
    loglikelihoodModel: {
      encode: (request) => loglikelihoodModel.encode(request),
      memory: {
        knows: (key) => cache?.has(key) === true,
        async recall(key) {
          const result = await cache?.get(key);
          if (!result || !('logprobs' in result)) return undefined;
          return { result, ...(!asked.has(key) && { isKept: true }) };
        },
      },
      async measure(request, options) {
        opened ??= ResponseCache.open(folder);
        const memory = await opened;
        cache = memory;
        const key = loglikelihoodKey(loglikelihoodModel, request, modelIdentity);
        const known = await memory.get(key);
        if (known && 'logprobs' in known) return known;
        const result = await loglikelihoodModel.measure(request, options);
        memory.put(key, result);
        asked.add(key);
        return result;
      },
    },
    close: async () => (await opened)?.close(),
  };
}

/** Hears of requests whose answers are not known; a stand-in is taken for these. */
export type OnUnknown = (request: LoglikelihoodRequest) => void;

/** All texts are as likely as each other. */
function standInFor({ texts }: LoglikelihoodRequest): LoglikelihoodResult {
  const logprobs = texts.map(({ from }) => ({
    starts: [0, Math.max(from, 1)],
    values: [null, -1],
  }));
  return { logprobs, totalMs: 0 };
}

interface Recalled extends Omit<LoglikelihoodMemory, 'folder'> {
  readonly folder: string | undefined;
  readonly mayAsk: boolean;
  readonly onUnknown?: OnUnknown | undefined;
}

/** A loglikelihoodModel that knows what a run kept, and writes nothing. It may ask for the rest, or not. */
export function recallLoglikelihoods(
  loglikelihoodModel: LoglikelihoodModel,
  { folder, modelIdentity, mayAsk, onUnknown }: Recalled,
): LoglikelihoodModel {
  let read: ReturnType<typeof ResponseCache.read> | undefined;
  const asked = new Set<string>();
  const unknown = new Set<string>();
  return {
    encode: (request) => loglikelihoodModel.encode(request),
    memory: { knows: (key) => asked.has(key), recall: async () => undefined },
    async measure(request, options) {
      read ??= folder === undefined ? Promise.resolve(new Map()) : ResponseCache.read(folder);
      const key = loglikelihoodKey(loglikelihoodModel, request, modelIdentity);
      asked.add(key);
      const known = (await read).get(key);
      if (known && 'logprobs' in known) return known;
      if (mayAsk) return loglikelihoodModel.measure(request, options);
      if (onUnknown) {
        // A run remembers what it asked: the same request is sent once.
        if (!unknown.has(key)) onUnknown(request);
        unknown.add(key);
        return standInFor(request);
      }
      throw new ModelError(
        'model.no_loglikelihoods_kept',
        'the examples depend on loglikelihoods that were not saved',
        {
          retryable: false,
          hint: 'MDLRetriever computes them during a run; here the model is not asked.',
        },
      );
    },
  };
}

import { z } from 'zod';
import { ModelError } from '../errors.ts';
import type { LoglikelihoodRequest } from '../model/loglikelihood.ts';
import { hasParts, inlineMedia } from '../model/media.ts';
import type { GenerateOptions, GenerateRequest, Model } from '../model/model.ts';
import { bodiesOf } from '../model/model.ts';
import { toPlain } from '../prompt/mapping.ts';
import {
  type ModelAnswer,
  restoreAnswer,
  type StoredAnswer,
  storeAnswer,
} from '../run/store/stored-answer.ts';

/**
 * A request as a worker gets it. What goes to an endpoint is its body, media included: a worker needs
 * neither data nor config. Other models are given the request itself.
 */
const carriedSchema = z.object({
  key: z.string(),
  body: z.string().optional(),
  texts: z.array(z.object({ text: z.string(), from: z.number() })).optional(),
  request: z.record(z.string(), z.unknown()).optional(),
});

export type CarriedRequest = z.infer<typeof carriedSchema>;

const unitSchema = z.object({ run: z.string(), requests: z.array(carriedSchema) });

/** Requests that one worker answers together. */
export type Unit = z.infer<typeof unitSchema>;

export function readUnit(data: unknown): Unit | undefined {
  return unitSchema.safeParse(data).data;
}

/** Gives a request the form in which it goes to a worker. */
export async function carry(
  model: Model,
  request: GenerateRequest | LoglikelihoodRequest,
  key: string,
): Promise<CarriedRequest> {
  if ('texts' in request) return { key, texts: [...request.texts], body: request.body };
  const isEndpoint = model.target !== undefined && 'url' in model.target;
  if (isEndpoint) {
    const hasMedia = hasParts(request.prompt);
    const known = hasMedia ? undefined : request.body;
    const [body] = known ? [String(known)] : await bodiesOf(model, request);
    return { key, body };
  }
  const prompt = hasParts(request.prompt) ? await inlineMedia(request.prompt) : request.prompt;
  const { maxOutLen, stop, settings, seed, id, part, row } = request;
  const plain = row && (toPlain(row) as object);
  return { key, request: { prompt, maxOutLen, stop, settings, seed, id, part, row: plain } };
}

/** Has a model answer a request that came over the queue. */
export async function answerCarried(
  model: Model,
  { key, body, texts, request }: CarriedRequest,
  options: GenerateOptions,
): Promise<CarriedAnswer> {
  try {
    return { key, result: storeAnswer(await ask()) };
  } catch (error) {
    options.signal.throwIfAborted();
    return { key, error: describeError(error) };
  }

  async function ask(): Promise<ModelAnswer> {
    if (texts) {
      if (!model.loglikelihoodModel) throw new TypeError(`${model.name} gives no loglikelihoods`);
      return model.loglikelihoodModel.measure({ texts, body, key }, options);
    }
    const given = (request ?? { prompt: { type: 'text', text: '' } }) as unknown as GenerateRequest;
    return model.generate({ ...given, body, key }, options);
  }
}

const errorSchema = z.object({
  message: z.string(),
  code: z.string().optional(),
  hint: z.string().optional(),
  status: z.number().optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().optional(),
  url: z.string().optional(),
});

const answerSchema = z.object({
  key: z.string(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: errorSchema.optional(),
});

/** An answer, or why there is none. */
export interface CarriedAnswer {
  readonly key: string;
  readonly result?: StoredAnswer;
  readonly error?: z.infer<typeof errorSchema>;
}

/** What came back for a request; nothing where it cannot be read. */
export interface ArrivedAnswer {
  readonly key: string;
  readonly result?: ModelAnswer;
  readonly error?: Error;
}

export function readAnswer(text: string): ArrivedAnswer | undefined {
  const read = answerSchema.safeParse(parse(text)).data;
  if (!read) return undefined;
  const { key, error, result } = read;
  if (error) return { key, error: toError(error) };
  const answer = result && restoreAnswer(result as unknown as StoredAnswer);
  return answer && { key, result: answer };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeError(error: unknown): z.infer<typeof errorSchema> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ModelError)) return { message };
  const { code, hint, status, retryable, retryAfterMs, url } = error;
  return { message, code, hint, status, retryable, retryAfterMs, url };
}

function toError({ message, code, retryable, ...details }: z.infer<typeof errorSchema>): Error {
  if (code === undefined || retryable === undefined) return new Error(message);
  return new ModelError(code, message, { retryable, ...details });
}

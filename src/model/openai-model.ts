import { Pool } from 'undici';
import { AbortWatch } from './abort-watch.ts';
import { endpointAddress } from './endpoint-address.ts';
import type { LikelihoodDialect } from './endpoint-loglikelihood/dialect.ts';
import { openAiLoglikelihood, splitBodies } from './endpoint-loglikelihood/openai-loglikelihood.ts';
import { probeLikelihood } from './endpoint-loglikelihood/probe.ts';
import { ask, type Connection } from './exchange.ts';
import { hasParts, inlineMedia } from './media.ts';
import type { Ability, GenerateRequest, Model } from './model.ts';
import { type Encode, type EndpointSettings, endpointFor, generationBody } from './request.ts';
import { readApiKey } from './secrets.ts';

/** A model behind an OpenAI-compatible endpoint, and how it is asked. */
export interface OpenAiModelSettings extends EndpointSettings {
  /** How the run calls the model; the name that is sent by default. */
  readonly name?: string | undefined;
  /** Name of the environment variable that holds the API key. */
  readonly apiKeyEnv?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The most connections, and so the most requests in flight at once; 64 by default. */
  readonly connections?: number | undefined;
  /** Time limit of a request from its start to the end of the answer; 10 minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Longer answers are refused; 64 MB by default. */
  readonly maxAnswerBytes?: number | undefined;
  /** How the endpoint tells log-probabilities, if it is to be asked for them. */
  readonly likelihood?: LikelihoodDialect | undefined;
  /** Whether the model takes media; by default every chat model is taken to. */
  readonly vision?: boolean | undefined;
  /** The model's tokenizer, for prompts that contain token ids. */
  readonly encode?: Encode | undefined;
}

/**
 * A model behind an OpenAI-compatible endpoint for chat or text completions.
 *
 * @example
 * const model = openAiModel({
 *   takes: 'messages',
 *   baseUrl: 'http://127.0.0.1:8000',
 *   model: 'qwen3-8b',
 *   source: ['models', 0],
 * });
 * const prompt = { type: 'text', text: 'What is 6 times 7?' } as const;
 * const { text } = await model.generate({ prompt }, { signal: AbortSignal.timeout(5000) }); // '42'
 */
export function openAiModel(settings: OpenAiModelSettings): Model {
  const connection = connect(settings);
  const { model, likelihood } = settings;
  /** Media are read only now: the body that stands for the request names them by their hash. */
  const bodyWithMedia = async (request: GenerateRequest) => {
    const prompt = await inlineMedia(request.prompt);
    return writeBody(settings, { ...request, prompt });
  };
  const loglikelihoodModel =
    likelihood && openAiLoglikelihood(connection, { model, dialect: likelihood });
  return {
    name: settings.name ?? model,
    abilities: abilitiesOf(settings),
    ...(likelihood && { facts: { likelihood }, loglikelihoodModel }),
    target: { url: connection.url },
    bodiesOf: async (request) => {
      if ('prompt' in request) return [await bodyWithMedia(request)];
      return loglikelihoodModel ? splitBodies(loglikelihoodModel.encode(request)) : [];
    },
    identity: identityOf(settings, connection.url),
    encode: (request) => writeBody(settings, request),
    generate: (request, { signal }) => {
      if (hasParts(request.prompt)) {
        return bodyWithMedia(request).then((body) => ask(connection, { body, signal }));
      }
      return ask(connection, { body: request.body ?? writeBody(settings, request), signal });
    },
    close: () => connection.pool.close(),
  };
}

function abilitiesOf(settings: OpenAiModelSettings): ReadonlySet<Ability> {
  const { takes, vision = takes === 'messages', stream, likelihood } = settings;
  const abilities: Ability[] = ['generate'];
  if (vision) abilities.push('vision');
  if (stream) abilities.push('stream');
  if (likelihood) abilities.push('next-token');
  if (likelihood && likelihood.how !== 'next-token') abilities.push('loglikelihood');
  return new Set(abilities);
}

/** Finds out with one request how an endpoint for text tells log-probabilities. */
export async function findLikelihood(
  settings: OpenAiModelSettings,
  signal: AbortSignal,
): Promise<LikelihoodDialect> {
  const connection = connect(settings);
  try {
    return await probeLikelihood(connection, { model: settings.model, signal });
  } finally {
    await connection.pool.close();
  }
}

function writeBody(settings: OpenAiModelSettings, request: GenerateRequest): string {
  const endpoint = endpointFor(settings, request);
  return JSON.stringify(generationBody(endpoint, request.prompt, settings.encode));
}

const maxConnectMs = 10_000;

/** Opens the connections to an endpoint; none is made before the first request. */
export function connect(settings: OpenAiModelSettings): Connection {
  const { connections = 64, timeoutMs = 600_000, maxAnswerBytes = 64_000_000 } = settings;
  const address = endpointAddress(settings);
  const { origin, path, url } = address;
  const key = settings.apiKeyEnv === undefined ? undefined : readApiKey(settings.apiKeyEnv);
  const authorization = key === undefined ? address.authorization : `Bearer ${key}`;
  const extra = Object.entries(settings.headers ?? {});
  return {
    path,
    url,
    timeoutMs,
    maxAnswerBytes,
    aborts: new AbortWatch(),
    secrets: [
      ...address.secrets,
      ...(key === undefined ? [] : [key]),
      ...extra.map(([, value]) => value),
    ],
    headers: {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...Object.fromEntries(extra.map(([name, value]) => [name.toLowerCase(), value])),
    },
    pool: new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: Math.min(timeoutMs, maxConnectMs) },
      // Every exchange has a time limit of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  };
}

/** Of headers the names only: their values may be secrets. */
function identityOf(settings: OpenAiModelSettings, url: string): Model['identity'] {
  const { model, maxOutLen, stop, generationKwargs, headers } = settings;
  return {
    type: 'openai',
    url,
    model,
    ...(maxOutLen !== undefined && { maxOutLen }),
    ...(stop && { stop }),
    ...(generationKwargs && { generationKwargs }),
    ...(headers && { headers: Object.keys(headers).sort() }),
  };
}

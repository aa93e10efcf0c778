import { type Connection, type ConnectionSettings, connect } from './connection.ts';
import type { EndpointPath } from './endpoint-address.ts';
import type { LikelihoodDialect } from './endpoint-loglikelihood/dialect.ts';
import { openAiLoglikelihood, splitBodies } from './endpoint-loglikelihood/openai-loglikelihood.ts';
import { checkDialectFirst, probeLikelihood } from './endpoint-loglikelihood/probe.ts';
import { ask, get } from './exchange.ts';
import type { LoglikelihoodModel } from './loglikelihood.ts';
import { hasParts, inlineMedia } from './media.ts';
import type { Ability, GenerateRequest, Model } from './model.ts';
import { type Encode, type EndpointSettings, writeBody, writeLongBody } from './request-body.ts';
import { redact } from './secrets.ts';

/** A model behind an OpenAI-compatible endpoint, and how it is asked. */
export interface OpenAiModelSettings extends EndpointSettings, ConnectionSettings {
  /** How the run calls the model; the name that is sent by default. */
  readonly name?: string | undefined;
  /** How the endpoint tells log-probabilities, if it is to be asked for them. */
  readonly likelihood?: LikelihoodDialect | undefined;
  /** Whether that is from an earlier run: the endpoint is asked about it before it is first needed. */
  readonly checksLikelihood?: boolean | undefined;
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
  const connection = connect(settings, endpointOf(settings));
  const { model, likelihood, takes } = settings;
  /** Media are read only now: the body that stands for the request names them by their hash. */
  const bodyWithMedia = async (request: GenerateRequest) => {
    const prompt = await inlineMedia(request.prompt);
    return writeBody(settings, { ...request, prompt });
  };
  const loglikelihoodModel =
    likelihood && loglikelihoodModelOf(connection, { ...settings, likelihood });
  return {
    name: settings.name ?? model,
    abilities: abilitiesOf(settings),
    takes,
    ...(likelihood && { facts: { likelihood }, loglikelihoodModel }),
    target: { url: connection.url },
    bodiesOf: async (request) => {
      if ('prompt' in request) return [await bodyWithMedia(request)];
      return loglikelihoodModel ? splitBodies(loglikelihoodModel.encode(request)) : [];
    },
    identity: identityOf(settings, connection.url),
    encode: (request) => writeBody(settings, request),
    encodeLong: (request) => writeLongBody(settings, request),
    ...(settings.encode && takes === 'text' && { idsOf: idsReader(settings, settings.encode) }),
    generate: (request, { signal }) => {
      if (hasParts(request.prompt)) {
        return bodyWithMedia(request).then((body) => ask(connection, { body, signal }));
      }
      return ask(connection, { body: request.body ?? writeBody(settings, request), signal });
    },
    close: () => connection.pool.close(),
  };
}

function loglikelihoodModelOf(
  connection: Connection,
  {
    model,
    likelihood,
    checksLikelihood,
  }: OpenAiModelSettings & { readonly likelihood: LikelihoodDialect },
): LoglikelihoodModel {
  const opened = openAiLoglikelihood(connection, { model, dialect: likelihood });
  if (!checksLikelihood) return opened;
  return checkDialectFirst(opened, {
    dialect: likelihood,
    url: connection.url,
    probe: (signal) => probeLikelihood(connection, { model, signal }),
  });
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

function endpointOf({ takes }: Pick<EndpointSettings, 'takes'>): EndpointPath {
  return takes === 'messages' ? 'chat/completions' : 'completions';
}

/** Finds out with one request how an endpoint for text tells log-probabilities. */
export async function findLikelihood(
  settings: OpenAiModelSettings,
  signal: AbortSignal,
): Promise<LikelihoodDialect> {
  const connection = connect(settings, endpointOf(settings));
  try {
    return await probeLikelihood(connection, { model: settings.model, signal });
  } finally {
    await connection.pool.close();
  }
}

const longestListingMs = 10_000;

/** The first model that an endpoint lists, or nothing if it lists none. */
export async function firstModelName(settings: ConnectionSettings): Promise<string | undefined> {
  const timeoutMs = Math.min(settings.timeoutMs ?? longestListingMs, longestListingMs);
  const connection = connect({ ...settings, timeoutMs }, 'models');
  try {
    const { text } = await get(connection, new AbortController().signal);
    const id = JSON.parse(text)?.data?.[0]?.id;
    return typeof id === 'string' ? redact(id, connection.answerSecrets) : undefined;
  } catch {
    // Many servers list nothing; a server that is not there shows at the first request.
    return undefined;
  } finally {
    await connection.pool.close();
  }
}

/** A server puts what begins every text before a prompt, unless it is told not to or gets token ids. */
function idsReader({ generationKwargs }: OpenAiModelSettings, encode: Encode): Model['idsOf'] {
  const isAdded = generationKwargs?.add_special_tokens !== false;
  const beginning = isAdded ? encode(encode.beginning ?? '') : [];
  return ({ text, pieces }) =>
    pieces
      ? pieces.flatMap((piece) => (typeof piece === 'string' ? encode(piece) : piece))
      : [...beginning, ...encode(text)];
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

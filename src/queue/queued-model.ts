import { z } from 'zod';
import { contentHash } from '../base/content-hash.ts';
import { version } from '../base/version.ts';
import type { Config, ModelConfig } from '../config/config.ts';
import { ConfigError, formatPath } from '../errors.ts';
import { openModel, withKwargs } from '../evaluation/open-model.ts';
import { endpointAddress } from '../model/endpoint-address.ts';
import type { LikelihoodDialect } from '../model/endpoint-loglikelihood/dialect.ts';
import type { Model } from '../model/model.ts';

/** What workers are told of a model. */
const queuedSchema = z.object({
  abbr: z.string(),
  version: z.string(),
  /** Hash of the identity: a worker whose model has another one asks another model. */
  identity: z.string(),
  measures: z.boolean(),
  /** How the server tells loglikelihoods, as the run found out, and which server that is. */
  likelihood: z.unknown().optional(),
  url: z.string().optional(),
  folder: z.string(),
  /** Its config; left out where that has secrets or code, which workers must have themselves. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** When a run last said that it asks this model, by the clock of the server. */
  at: z.number(),
});

export type QueuedModel = z.infer<typeof queuedSchema>;

export function readQueuedModel(text: string): QueuedModel | undefined {
  try {
    return queuedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What a model is described as to workers. */
export function describeQueued(
  model: Model,
  config: ModelConfig,
  { folder }: { readonly folder: string },
): Omit<QueuedModel, 'at'> {
  if ('start' in model.identity) {
    throw new ConfigError(
      'queue.no_version',
      `${formatPath(config.source)}: \`${config.abbr}\` is a function without a \`version\`, so a worker cannot tell whether its own is the same`,
      {
        path: config.source,
        hint: "Add a version, such as `version: '1'`, or run it without a queue.",
      },
    );
  }
  return {
    abbr: config.abbr,
    version,
    identity: contentHash(model.identity),
    measures: model.loglikelihoodModel !== undefined,
    likelihood: model.facts?.likelihood,
    ...(typeof model.identity.url === 'string' && { url: model.identity.url }),
    folder,
    ...(isPlain(config) && { config: plainConfig(config) }),
  };
}

/** The queue of a model: that of all runs that ask the same model in the same way, by the same name. */
export function queueName({ abbr, identity, measures }: Omit<QueuedModel, 'at'>): string {
  return `${version}-${contentHash([abbr, identity])}${measures ? '-measured' : ''}`;
}

/** Whether nothing of a config is secret, and nothing is code. */
function isPlain({ type, source, headers, baseUrl, ...config }: ModelConfig): boolean {
  const { otherUrls = [], object, options } = config;
  if (type === 'Local') return true;
  if (type !== 'OpenAI' && type !== 'OpenAICompletions') return false;
  if (headers || object || options || baseUrl === undefined) return false;
  return [baseUrl, ...otherUrls].every(
    (address) => endpointAddress({ baseUrl: address, source }, 'models').secrets.length === 0,
  );
}

/** What it takes to ask a model whose requests are written already. */
function plainConfig(config: ModelConfig): Record<string, unknown> {
  const { abbr, type, source, model, path, version, baseUrl, otherUrls, apiKeyEnv } = config;
  const { maxOutLen, stop, generationKwargs, metaTemplate, stream, timeout, vision } = config;
  const asked = { abbr, type, source, model, path, version, baseUrl, otherUrls, apiKeyEnv };
  return JSON.parse(
    JSON.stringify({
      ...asked,
      ...{ maxOutLen, stop, generationKwargs, metaTemplate, stream, timeout, vision },
    }),
  );
}

export interface ServingOptions {
  /** The config that the worker was started with, whose models it knows itself. */
  readonly own: Config | undefined;
  /** The most requests at once. */
  readonly concurrency: number;
}

/** Opens the model that a run asks, and refuses another one. */
export async function openQueued(
  queued: QueuedModel,
  { own, concurrency }: ServingOptions,
): Promise<Model> {
  if (queued.version !== version) {
    throw refused(`the run uses Typecase ${queued.version}, this worker ${version}`);
  }
  const known = own?.models.find(({ abbr }) => abbr === queued.abbr);
  const config = known ?? (queued.config as ModelConfig | undefined);
  if (!config) {
    throw refused('its config has secrets or code, which are not sent through a queue', {
      hint: 'Start the worker with that config: `typecase worker CONFIG --queue …`.',
    });
  }
  const { measures, likelihood, url } = queued;
  const model = await openModel(
    { folder: known && own ? own.folder : queued.folder },
    { ...withKwargs(config), batchSize: concurrency },
    {
      purpose: 'run',
      needsLikelihood: measures,
      choosesExamples: false,
      encode: undefined,
      known: { url, likelihood: likelihood as LikelihoodDialect | undefined },
    },
  );
  if (contentHash(model.identity) === queued.identity) return model;
  await model.close();
  throw refused('this worker has a different model, or different settings, under that name', {
    hint: 'Address, model name, settings, or the files of a local model differ.',
  });
}

function refused(reason: string, { hint }: { readonly hint?: string } = {}): ConfigError {
  return new ConfigError('queue.not_served', reason, { hint });
}

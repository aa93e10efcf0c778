import { resolve } from 'node:path';
import type { Config, ModelConfig } from '../config/config.ts';
import { localFolder } from '../config/local-folder.ts';
import { maxTimerMs, modelDefaults } from '../config/run-defaults.ts';
import { ConfigError, type ConfigPath, formatPath, TypecaseError } from '../errors.ts';
import type { LikelihoodDialect } from '../model/endpoint-loglikelihood/dialect.ts';
import type { Model } from '../model/model.ts';
import type { OpenAiModelSettings } from '../model/openai-model.ts';
import type { Encode } from '../model/request-body.ts';
import { readEosTokenIds } from '../prompt/meta-template.ts';
import type { Pace } from './evaluation.ts';

/**
 * What evaluations are opened for. `run`: models are asked. `plan`: nothing is asked, but requests
 * have the identity that they have in a run. `view`: nothing is asked, and prompts can be seen of
 * models that could not be asked.
 */
export type Purpose = 'run' | 'plan' | 'view';

/** What an earlier run found out about a model. It is not asked again before requests are sent. */
export interface KnownModel {
  /** The model name to send to the endpoint, and the endpoint. */
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly likelihood?: LikelihoodDialect | undefined;
}

export interface ModelOptions {
  readonly purpose: Purpose;
  /** Whether it has to tell how likely texts are. */
  readonly needsLikelihood: boolean;
  /** Whether it has to tell so before the first request, to choose examples. */
  readonly choosesExamples: boolean;
  readonly encode: Encode | undefined;
  /** Whether requests must have the identity that they have in a run. */
  readonly identify?: boolean | undefined;
  readonly known?: KnownModel | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Relative paths are relative to its folder. */
type Positioned = Pick<Config, 'folder'>;

/** The model of a config, ready to be asked for what its tasks need. */
export async function openModel(
  config: Positioned,
  model: ModelConfig | undefined,
  options: ModelOptions,
): Promise<Model> {
  if (!model) return unaskable('none', 'no model is configured');
  const opened = await openKind(config, model, options);
  const { version } = model;
  if (version === undefined || model.type === 'function') return opened;
  // What the model finds out later shows through.
  return Object.create(opened, {
    identity: { get: () => ({ ...opened.identity, version }), enumerable: true },
  });
}

async function openKind(
  config: Positioned,
  model: ModelConfig,
  options: ModelOptions,
): Promise<Model> {
  if (options.purpose === 'run') return open(config, model, options);
  // Without a call no key is needed.
  const unasked = { ...model, apiKeyEnv: undefined };
  if (options.purpose === 'plan') return open(config, unasked, options);
  try {
    return await open(config, unasked, options);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return unaskable(model.abbr, error.message);
  }
}

/** A model that has prompts, and no answers. */
async function unaskable(name: string, reason: string): Promise<Model> {
  const { promptOnlyModel } = await import('../model/prompt-only-model.ts');
  return promptOnlyModel(name, reason);
}

async function open(config: Positioned, model: ModelConfig, options: ModelOptions): Promise<Model> {
  const { abbr, path, answerColumn } = model;
  if (model.type === 'Replay' && answerColumn !== undefined) {
    const { columnModel } = await import('../model/column-model.ts');
    return columnModel(answerColumn, abbr);
  }
  if (model.type === 'Replay' && path !== undefined) {
    const { replayModel } = await import('../model/replay-model.ts');
    return replayModel(resolve(config.folder, path), abbr);
  }
  if (model.type === 'Dummy') return (await import('../model/dummy-model.ts')).dummyModel(abbr);
  if (model.type === 'Local') return openLocal(config, model, options);
  if (model.type === 'AISDK') return openAiSdk(config, model);
  if (model.type === 'function' || model.object) {
    const { openGiven } = await import('./open-given-model.ts');
    return openGiven(config, { ...model, timeoutMs: timeoutOf(model) });
  }
  return openEndpoint(model, options);
}

async function openLocal(
  config: Positioned,
  { abbr, path = '', source, maxOutLen, stop, generationKwargs }: ModelConfig,
  { purpose, choosesExamples, identify }: ModelOptions,
): Promise<Model> {
  const folder = localFolder(config, { path });
  if (purpose === 'view' && !identify && /^hf:/.test(folder)) {
    return unaskable(abbr, 'the model is downloaded by the first run');
  }
  const { findLocalModel } = await import('./find-local-model.ts');
  const settings = {
    path: await findLocalModel(folder),
    source: [...source, 'path'],
    name: abbr,
    maxOutLen,
    stop,
    generationKwargs,
  };
  if (purpose === 'run' || choosesExamples) {
    const { localModel } = await import('../model/local/local-model.ts');
    return localModel(settings);
  }
  const { unloadedModel } = await import('../model/local/unloaded-model.ts');
  return unloadedModel({ ...settings, identify: identify ?? false });
}

async function openAiSdk(config: Positioned, model: ModelConfig): Promise<Model> {
  const {
    abbr,
    package: packageName,
    apiKeyEnv,
    maxOutLen,
    stop,
    generationKwargs,
    vision,
  } = model;
  if (packageName === undefined || model.model === undefined) throw missingKey(model);
  const { aiSdkModel } = await import('../model/ai-sdk-model.ts');
  return aiSdkModel({
    package: packageName,
    model: model.model,
    options: model.options,
    folder: config.folder,
    name: abbr,
    apiKeyEnv,
    maxOutLen,
    stop,
    generationKwargs,
    timeoutMs: timeoutOf(model),
    vision,
  });
}

async function openEndpoint(model: ModelConfig, options: ModelOptions): Promise<Model> {
  const { baseUrl, abbr, source, apiKeyEnv, headers, maxOutLen, stop, vision } = model;
  const { purpose, needsLikelihood, encode, known, signal } = options;
  if (model.type === undefined || baseUrl === undefined) throw missingKey(model);
  const takes = model.type === 'OpenAICompletions' ? 'text' : 'messages';
  const timeoutMs = timeoutOf(model);
  const askName = async () => {
    const { firstModelName } = await import('../model/openai-model.ts');
    return firstModelName({ baseUrl, source, apiKeyEnv, headers });
  };
  const named = model.model ?? model.path;
  const settings: OpenAiModelSettings = {
    takes,
    baseUrl,
    // Endpoints that serve one model often do not care what it is called.
    model: named ?? (purpose === 'run' ? await askName() : undefined) ?? known?.model ?? 'default',
    source,
    name: abbr,
    apiKeyEnv,
    headers,
    maxOutLen,
    stop,
    generationKwargs: model.generationKwargs,
    stream: model.stream ?? modelDefaults.stream,
    vision,
    audio: model.audio,
    prefill: model.prefill,
    connections: model.batchSize ?? modelDefaults.batchSize,
    timeoutMs,
    encode,
  };
  const { findLikelihood, openAiModel: openOne } = await import('../model/openai-model.ts');
  const others = model.otherUrls ?? [];
  const balanced = others.length > 0 ? await import('../model/balanced-model.ts') : undefined;
  const openAiModel = (own: OpenAiModelSettings): Model => {
    const first = openOne(own);
    if (!balanced) return first;
    const more = others.map((address) => openOne({ ...own, baseUrl: address }));
    return balanced.balancedModel([first, ...more]);
  };
  if (takes === 'messages' || !needsLikelihood) return openAiModel(settings);
  const { defaultDialect } = await import('../model/endpoint-loglikelihood/dialect.ts');
  const isRun = purpose === 'run';
  const remembered = known?.likelihood ?? (isRun ? undefined : defaultDialect);
  if (remembered) {
    const opened = openAiModel({ ...settings, likelihood: remembered, checksLikelihood: true });
    if (!isRun || known?.url === opened.identity.url) return opened;
    await opened.close();
  }
  const likelihood = await findLikelihood(
    settings,
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  );
  return openAiModel({ ...settings, likelihood });
}

/** How fast a model is asked. */
export function paceOf(model: ModelConfig | undefined): Pace {
  return {
    maxConcurrency: model?.batchSize ?? modelDefaults.batchSize,
    requestsPerSecond: model?.maxRps,
    maxAttempts: model?.retries ?? modelDefaults.retries,
  };
}

function timeoutOf({ timeout = modelDefaults.timeout }: ModelConfig): number {
  return Math.min(timeout * 1000, maxTimerMs);
}

function missingKey({ source, type }: ModelConfig): ConfigError {
  const missing = type === undefined ? 'type' : type === 'AISDK' ? 'package' : 'base_url';
  return new ConfigError(
    'config.missing_key',
    `${formatPath(source)} has no \`${missing}\`, so it cannot be asked`,
    {
      path: source,
      hint: 'Add `type: OpenAI` and `base_url: http://127.0.0.1:8000/v1`.',
    },
  );
}

/**
 * Always there, so that a model has one identity whether flags set something or not. The tokens that
 * a meta template ends answers with are sent, unless the settings name others.
 */
export function withKwargs<Given extends ModelConfig | undefined>(model: Given): Given {
  if (!model) return model;
  const { metaTemplate, generationKwargs = {} } = model;
  const path = [...model.source, 'meta_template'];
  const stopTokens = metaTemplate === undefined ? [] : readEosTokenIds(metaTemplate, path);
  if (stopTokens.length === 0) return { ...model, generationKwargs };
  if (model.type === 'AISDK' || model.type === 'object') {
    throw noStopTokens(model, [...path, 'eos_token_id']);
  }
  return {
    ...model,
    generationKwargs: { stop_token_ids: stopTokens, ...generationKwargs },
  };
}

function noStopTokens({ abbr }: ModelConfig, path: ConfigPath): ConfigError {
  return new ConfigError(
    'model.no_stop_tokens',
    `${formatPath(path)}: \`${abbr}\` is a model of the AI SDK, which does not accept token ids as stops`,
    { path, hint: 'Remove it, and set `stop` to the text of the token.' },
  );
}

/** The tokenizer that a config names for a model. */
export async function encoderOf(
  config: Positioned,
  model: ModelConfig,
): Promise<Encode | undefined> {
  if (model.tokenizer === undefined) return undefined;
  const { loadEncoder } = await import('./load-encoder.ts');
  return loadEncoder(resolve(config.folder, model.tokenizer), [...model.source, 'tokenizer']);
}

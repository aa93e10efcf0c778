import { dirname, resolve } from 'node:path';
import type { Config, ModelConfig } from '../../config/config.ts';
import { localFolder } from '../../config/local-folder.ts';
import { modelDefaults } from '../../config/run-defaults.ts';
import { ConfigError, formatPath } from '../../errors.ts';
import { abilityFor } from '../../infer/inference-of.ts';
import { firstModelName } from '../../model/first-model.ts';
import { aiSdkModel, type Model, openAiModel, replayModel } from '../../model/index.ts';
import { usualDialect } from '../../model/likelihood/dialect.ts';
import { findLikelihood, type OpenAiModelSettings } from '../../model/openai-model.ts';
import type { Encode } from '../../model/request.ts';
import { findLocalModel } from '../find-local-model.ts';
import type { OpenedRun } from './open-run.ts';
import type { RunOptions } from './run-options.ts';

interface ModelParts {
  readonly options: RunOptions;
  readonly encode: Encode | undefined;
  readonly maxConcurrency: number;
}

/** A model of a config that is asked to judge. */
export function openJudge(config: Config, model: ModelConfig): Promise<Model> {
  const options = { source: config.file, json: false };
  const maxConcurrency = model.batchSize ?? modelDefaults.batchSize;
  const opened = { config, datasets: [], mayAsk: true };
  return openModel(opened, model, { options, encode: undefined, maxConcurrency });
}

/** The model of a config, ready to be asked for what the data sets need. */
export async function openModel(
  opened: Pick<OpenedRun, 'config' | 'datasets' | 'mayAsk'>,
  config: ModelConfig,
  parts: ModelParts,
): Promise<Model> {
  const { options, encode, maxConcurrency } = parts;
  const { abbr: name, apiKeyEnv, stop, source, path, vision } = config;
  const maxOutLen = options.maxOutLen ?? config.maxOutLen;
  const timeoutMs = (options.timeout ?? config.timeout ?? modelDefaults.timeout) * 1000;
  const generationKwargs = {
    ...config.generationKwargs,
    ...(options.temperature !== undefined && { temperature: options.temperature }),
  };
  const folder = dirname(opened.config.file);
  if (config.type === 'Replay' && path !== undefined) return replayModel(resolve(folder, path));
  if (config.type === 'Local') {
    const { localModel } = await import('../../model/local/local-model.ts');
    return localModel({
      path: await findLocalModel(localFolder(opened.config, config)),
      source: [...source, 'path'],
      name,
      maxOutLen,
      stop,
      generationKwargs,
    });
  }
  if (config.type === 'AISDK' && config.package !== undefined && config.model !== undefined) {
    const { package: packageName, model, options: providerOptions } = config;
    const sdk = { package: packageName, model, options: providerOptions, folder };
    return aiSdkModel({
      ...sdk,
      name,
      apiKeyEnv,
      maxOutLen,
      stop,
      generationKwargs,
      timeoutMs,
      vision,
    });
  }
  if (config.type === undefined || config.baseUrl === undefined) throw noEndpoint(config);
  const takes = config.type === 'OpenAICompletions' ? 'text' : 'messages';
  const settings: OpenAiModelSettings = {
    takes,
    baseUrl: config.baseUrl,
    model:
      config.model ??
      path ??
      (await nameOf(config.baseUrl, { takes, source, apiKeyEnv, headers: config.headers })),
    source,
    name,
    apiKeyEnv,
    headers: config.headers,
    maxOutLen,
    stop,
    generationKwargs,
    stream: config.stream ?? modelDefaults.stream,
    vision,
    connections: maxConcurrency,
    timeoutMs,
    encode,
  };
  const needsWeights = opened.datasets.some(
    ({ inferCfg }) =>
      abilityFor(inferCfg.inferencer.type) !== 'generate' ||
      inferCfg.retriever.type === 'MDLRetriever',
  );
  if (takes === 'messages' || !needsWeights) return openAiModel(settings);
  const likelihood = opened.mayAsk
    ? await findLikelihood(settings, AbortSignal.timeout(timeoutMs))
    : usualDialect;
  return openAiModel({ ...settings, likelihood });
}

/** Endpoints that serve one model often do not care what it is called. */
async function nameOf(
  baseUrl: string,
  settings: Pick<OpenAiModelSettings, 'takes' | 'source' | 'apiKeyEnv' | 'headers'>,
): Promise<string> {
  return (await firstModelName({ ...settings, baseUrl })) ?? 'default';
}

function noEndpoint({ source, type }: ModelConfig): ConfigError {
  const missing = type === undefined ? 'type' : 'base_url';
  return new ConfigError(
    'config.missing_key',
    `${formatPath(source)} has no \`${missing}\`, so it cannot be asked`,
    {
      path: source,
      hint: 'Add `type: OpenAI` and `base_url: http://127.0.0.1:8000/v1`.',
    },
  );
}

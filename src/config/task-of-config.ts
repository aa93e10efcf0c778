import { dirname, resolve } from 'node:path';
import { ConfigError, formatPath } from '../errors.ts';
import type { ModelSide, PromptTask } from '../infer/task-prompts.ts';
import type { EndpointSettings } from '../model/request.ts';
import { type ChatTemplateFormat, formatOf, plainFormat } from '../prompt/index.ts';
import type { Compat, Config, DatasetConfig, ModelConfig } from './config.ts';
import { readChatTemplate } from './read-chat-template.ts';

/** One model on one data set. Without a model, prompts are text in no model's format. */
export interface Pair {
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly model: ModelConfig | undefined;
}

/** What shapes the prompts of a pair. */
export async function taskOfConfig({ config, dataset, model }: Pair): Promise<PromptTask> {
  const { readerCfg, inferCfg } = dataset;
  const { retriever } = inferCfg;
  const compat = compatOf(config, model);
  // The systems that compat modes reproduce draw with seeds of their own.
  const seed = retriever.seed ?? (compat ? undefined : config.seed);
  return {
    compat,
    promptTemplate: inferCfg.promptTemplate,
    iceTemplate: inferCfg.iceTemplate,
    inputColumns: readerCfg.inputColumns,
    outputColumn: readerCfg.outputColumn,
    retriever: { ...retriever, seed },
    inferencer: inferCfg.inferencer,
    model: model ? await modelSide(config, model) : { takes: 'text', format: plainFormat },
  };
}

/** The system whose prompts a model gets: its own setting, or that of the whole config. */
export function compatOf(
  config: Pick<Config, 'compat'>,
  model: Pick<ModelConfig, 'compat'> | undefined,
): Compat | undefined {
  return model?.compat ?? config.compat;
}

/** The endpoint that a pair's prompts are sent to, if the model names one. */
export function endpointOf({ dataset, model }: Pair): EndpointSettings | undefined {
  const name = model?.model ?? model?.path;
  if (!model?.type || model.baseUrl === undefined || name === undefined) return undefined;
  const { maxOutLen, stoppingCriteria = [] } = dataset.inferCfg.inferencer;
  return {
    takes: takesOf(model),
    baseUrl: model.baseUrl,
    model: name,
    maxOutLen: maxOutLen ?? model.maxOutLen,
    stop: [...new Set([...(model.stop ?? []), ...stoppingCriteria])],
    generationKwargs: model.generationKwargs,
    source: model.source,
  };
}

/** Recorded answers are those of a chat model, unless a text format is given. */
function takesOf({ type, metaTemplate, chatTemplate }: ModelConfig): 'text' | 'messages' {
  if (type === 'Replay') return metaTemplate || chatTemplate !== undefined ? 'text' : 'messages';
  return type === 'OpenAI' || type === 'AISDK' ? 'messages' : 'text';
}

async function modelSide(config: Config, model: ModelConfig): Promise<ModelSide> {
  const { metaTemplate, source } = model;
  const takes = takesOf(model);
  const compat = compatOf(config, model);
  const format = formatOf({
    takes: compat ? 'text' : takes,
    // Compat modes read the meta template itself by the rules of those systems.
    metaTemplate: compat && typeof metaTemplate !== 'string' ? undefined : metaTemplate,
    chatTemplate: await chatTemplateOf(config, model),
    path: [...source, 'meta_template'],
  });
  return { takes, format, metaTemplate, source };
}

async function chatTemplateOf(
  { file }: Config,
  model: ModelConfig,
): Promise<ChatTemplateFormat | undefined> {
  const { chatTemplate, chatTemplateName, source } = model;
  if (chatTemplate === undefined) return undefined;
  const path = [...source, 'chat_template'];
  if (takesOf(model) === 'messages') {
    throw new ConfigError(
      'config.conflicting_keys',
      `${formatPath(path)} writes one text, but a model of type ${model.type} takes chat messages`,
      { path, hint: 'Use the type OpenAICompletions, or let the server apply its own template.' },
    );
  }
  return {
    template: await readChatTemplate({
      file: resolve(dirname(file), chatTemplate),
      name: chatTemplateName,
      path,
    }),
  };
}

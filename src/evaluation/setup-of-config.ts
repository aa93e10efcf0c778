import { dirname, resolve } from 'node:path';
import type { Compat } from '../compat/compat.ts';
import type { Config, DatasetConfig, ModelConfig } from '../config/config.ts';
import { localChatTemplate, localFolder } from '../config/local-folder.ts';
import { compileWhere } from '../data/select/where.ts';
import { ConfigError, formatPath } from '../errors.ts';
import { prefillOf } from '../model/request-body.ts';
import {
  type ChatTemplateFormat,
  chatApiFormat,
  formatOf,
  type ModelFormat,
  plainFormat,
} from '../prompt/format.ts';
import { entriesOf, getKey, isMapping } from '../prompt/mapping.ts';
import type { RoleFormat } from '../prompt/meta-template.ts';
import type { TemplateConfig } from '../prompt/template.ts';
import { withoutOpenThought } from '../score/split-thought.ts';
import { type ModelSide, mediaDefaults, type PromptSetup } from './prompt-setup.ts';

/** One model on one dataset. Without a model, prompts are text in no model's format. */
export interface Pair {
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly model: ModelConfig | undefined;
  /** False where nothing may be asked: vectors must be known already. */
  readonly mayAsk?: boolean | undefined;
  /** Where `work_dir` is looked for; the working folder by default. */
  readonly startedIn?: string | undefined;
}

/** What shapes the prompts of a pair. */
export async function setupOfConfig(pair: Pair): Promise<PromptSetup> {
  const { config, dataset, model, mayAsk = true, startedIn } = pair;
  const { readerCfg, inferCfg } = dataset;
  const { where, embedder, ...retriever } = inferCfg.retriever;
  const compat = compatOf(config, model);
  // The systems that compat modes reproduce draw with seeds of their own.
  const seed = retriever.seed ?? (compat ? undefined : config.seed);
  return {
    compat,
    promptTemplate: inferCfg.promptTemplate,
    iceTemplate: inferCfg.iceTemplate,
    shotsAs: inferCfg.shotsAs,
    inputColumns: readerCfg.inputColumns,
    outputColumn: readerCfg.outputColumn,
    retriever: {
      ...retriever,
      seed,
      where: where === undefined ? undefined : compileWhere(where),
      embedder:
        embedder &&
        (await import('./open-embedder.ts').then(({ openEmbedder }) =>
          openEmbedder(config, embedder, {
            at: [...retriever.source, 'embedder'],
            mayAsk,
            startedIn,
          }),
        )),
    },
    inferencer: inferCfg.inferencer,
    model: model ? await modelSide({ config, dataset, model }) : formatWithoutModel(dataset),
    dataset: compat && {
      abbr: dataset.abbr,
      testSplit: readerCfg.testSplit,
      trainSplit: readerCfg.trainSplit,
      isOneList: dataset.rows.type === 'file' || dataset.rows.type === 'inline',
    },
    rowType: dataset.type,
    media: mediaSettings(config, dataset),
  };
}

/** Prompts with media have no form but messages. */
function formatWithoutModel({ inferCfg }: DatasetConfig): ModelSide {
  return inferCfg.promptTemplate?.config.type === 'MMPromptTemplate'
    ? { takes: 'messages', format: chatApiFormat }
    : { takes: 'text', format: plainFormat };
}

/** Paths of media are relative to the file of the rows. */
function mediaSettings({ folder }: Config, { rows, readerCfg, media = {} }: DatasetConfig) {
  const path =
    rows.type === 'file' ? rows.path : rows.type === 'files' && rows.paths[readerCfg.testSplit];
  const isLocal = path && !/^(https?|hf):/.test(path);
  const {
    inline = mediaDefaults.inline,
    maxBytes = mediaDefaults.maxBytes,
    allowOutside = mediaDefaults.allowOutside,
  } = media;
  const start = isLocal ? dirname(resolve(folder, path)) : folder;
  return { folder: start, inline, maxBytes, allowOutside };
}

/** The system whose prompts a model gets: its own setting, or that of the whole config. */
export function compatOf(
  config: Pick<Config, 'compat'>,
  model: Pick<ModelConfig, 'compat'> | undefined,
): Compat | undefined {
  return model?.compat ?? config.compat;
}

/** The format of a model whatever it is asked, for what it is asked beside a task. */
export async function formatOfModel(config: Config, model: ModelConfig): Promise<ModelFormat> {
  const { metaTemplate, source } = model;
  const chatTemplate = model.chatTemplate ?? ownChatTemplate(config, model);
  return formatOf({
    takes: takesOf(model),
    metaTemplate,
    chatTemplate: await readTemplate(config, model, chatTemplate),
    prefill: takesPrefill(model, model.generationKwargs),
    path: [...source, 'meta_template'],
  });
}

/** Whether a model goes on with the beginning of an answer. */
function takesPrefill(model: ModelConfig, generationKwargs: ModelConfig['generationKwargs']) {
  const { type, prefill } = model;
  return (type === 'OpenAI' ? prefillOf({ prefill, generationKwargs }) : prefill) !== undefined;
}

/** Recorded answers are those of a chat model, unless a text format is given. */
export function takesOf(model: ModelConfig): 'text' | 'messages' {
  const { type, metaTemplate, chatTemplate, object } = model;
  if (object && 'takes' in object && object.takes) return object.takes;
  if (type === 'Replay' || type === 'function' || type === 'object')
    return metaTemplate || chatTemplate !== undefined ? 'text' : 'messages';
  return type === 'OpenAI' || type === 'AISDK' ? 'messages' : 'text';
}

async function modelSide({
  config,
  dataset,
  model,
}: Pair & { model: ModelConfig }): Promise<ModelSide> {
  const { metaTemplate, source } = model;
  const { generationKwargs } = dataset.inferCfg.inferencer;
  const kwargs = { ...model.generationKwargs, ...generationKwargs };
  const takes = takesOf(model);
  const compat = compatOf(config, model);
  const own = speaks(dataset) ? ownChatTemplate(config, model) : undefined;
  const format = formatOf({
    takes: compat ? 'text' : takes,
    // Compat modes read the meta template itself by the rules of those systems.
    metaTemplate: compat && typeof metaTemplate !== 'string' ? undefined : metaTemplate,
    chatTemplate: await readTemplate(config, model, model.chatTemplate ?? own),
    prefill: takesPrefill(model, kwargs),
    path: [...source, 'meta_template'],
  });
  return { takes, format: withBegun(format), metaTemplate, source, thinking: model.thinking };
}

async function readTemplate(
  config: Config,
  model: ModelConfig,
  chatTemplate: string | undefined,
): Promise<ChatTemplateFormat | undefined> {
  const { chatTemplateName, source } = model;
  if (chatTemplate === undefined) return undefined;
  const path = [...source, 'chat_template'];
  if (takesOf(model) === 'messages') {
    throw new ConfigError(
      'config.conflicting_keys',
      `${formatPath(path)} makes a single text, but a model of type ${model.type} takes chat messages`,
      { path, hint: 'Use OpenAICompletions, or let the server apply its own template.' },
    );
  }
  const { readChatTemplate } = await import('../config/read-chat-template.ts');
  return {
    template: await readChatTemplate({
      file: resolve(config.folder, chatTemplate),
      name: chatTemplateName,
      path,
    }),
  };
}

/** A local model has its template in its folder. */
function ownChatTemplate(config: Config, model: ModelConfig): string | undefined {
  if (model.type !== 'Local' || model.metaTemplate !== undefined) return undefined;
  return localChatTemplate(localFolder(config, model));
}

/** Prompts that are plain text are sent as they are. */
function speaks({ inferCfg }: DatasetConfig): boolean {
  const { shotsAs } = inferCfg;
  if (shotsAs === 'turns' || shotsAs === 'system') return true;
  const template = (inferCfg.promptTemplate ?? inferCfg.iceTemplate)?.config;
  return template !== undefined && hasRoles(template);
}

/** Whether prompts say who speaks, so that they are put into the model's format. */
export function isSpoken(dataset: DatasetConfig): boolean {
  return speaks(dataset) || dataset.inferCfg.inferencer.type === 'ChatInferencer';
}

/** Whether a template, or one of those for its labels, says who speaks. */
function hasRoles({ template, messages }: TemplateConfig): boolean {
  if (messages !== undefined || typeof template === 'function') return true;
  if (!isMapping(template)) return false;
  if (getKey(template, 'round') !== undefined) return true;
  return entriesOf(template).some(
    ([, own]) => isMapping(own) && getKey(own, 'round') !== undefined,
  );
}

/** An answer that is begun stands in no thought that a meta template opens before answers. */
function withBegun(format: ModelFormat): ModelFormat {
  if (format.type !== 'text') return format;
  const { roles, round } = format.meta;
  const change = (role: RoleFormat): RoleFormat => {
    const begun = role.generate ? withoutOpenThought(role.begin) : role.begin;
    return begun === role.begin ? role : { ...role, begun };
  };
  const meta = {
    ...format.meta,
    roles: new Map([...roles].map(([name, role]) => [name, change(role)] as const)),
    round: round?.map((entry) => (entry.type === 'role' ? change(entry) : entry)),
  };
  return { ...format, meta };
}

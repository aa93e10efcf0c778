import { createReadStream } from 'node:fs';
import type { ConfigPath } from '../../errors.ts';
import { asObject, type JsonObject } from '../json-value.ts';
import type { EngineFacts } from './engine/messages.ts';
import { EngineClient, RefusedWeights } from './engine-client.ts';
import { LocalTokenizer } from './local-tokenizer.ts';
import {
  type FolderLocation,
  folderError,
  type ModelFolder,
  readModelFolder,
} from './model-folder.ts';
import { requireRuntime } from './require-runtime.ts';

/** A model on this machine. */
export interface LocalSettings {
  /** A folder, or the .onnx file to use among several. */
  readonly path: string;
  /** Path in the config of the setting that names it. */
  readonly source?: ConfigPath | undefined;
  /** The most texts that are computed together; 32 by default. */
  readonly batchSize?: number | undefined;
}

/** A model that was loaded, and what there is to know of it. */
export interface LocalParts {
  readonly folder: ModelFolder;
  readonly tokenizer: LocalTokenizer;
  readonly engine: EngineClient;
  /** How many tokens fit, prompt and answer together. */
  readonly contextLength: number;
  /** Tokens that end an answer. */
  readonly stopIds: readonly number[];
}

/** Loads a model; refuses what is wrong with its folder before anything is asked. */
export async function openLocal(settings: LocalSettings): Promise<LocalParts> {
  const folder = await readModelFolder(settings);
  const tokenizer = await readTokenizer(folder, settings);
  const engine = await openWeights(folder, settings);
  const { facts } = engine;
  const mismatch = mismatchOf(tokenizer, facts);
  if (mismatch !== undefined) {
    await engine.close();
    throw folderError('model.tokenizer_mismatch', mismatch, { location: settings });
  }
  return {
    folder,
    tokenizer,
    engine,
    contextLength: contextLengthOf(folder, facts),
    stopIds: stopIdsOf(folder, tokenizer),
  };
}

export async function readTokenizer(
  folder: ModelFolder,
  location: FolderLocation,
): Promise<LocalTokenizer> {
  try {
    return await LocalTokenizer.read(folder.tokenizer, folder.tokenizerConfig);
  } catch (cause) {
    const problem = `tokenizer.json cannot be used: ${messageOf(cause)}`;
    throw folderError('model.tokenizer_unreadable', problem, { location, cause });
  }
}

function mismatchOf(tokenizer: LocalTokenizer, facts: EngineFacts): string | undefined {
  if (facts.type !== 'causal') return undefined;
  if (tokenizer.size > facts.vocabulary) {
    return `the tokenizer has ${tokenizer.size} tokens, the model only ${facts.vocabulary}`;
  }
  if (tokenizer.keepsTexts) return undefined;
  return 'the model generates text, but the tokenizer changes texts';
}

async function openWeights(folder: ModelFolder, settings: LocalSettings): Promise<EngineClient> {
  const { weights, config } = folder;
  const { batchSize = 32 } = settings;
  requireRuntime(settings.source);
  try {
    return await EngineClient.open({ weights, config: textConfig(config), batchSize });
  } catch (cause) {
    if (!(cause instanceof RefusedWeights)) throw cause;
    const reason = (await isPointer(weights).catch(() => false))
      ? 'they were not downloaded yet (`git lfs pull` does it)'
      : readable(cause.message);
    const problem = `the weights ${weights} cannot be used: ${reason}`;
    throw folderError('model.weights_unusable', problem, { location: settings, cause });
  }
}

/** Whether a file only stands for one that git keeps elsewhere. */
async function isPointer(file: string): Promise<boolean> {
  const mark = 'version https://git-lfs';
  let begin = '';
  for await (const part of createReadStream(file, { end: mark.length - 1 })) begin += part;
  return begin === mark;
}

/** ONNX Runtime repeats the file, and names a line of its own source. */
function readable(reason: string): string {
  return reason
    .replace(/^Load model from .* failed:/, '')
    .replace(/\/onnxruntime_src\/\S+ .*\) /, '')
    .trim();
}

/** Models that also see or hear keep what concerns texts apart. */
function textConfig(config: JsonObject): JsonObject {
  return { ...config, ...asObject(config.text_config) };
}

/** The names that families of models have for the same number. */
const lengthKeys = ['max_position_embeddings', 'n_positions', 'n_ctx', 'max_seq_len', 'seq_length'];

function contextLengthOf(
  { config, tokenizerConfig, sentenceConfig }: ModelFolder,
  { type }: EngineFacts,
): number {
  const texts = textConfig(config);
  const lengths = [
    ...lengthKeys.map((key) => texts[key]),
    tokenizerConfig.model_max_length,
    sentenceConfig.max_seq_length,
  ].filter((length) => typeof length === 'number');
  const [first = Number.POSITIVE_INFINITY] = lengths;
  return type === 'causal' ? first : Math.min(...lengths);
}

function stopIdsOf(folder: ModelFolder, tokenizer: LocalTokenizer): number[] {
  const { generationConfig, config, tokenizerConfig } = folder;
  const named = generationConfig.eos_token_id ?? textConfig(config).eos_token_id;
  const ids = [named].flat().filter((id) => typeof id === 'number');
  if (ids.length > 0) return ids;
  const token = tokenizerConfig.eos_token;
  const content = asObject(token)?.content ?? token;
  const id = typeof content === 'string' ? tokenizer.idOf(content) : undefined;
  return id === undefined ? [] : [id];
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

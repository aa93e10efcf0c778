import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, isFileMissing } from '../../base/files.ts';
import { ConfigError, type ConfigPath } from '../../errors.ts';
import { asObject, type JsonObject } from '../json-value.ts';
import { preferredWeights, weightsAmong } from './model-files.ts';

/** The files of a model that were read, and where its weights are. */
export interface ModelFolder {
  /** The last part of the folder's path. */
  readonly name: string;
  readonly folder: string;
  readonly weights: string;
  readonly config: JsonObject;
  readonly generationConfig: JsonObject;
  readonly tokenizer: JsonObject;
  /** With the chat template, if that has a file of its own. */
  readonly tokenizerConfig: JsonObject;
  /** How a sentence encoder makes one vector of many, and its limit; empty for others. */
  readonly pooling: JsonObject;
  readonly sentenceConfig: JsonObject;
}

/** Reads a model folder, or the folder of the weights that the path names. */
export async function readModelFolder(location: FolderLocation): Promise<ModelFolder> {
  const path = resolve(location.path);
  const kind = await stat(path).catch(() => undefined);
  if (!kind) {
    const problem = `the ${path.endsWith('.onnx') ? 'file' : 'folder'} does not exist`;
    throw folderError('model.folder_missing', problem, { location });
  }
  const folder = kind.isDirectory() ? path : await folderOfWeights(path, location);
  const read = (name: string) => readJson(join(folder, name), location);
  const need = async (name: string) => {
    const value = await read(name);
    if (value) return value;
    throw folderError('model.folder_incomplete', `there is no ${name}`, { location });
  };
  const template = await readIfThere(join(folder, 'chat_template.jinja'), location);
  return {
    name: basename(folder),
    folder,
    config: await need('config.json'),
    tokenizer: await need('tokenizer.json'),
    weights: kind.isDirectory() ? await chooseWeights(folder, location) : path,
    generationConfig: (await read('generation_config.json')) ?? {},
    tokenizerConfig: {
      ...(await read('tokenizer_config.json')),
      ...(template !== undefined && { chat_template: template }),
    },
    pooling: (await read('1_Pooling/config.json')) ?? {},
    sentenceConfig: (await read('sentence_bert_config.json')) ?? {},
  };
}

/** Weights stand in the model's folder or in `onnx` inside it. */
async function folderOfWeights(file: string, location: FolderLocation): Promise<string> {
  if (!file.endsWith('.onnx')) {
    throw folderError('model.folder_missing', 'this is neither a folder nor an .onnx file', {
      location,
    });
  }
  const beside = dirname(file);
  return basename(beside) === 'onnx' ? dirname(beside) : beside;
}

async function chooseWeights(folder: string, location: FolderLocation): Promise<string> {
  const list = (name: string) => readdir(join(folder, name)).catch(() => []);
  const inside = (await list('onnx')).map((name) => `onnx/${name}`);
  const files = [...inside, ...(await list('.'))];
  const found = preferredWeights(files);
  if (found !== undefined) return join(folder, found);
  const names = weightsAmong(files).map((file) => basename(file));
  const problem =
    names.length > 0
      ? `there are several weights files, and none is called model.onnx: ${names.join(', ')}`
      : 'there are no ONNX weights';
  throw folderError('model.folder_incomplete', problem, { location });
}

async function readJson(file: string, location: FolderLocation): Promise<JsonObject | undefined> {
  const text = await readIfThere(file, location);
  if (text === undefined) return undefined;
  try {
    const value = asObject(JSON.parse(text));
    if (value && !Array.isArray(value)) return value;
  } catch (cause) {
    throw folderError('model.folder_unreadable', `${basename(file)} is not JSON`, {
      location,
      cause,
    });
  }
  throw folderError('model.folder_unreadable', `${basename(file)} contains no settings`, {
    location,
  });
}

async function readIfThere(file: string, location: FolderLocation): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (isFileMissing(cause)) return undefined;
    const problem = `${basename(file)} cannot be read (${codeOf(cause) ?? cause})`;
    throw folderError('model.folder_unreadable', problem, { location, cause });
  }
}

/** A hash of all that shapes a model's answers. Large weights have files of data beside them. */
export async function hashModel({ weights, ...folder }: ModelFolder): Promise<string> {
  const { config, generationConfig, tokenizer, tokenizerConfig, pooling, sentenceConfig } = folder;
  const hash = createHash('sha256');
  const settings = [config, generationConfig, tokenizer, tokenizerConfig, pooling, sentenceConfig];
  hash.update(JSON.stringify(settings));
  const files = await readdir(dirname(weights));
  for (const name of files.filter((file) => file.startsWith(basename(weights))).sort()) {
    const content = createReadStream(join(dirname(weights), name), { highWaterMark: 1 << 20 });
    for await (const chunk of content) hash.update(chunk);
  }
  return hash.digest('hex');
}

/** A model folder that cannot be used, and the setting that names it. */
export interface FolderLocation {
  readonly path: string;
  readonly source?: ConfigPath | undefined;
}

type Code =
  | 'model.folder_missing'
  | 'model.folder_incomplete'
  | 'model.folder_unreadable'
  | 'model.weights_unusable'
  | 'model.tokenizer_unreadable'
  | 'model.tokenizer_mismatch';

const hints: Readonly<Record<Code, string>> = {
  'model.folder_missing':
    'Give a folder with config.json, tokenizer.json and ONNX weights, hf://owner/name, or typecase-tiny.',
  'model.folder_incomplete':
    'A model folder has config.json, tokenizer.json and ONNX weights such as onnx/model.onnx.',
  'model.folder_unreadable': 'The file may be damaged: download it again.',
  'model.weights_unusable':
    'The file may be damaged, or may not be an ONNX export of an encoder or of a language model with a cache.',
  'model.tokenizer_unreadable': 'The file may be damaged: download it again.',
  'model.tokenizer_mismatch': 'Use tokenizer.json and weights of the same model.',
};

export function folderError(
  code: Code,
  problem: string,
  { location, cause }: { readonly location: FolderLocation; readonly cause?: unknown },
): ConfigError {
  const { path, source } = location;
  return new ConfigError(code, `${path}: ${problem}`, { hint: hints[code], path: source, cause });
}

import { basename, dirname, extname, join } from 'node:path';
import { isFileMissing, readTextFile } from '../base/files.ts';
import type { ChatTemplate } from '../chat-template/types.ts';
import { ConfigError, type ConfigPath, TypecaseError } from '../errors.ts';
import { describeType, isMapping } from '../prompt/mapping.ts';

interface ChatTemplateSource {
  /** A Jinja file, or a tokenizer_config.json. */
  readonly file: string;
  readonly name: string | undefined;
  /** Path in the config of the setting that names the file. */
  readonly path: ConfigPath;
}

/**
 * Reads a model's chat template. Models keep the template and its special tokens in one file or in
 * two side by side; whichever is named, the other is found.
 */
export async function readChatTemplate(source: ChatTemplateSource): Promise<ChatTemplate> {
  const { file, name, path } = source;
  const options = { file, ...(name !== undefined && { name }) };
  const template = await readTokenizerConfig(source);
  const { loadChatTemplate } = await import('../chat-template/load.ts');
  try {
    return loadChatTemplate(template, options);
  } catch (error) {
    if (!TypecaseError.isInstance(error) || error.at || error.path) throw error;
    const { code, message, hint } = error;
    throw new ConfigError(code, message, { hint, path, cause: error });
  }
}

async function readTokenizerConfig({ file, path }: ChatTemplateSource) {
  const text = await readText(file, path);
  if (extname(file).toLowerCase() !== '.json') {
    const neighbour = join(dirname(file), 'tokenizer_config.json');
    const config = await readIfThere(neighbour);
    return {
      ...(config !== undefined && parseMapping(config, { file: neighbour, path })),
      chat_template: text,
    };
  }
  const config = parseMapping(text, { file, path });
  if (config.chat_template !== undefined) return config;
  const template = await readIfThere(join(dirname(file), 'chat_template.jinja'));
  return { ...config, chat_template: template };
}

async function readText(file: string, path: ConfigPath): Promise<string> {
  const text = await readIfThere(file);
  if (text !== undefined) return text;
  throw new ConfigError('chat_template.not_found', `Chat template not found: ${file}`, {
    path,
    hint: 'Name a .jinja file or a tokenizer_config.json; paths are relative to the config file.',
  });
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

function parseMapping(
  text: string,
  { file, path }: { file: string; path: ConfigPath },
): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigError('chat_template.not_json', `${basename(file)} is not valid JSON`, {
      path,
      cause,
      hint: 'A bare template must be in a file that ends in .jinja.',
    });
  }
  if (isMapping(value)) return value as Record<string, unknown>;
  throw new ConfigError(
    'chat_template.not_json',
    `${basename(file)} holds ${describeType(value)}, not the settings of a tokenizer`,
    { path, hint: 'Name a .jinja file or a tokenizer_config.json.' },
  );
}

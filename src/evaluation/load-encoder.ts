import { readFile } from 'node:fs/promises';
import type { Tokenizer } from '@huggingface/tokenizers';
import { ConfigError, type ConfigPath } from '../errors.ts';
import type { Encode } from '../model/request-body.ts';

/** Reads a tokenizer.json. The encoder adds no special tokens of its own. */
export async function loadEncoder(file: string, path: ConfigPath): Promise<Encode> {
  const tokenizer = await readTokenizer(file, path);
  return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
}

async function readTokenizer(file: string, path: ConfigPath): Promise<Tokenizer> {
  const { Tokenizer: HuggingFaceTokenizer } = await import('@huggingface/tokenizers');
  try {
    return new HuggingFaceTokenizer(JSON.parse(await readFile(file, 'utf8')), {});
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError('model.tokenizer_unreadable', `The tokenizer cannot be read: ${reason}`, {
      path,
      cause,
      hint: 'Name a tokenizer.json; paths are relative to the config file.',
    });
  }
}

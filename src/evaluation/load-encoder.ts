import type { Tokenizer } from '@huggingface/tokenizers';
import { readTextFile } from '../base/files.ts';
import { ConfigError, type ConfigPath } from '../errors.ts';
import type { Encode } from '../model/request-body.ts';

/** Reads a tokenizer.json. The encoder adds no special tokens of its own. */
export async function loadEncoder(file: string, path: ConfigPath): Promise<Encode> {
  const tokenizer = await readTokenizer(file, path);
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  return Object.assign(encode, { beginning: beginningOf(tokenizer) });
}

/** The tokens before the first one of a text itself. */
function beginningOf(tokenizer: Tokenizer): string {
  const [first = -1] = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const whole = tokenizer.encode('a').ids;
  const marks = whole.slice(0, Math.max(0, whole.indexOf(first)));
  return marks.map((id: number) => tokenizer.id_to_token(id) ?? '').join('');
}

async function readTokenizer(file: string, path: ConfigPath): Promise<Tokenizer> {
  const { Tokenizer: HuggingFaceTokenizer } = await import('@huggingface/tokenizers');
  try {
    return new HuggingFaceTokenizer(JSON.parse(await readTextFile(file)), {});
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError('model.tokenizer_unreadable', `The tokenizer cannot be read: ${reason}`, {
      path,
      cause,
      hint: 'Give a tokenizer.json; paths are relative to the config file.',
    });
  }
}

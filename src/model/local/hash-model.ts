import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModelFolder } from './model-folder.ts';

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

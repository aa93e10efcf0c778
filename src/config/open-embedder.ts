import { dirname, join, resolve } from 'node:path';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import { openAiEmbedder } from '../model/openai-embedder.ts';
import { cachedEmbedder, type Embedder } from '../retrieve/index.ts';
import type { Config, EmbedderConfig } from './config.ts';
import { defaultWorkDir } from './run-defaults.ts';

/** The embedder of a retriever, which keeps its vectors beside the runs. */
export async function openEmbedder(
  { file, workDir = defaultWorkDir }: Pick<Config, 'file' | 'workDir'>,
  embedder: EmbedderConfig,
  retriever: ConfigPath,
): Promise<Embedder> {
  const source = [...retriever, 'embedder'];
  const opened =
    'path' in embedder
      ? await openEncoder(resolve(dirname(file), embedder.path), embedder, source)
      : openAiEmbedder({ ...embedder, source });
  return cachedEmbedder(opened, resolve(join(workDir, '.cache', 'embeddings')));
}

async function openEncoder(
  path: string,
  { batchSize }: EmbedderConfig,
  source: ConfigPath,
): Promise<Embedder> {
  const { localModel } = await import('../model/local/local-model.ts');
  const { embedder, identity } = await localModel({ path, batchSize, source });
  if (embedder) return { identity, embed: (texts, options) => embedder.embed(texts, options) };
  throw new ConfigError(
    'model.ability_missing',
    `${formatPath([...source, 'path'])} is a language model, which gives no embeddings`,
    { path: [...source, 'path'], hint: 'Name a folder with an encoder, such as a MiniLM.' },
  );
}

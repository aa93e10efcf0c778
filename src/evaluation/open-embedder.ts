import { resolve } from 'node:path';
import type { Config, EmbedderConfig } from '../config/config.ts';
import { defaultWorkDir } from '../config/run-defaults.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import { openAiEmbedder } from '../model/openai-embedder.ts';
import { cachedEmbedder } from '../retrieve/embeddings/cached-embedder.ts';
import type { Embedder } from '../retrieve/embeddings/embedder.ts';

interface EmbedderOptions {
  /** Where it stands in the config. */
  readonly at: ConfigPath;
  readonly mayAsk: boolean;
  readonly startedIn?: string | undefined;
}

/** The embedder of a retriever or of a check, which keeps its vectors beside the runs. */
export async function openEmbedder(
  { folder, workDir = defaultWorkDir }: Pick<Config, 'folder' | 'workDir'>,
  embedder: EmbedderConfig,
  { at: source, mayAsk, startedIn = '.' }: EmbedderOptions,
): Promise<Embedder> {
  const opened =
    'path' in embedder
      ? await openEncoder(resolve(folder, embedder.path), embedder, source)
      : openAiEmbedder({ ...embedder, source });
  const isRemote = !('path' in embedder);
  const allowed = isRemote && !mayAsk ? { ...opened, embed: refuseToAsk(source) } : opened;
  return cachedEmbedder(allowed, resolve(startedIn, workDir, '.cache', 'embeddings'));
}

function refuseToAsk(path: ConfigPath): Embedder['embed'] {
  return async (texts) => {
    throw new ConfigError(
      'config.vectors_unknown',
      `${formatPath(path)} would have to be asked for ${texts.length} vectors, but this command sends nothing`,
      { path, hint: '`typecase run` asks for them and saves them; use `--limit` for only a few.' },
    );
  };
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
    { path: [...source, 'path'], hint: 'Give the folder of an encoder, such as MiniLM.' },
  );
}

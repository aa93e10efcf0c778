import type { Pooling } from './engine/encoder-graph.ts';
import { type FolderLocation, folderError, type ModelFolder } from './model-folder.ts';
import type { LocalParts } from './open-local.ts';

/** Turns texts into vectors of length one; what of a text does not fit is left out. */
export function embedTexts(
  { engine, tokenizer, contextLength }: LocalParts,
  texts: readonly string[],
  { pooling, signal }: { readonly pooling: Pooling; readonly signal: AbortSignal },
): Promise<readonly Float32Array[]> {
  const ids = texts.map((text) => Int32Array.from(tokenizer.encodeWhole(text, contextLength)));
  return ids.length === 0 ? Promise.resolve([]) : engine.embed(ids, { pooling, signal });
}

const pools = /^pooling_mode_(.+)$/;

/** How the folder says that vectors of tokens become one; their mean if it says nothing. */
export function readPooling({ pooling }: ModelFolder, location: FolderLocation): Pooling {
  const chosen = Object.entries(pooling)
    .filter(([, value]) => value === true)
    .flatMap(([key]) => pools.exec(key)?.[1] ?? []);
  if (chosen.includes('cls_token')) return 'cls';
  if (chosen.length === 0 || chosen.includes('mean_tokens')) return 'mean';
  throw folderError(
    'model.weights_unusable',
    `it pools vectors by ${chosen.join(', ')}; supported are cls_token and mean_tokens`,
    { location },
  );
}

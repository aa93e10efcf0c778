import { nearestName } from '../../../base/nearest-name.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { fail } from '../../../python/compat-error.ts';
import { parseFloatText, parseIntegerText } from '../../../python/parse-number.ts';
import { stripText } from '../../../python/text.ts';

/** A layer of a cache that compares vectors. */
export interface EmbeddingLayer {
  readonly name: string;
  readonly dims: number;
  /** The lowest similarity that counts as the same. */
  readonly threshold: number;
}

const defaultThreshold = 0.85;

/** The layers that are filled from prompts and images; others need vectors of their own. */
export const layerNames = ['prompt', 'vision'] as const;

/** Reads `NAME:DIM[:THRESHOLD]`. */
export function parseEmbeddingLayer(text: string, path?: ConfigPath): EmbeddingLayer {
  const [, name = '', dims, threshold] =
    /^\s*([^\s:]+)\s*:\s*([1-9]\d*)\s*(?::\s*(-?(?:\d+\.?\d*|\.\d+))\s*)?$/.exec(text) ?? [];
  const layer = { name, dims: Number(dims), threshold: Number(threshold ?? defaultThreshold) };
  if (dims !== undefined && Math.abs(layer.threshold) <= 1) return layer;
  throw new ConfigError('gqa.bad_embedding_layer', `\`${text}\` is not an embedding layer`, {
    path,
    hint: `Write NAME:DIM[:THRESHOLD], such as ${suggestion(text)}; a threshold is at most 1.`,
  });
}

/** The text with its parts put right as far as they can be. */
function suggestion(text: string): string {
  const [name = '', ...rest] = text.split(':').map((part) => part.trim());
  const [dims] = rest.filter((part) => /^[1-9]\d*$/.test(part));
  const threshold = rest.find((part) => /^0?\.\d+$/.test(part));
  const known = nearestName(name, layerNames) ?? (name || 'prompt');
  return `\`${known}:${dims ?? 384}:${threshold ?? defaultThreshold}\``;
}

/** The same by the rules of the original program, which takes more. */
export function parseOriginalLayer(text: string): EmbeddingLayer {
  const [name = '', dims, threshold] = text.split(':');
  if (dims === undefined) fail('ValueError', `\`${text}\` has no dimension`);
  return {
    name: stripText(name),
    dims: parseIntegerText(dims),
    threshold: threshold === undefined ? defaultThreshold : parseFloatText(threshold),
  };
}

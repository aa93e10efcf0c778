import type { InferenceSession } from 'onnxruntime-node';
import { asObject } from '../../json-value.ts';
import type { CacheShape } from './kv-block.ts';

/** How a graph names its cache, before and after a run, and what the cache looks like. */
export interface CacheLayout {
  readonly pastNames: readonly string[];
  readonly presentNames: readonly string[];
  /** Outputs with the new tokens alone, where there are such. */
  readonly newNames: readonly string[] | undefined;
  readonly shape: CacheShape;
}

const knownInputs = new Set(['input_ids', 'attention_mask', 'position_ids', 'num_logits_to_keep']);
const pastName = /^past_key_values\.(\d+)\.(key|value)$/;

/** Whether a graph answers with logits, so that it may be a language model. */
export function givesLogits({ outputNames }: Pick<InferenceSession, 'outputNames'>): boolean {
  return outputNames.includes('logits');
}

/** Reads the cache's layout from the graph; where that leaves sizes open, from `config.json`. */
export function readCacheLayout(session: Metadata, config: unknown): CacheLayout {
  const pastNames = session.inputNames.filter((name) => pastName.test(name));
  const strange = session.inputNames.filter(
    (name) => !knownInputs.has(name) && !pastName.test(name),
  );
  if (strange.length > 0) {
    throw new Error(`its graph has unknown inputs: ${strange.join(', ')}`);
  }
  if (pastNames.length === 0) {
    throw new Error('its graph has no cache (`past_key_values`); export it with one');
  }
  const presentNames = pastNames.map((name) => name.replace('past_key_values', 'present'));
  const missing = presentNames.filter((name) => !session.outputNames.includes(name));
  if (missing.length > 0) throw new Error(`its graph does not give ${missing[0]}`);
  const newNames = pastNames.map((name) => name.replace(pastName, 'new_$2s.$1'));
  return {
    pastNames,
    presentNames,
    newNames: newNames.every((name) => session.outputNames.includes(name)) ? newNames : undefined,
    shape: shapeOf(session, { pastNames, config }),
  };
}

type Metadata = Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata'>;

function shapeOf(
  { inputMetadata }: Metadata,
  { pastNames, config }: { pastNames: readonly string[]; config: unknown },
): CacheShape {
  const shapes = inputMetadata.filter(({ name }) => pastNames.includes(name));
  const [first] = shapes;
  if (!first?.isTensor || first.shape.length !== 4) {
    throw new Error('its cache does not have the dimensions batch, head, token and size');
  }
  const { type } = first;
  if (type !== 'float32' && type !== 'float16') throw new Error(`its cache holds ${type}`);
  if (shapes.some((other) => !other.isTensor || String(other.shape) !== String(first.shape))) {
    throw new Error('its layers have caches of different shapes');
  }
  const [, heads, , size] = first.shape;
  return {
    parts: pastNames.length,
    heads: typeof heads === 'number' ? heads : sizesOf(config).heads,
    size: typeof size === 'number' ? size : sizesOf(config).size,
    type,
  };
}

/** The names that families of models have for the same numbers. */
function sizesOf(value: unknown): { heads: number; size: number } {
  const config = asObject(value) ?? {};
  const numberOf = (...names: string[]) =>
    names.map((name) => config[name]).find((number) => typeof number === 'number');
  const queryHeads = numberOf('num_attention_heads', 'n_head');
  const width = numberOf('hidden_size', 'n_embd');
  const heads = numberOf('num_key_value_heads') ?? queryHeads;
  const size = numberOf('head_dim') ?? (width && queryHeads ? width / queryHeads : undefined);
  if (heads !== undefined && size !== undefined) return { heads, size };
  throw new Error(
    'neither its graph nor config.json says how many heads it has and how large they are',
  );
}

import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { asObject } from '../../json-value.ts';
import { type CacheLayout, readCacheLayout } from './cache-layout.ts';
import { type CacheArray, type CacheShape, cacheArray } from './kv-block.ts';
import { widen } from './logits.ts';
import { type Runtime, wholeNumbers } from './runtime.ts';

/** Rows that are run together: new tokens, each after tokens that the model has read before. */
export interface GraphBatch {
  readonly tokens: readonly Int32Array[];
  /**
   * Positions in each row's tokens. Before the first stands a prefix; from each on to the next
   * stands a suffix, which follows the prefix and does not attend to other suffixes. Only
   * for graphs that read branches.
   */
  readonly forks?: readonly (readonly number[])[];
  /** How many tokens each row has in the cache. They stand at the end of its positions there, */
  readonly pastLengths: readonly number[];
  /** or before this position, and what stands behind it is no token. */
  readonly pastEnd?: number;
  /** The cache: `pastStride` positions for every row. */
  readonly past: readonly CacheArray[];
  readonly pastStride: number;
}

export interface GraphOutput {
  /** The logits after the token at a position of a row. */
  readonly logitsAt: (row: number, position: number) => Float32Array;
  /** The cache with what is wanted of it: `stride` positions for every row, the new ones from `start`. */
  readonly cache: readonly CacheArray[];
  readonly stride: number;
  readonly start: number;
}

export interface Wanted {
  readonly logits: boolean;
  /** The positions of the new tokens, with or without those of the past. */
  readonly cache: 'none' | 'new' | 'whole';
}

/** A language model in ONNX that reads tokens and says how likely each next one is. */
export class CausalGraph {
  readonly shape: CacheShape;
  /** Whether `config.json` says that masks above 1 name branches. */
  readonly claimsBranches: boolean;
  readonly #session: InferenceSession;
  readonly #runtime: Runtime;
  readonly #layout: CacheLayout;
  readonly #inputs: ReadonlySet<string>;
  #scratch: CacheArray[] = [];

  constructor(session: InferenceSession, runtime: Runtime, config: unknown) {
    this.#session = session;
    this.#runtime = runtime;
    this.#layout = readCacheLayout(session, config);
    this.shape = this.#layout.shape;
    this.#inputs = new Set(session.inputNames);
    this.claimsBranches = asObject(config)?.typecase_branches === true;
  }

  /** Whether it gives the positions of new tokens without those of the past. */
  get givesNewPositions(): boolean {
    return this.#layout.newNames !== undefined;
  }

  /** Room for a cache of so many positions, until the next call. What it holds is left over. */
  cacheRoom(positions: number): CacheArray[] {
    const { parts, heads, size } = this.shape;
    const length = positions * heads * size;
    if (this.#scratch.length < parts || (this.#scratch[0]?.length ?? 0) < length) {
      const roomy = Math.ceil(length * 1.25);
      this.#scratch = Array.from({ length: parts }, () => cacheArray(this.shape, roomy));
    }
    return this.#scratch.map((part) => part.subarray(0, length));
  }

  async run(batch: GraphBatch, wanted: Wanted): Promise<GraphOutput> {
    const { presentNames, newNames } = this.#layout;
    const names = wanted.cache === 'new' && newNames ? newNames : presentNames;
    const cacheNames = wanted.cache === 'none' ? [] : names;
    const fetched = [...(wanted.logits ? ['logits'] : []), ...cacheNames];
    const outputs = await this.#session.run(this.#feeds(batch), fetched);
    const length = longest(batch.tokens);
    const start = names === newNames ? 0 : batch.pastStride;
    const logits = wanted.logits ? numbersOf(outputs.logits as Tensor) : new Float32Array(0);
    const width = outputs.logits?.dims[2] ?? 0;
    return {
      logitsAt: (row, position) => {
        const from = (row * length + position) * width;
        return logits.subarray(from, from + width);
      },
      cache: cacheNames.map((name) => cacheOf(outputs[name] as Tensor)),
      stride: start + length,
      start,
    };
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #feeds(batch: GraphBatch): Record<string, Tensor> {
    const { tokens, past, pastStride } = batch;
    const { Tensor } = this.#runtime;
    const { heads, size, type } = this.shape;
    const feeds: Record<string, Tensor> = {};
    for (const [name, tensor] of Object.entries(tokenFeeds(this.#runtime, batch))) {
      if (this.#inputs.has(name)) feeds[name] = tensor;
    }
    if (this.#inputs.has('num_logits_to_keep')) {
      feeds.num_logits_to_keep = wholeNumbers(this.#runtime, [], () => undefined);
    }
    this.#layout.pastNames.forEach((name, part) => {
      const dims = [tokens.length, heads, pastStride, size];
      feeds[name] = new Tensor(type, past[part] as CacheArray, dims);
    });
    return feeds;
  }
}

function cacheOf({ data, type }: Tensor): CacheArray {
  return type === 'float16' ? bitsOf(data as Uint16Array) : (data as Float32Array);
}

/** Newer Nodes give half-precision numbers in an array type of their own. */
function bitsOf({ buffer, byteOffset, length }: Uint16Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length);
}

function numbersOf({ data, type }: Tensor): Float32Array {
  return type === 'float16' ? widen(bitsOf(data as Uint16Array)) : (data as Float32Array);
}

/** What a graph is fed about the tokens of a batch, by the names of its inputs. */
function tokenFeeds(runtime: Runtime, batch: GraphBatch): Record<string, Tensor> {
  const { tokens, pastLengths, pastStride, pastEnd = pastStride } = batch;
  const length = longest(tokens);
  const total = pastStride + length;
  const perToken = (fill: Parameters<typeof wholeNumbers>[2]) =>
    wholeNumbers(runtime, [tokens.length, length], fill);
  return {
    input_ids: perToken((numbers) => {
      tokens.forEach((own, row) => {
        for (let position = 0; position < own.length; position += 1) {
          numbers.set(row * length + position, own[position] as number);
        }
      });
    }),
    position_ids: perToken((numbers) => {
      tokens.forEach((_, row) => {
        for (const { from, to, start } of stretchesOf(batch, row)) {
          const shift = (pastLengths[row] as number) + start - from;
          for (let position = from; position < to; position += 1) {
            numbers.set(row * length + position, position + shift);
          }
        }
      });
    }),
    // Not zero for every token that is there.
    attention_mask: wholeNumbers(runtime, [tokens.length, total], (numbers) => {
      tokens.forEach((_, row) => {
        const border = row * total + pastStride;
        const end = row * total + pastEnd;
        numbers.fill(1, end - (pastLengths[row] as number), end);
        for (const { from, to, mask } of stretchesOf(batch, row)) {
          numbers.fill(mask, border + from, border + to);
        }
      });
    }),
  };
}

/** The parts of a row that are read without a break: its prefix, and from every fork on a suffix. */
function stretchesOf({ tokens, forks }: GraphBatch, row: number) {
  const length = tokens[row]?.length ?? 0;
  const own = forks?.[row] ?? [];
  const [trunk = length] = own;
  return [0, ...own].map((from, index) => ({
    from,
    to: own[index] ?? length,
    start: Math.min(from, trunk),
    mask: 1 + index,
  }));
}

function longest(tokens: readonly Int32Array[]): number {
  return tokens.reduce((max, { length }) => Math.max(max, length), 0);
}

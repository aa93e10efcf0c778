import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { type CacheLayout, readCacheLayout } from './cache-layout.ts';
import { type CacheArray, type CacheShape, cacheArray } from './kv-block.ts';
import { widen } from './logits.ts';
import { type Runtime, wholeNumbers } from './runtime.ts';

/** Rows that are run together: new tokens, each after tokens that the model has read before. */
export interface GraphBatch {
  readonly tokens: readonly Int32Array[];
  /** How many tokens each row has in the cache. They stand at the end of its places there. */
  readonly pastLengths: readonly number[];
  /** The cache: `pastStride` places for every row. */
  readonly past: readonly CacheArray[];
  readonly pastStride: number;
}

export interface GraphOutput {
  /** The logits after the token at a place of a row. */
  readonly logitsAt: (row: number, place: number) => Float32Array;
  /** The cache with the new tokens, in `pastStride` and as many more places as the longest row has. */
  readonly present: readonly CacheArray[];
}

export interface Wanted {
  readonly logits: boolean;
  readonly present: boolean;
}

/** A language model in ONNX that reads tokens and says how likely each next one is. */
export class CausalGraph {
  readonly shape: CacheShape;
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
  }

  /** Room for a cache of so many places, until the next call. What it holds is left over. */
  cacheRoom(places: number): CacheArray[] {
    const { parts, heads, size } = this.shape;
    const length = places * heads * size;
    if (this.#scratch.length < parts || (this.#scratch[0]?.length ?? 0) < length) {
      const roomy = Math.ceil(length * 1.25);
      this.#scratch = Array.from({ length: parts }, () => cacheArray(this.shape, roomy));
    }
    return this.#scratch.map((part) => part.subarray(0, length));
  }

  async run(batch: GraphBatch, wanted: Wanted): Promise<GraphOutput> {
    const { presentNames } = this.#layout;
    const fetched = [...(wanted.logits ? ['logits'] : []), ...(wanted.present ? presentNames : [])];
    const outputs = await this.#session.run(this.#feeds(batch), fetched);
    const length = longest(batch.tokens);
    const logits = wanted.logits ? numbersOf(outputs.logits as Tensor) : new Float32Array(0);
    const width = outputs.logits?.dims[2] ?? 0;
    return {
      logitsAt: (row, place) => {
        const start = (row * length + place) * width;
        return logits.subarray(start, start + width);
      },
      present: wanted.present ? presentNames.map((name) => cacheOf(outputs[name] as Tensor)) : [],
    };
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #feeds(batch: GraphBatch): Record<string, Tensor> {
    const { tokens, pastLengths, past, pastStride } = batch;
    const { Tensor } = this.#runtime;
    const { heads, size, type } = this.shape;
    const rows = tokens.length;
    const length = longest(tokens);
    const feeds: Record<string, Tensor> = {
      input_ids: this.#perToken(rows, length, (row, place) => tokens[row]?.[place] ?? 0),
    };
    if (this.#inputs.has('attention_mask')) feeds.attention_mask = this.#mask(batch);
    if (this.#inputs.has('position_ids')) {
      feeds.position_ids = this.#perToken(rows, length, (row, place) => {
        const last = (tokens[row]?.length ?? 1) - 1;
        return (pastLengths[row] as number) + Math.min(place, last);
      });
    }
    if (this.#inputs.has('num_logits_to_keep')) {
      feeds.num_logits_to_keep = wholeNumbers(this.#runtime, [], () => undefined);
    }
    this.#layout.pastNames.forEach((name, part) => {
      feeds[name] = new Tensor(type, past[part] as CacheArray, [rows, heads, pastStride, size]);
    });
    return feeds;
  }

  #perToken(
    rows: number,
    length: number,
    numberAt: (row: number, place: number) => number,
  ): Tensor {
    return wholeNumbers(this.#runtime, [rows, length], (numbers) => {
      for (let row = 0; row < rows; row += 1) {
        for (let place = 0; place < length; place += 1) {
          numbers.set(row * length + place, numberAt(row, place));
        }
      }
    });
  }

  /** One for every token that is there: in the cache they end at its last place. */
  #mask({ tokens, pastLengths, pastStride }: GraphBatch): Tensor {
    const total = pastStride + longest(tokens);
    return wholeNumbers(this.#runtime, [tokens.length, total], (numbers) => {
      tokens.forEach((own, row) => {
        const border = row * total + pastStride;
        numbers.fill(1n, border - (pastLengths[row] as number), border + own.length);
      });
    });
  }
}

function longest(tokens: readonly Int32Array[]): number {
  return tokens.reduce((most, { length }) => Math.max(most, length), 0);
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

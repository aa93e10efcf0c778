import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Runtime, wholeNumbers } from './runtime.ts';

/** How the vectors of a sequence's tokens become one. */
export type Pooling = 'mean' | 'cls';

const outputs = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];
const knownInputs = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);

/** A model in ONNX that turns texts into vectors. */
export class EncoderGraph {
  readonly #session: InferenceSession;
  readonly #runtime: Runtime;
  readonly #output: string;

  constructor(session: InferenceSession, runtime: Runtime) {
    const output = outputs.find((name) => session.outputNames.includes(name));
    const strange = session.inputNames.filter((name) => !knownInputs.has(name));
    if (output === undefined || strange.length > 0) {
      throw new Error(
        `its graph takes ${session.inputNames.join(', ')} and gives ${session.outputNames.join(', ')}`,
      );
    }
    this.#session = session;
    this.#runtime = runtime;
    this.#output = output;
  }

  /** A vector of length one for each sequence. */
  async embed(sequences: readonly Int32Array[], pooling: Pooling): Promise<Float32Array[]> {
    const { [this.#output]: output } = await this.#session.run(this.#feeds(sequences), [
      this.#output,
    ]);
    const { data, dims } = output as Tensor;
    if (!(data instanceof Float32Array)) throw new Error('its vectors are not single precision');
    const [, positions = 0, width = 0] = dims.length === 2 ? [dims[0], 1, dims[1]] : dims;
    return sequences.map(({ length }, row) => {
      const vectors = data.subarray(row * positions * width, (row + 1) * positions * width);
      const isPooled = dims.length === 2 || pooling === 'cls';
      return normalize(isPooled ? vectors.slice(0, width) : mean(vectors, { length, width }));
    });
  }

  /** Whether sequences have the same vectors in company. Quantised graphs may look at all of a batch. */
  async allowsCompany(): Promise<boolean> {
    const sequences = [Int32Array.of(1, 2, 3), Int32Array.of(2)];
    const together = await this.embed(sequences, 'mean');
    for (const [index, sequence] of sequences.entries()) {
      const [alone] = await this.embed([sequence], 'mean');
      const isSame = alone?.every((value, dimension) => {
        return Math.abs(value - (together[index]?.[dimension] ?? 0)) < 1e-4;
      });
      if (!isSame) return false;
    }
    return true;
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #feeds(sequences: readonly Int32Array[]): Record<string, Tensor> {
    const length = Math.max(...sequences.map((ids) => ids.length));
    const perToken = (numberOf: (id: number, position: number) => number) =>
      wholeNumbers(this.#runtime, [sequences.length, length], (numbers) => {
        sequences.forEach((ids, row) => {
          ids.forEach((id, position) => {
            numbers.set(row * length + position, numberOf(id, position));
          });
        });
      });
    const feeds: Record<string, Tensor> = {
      input_ids: perToken((id) => id),
      attention_mask: perToken(() => 1),
      token_type_ids: perToken(() => 0),
      position_ids: perToken((_, position) => position),
    };
    return Object.fromEntries(
      this.#session.inputNames.map((name) => [name, feeds[name] as Tensor]),
    );
  }
}

function mean(
  vectors: Float32Array,
  { length, width }: { length: number; width: number },
): Float32Array {
  const sum = new Float64Array(width);
  for (let position = 0; position < length; position += 1) {
    for (let index = 0; index < width; index += 1) {
      sum[index] = (sum[index] as number) + (vectors[position * width + index] as number);
    }
  }
  return Float32Array.from(sum, (value) => value / length);
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Runtime, wholeNumbers } from './runtime.ts';

/** How the vectors of a text's tokens become one. */
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

  /** A vector of length one for each text. */
  async embed(texts: readonly Int32Array[], pooling: Pooling): Promise<Float32Array[]> {
    const { [this.#output]: output } = await this.#session.run(this.#feeds(texts), [this.#output]);
    const { data, dims } = output as Tensor;
    if (!(data instanceof Float32Array)) throw new Error('its vectors are not single precision');
    const [, places = 0, width = 0] = dims.length === 2 ? [dims[0], 1, dims[1]] : dims;
    return texts.map(({ length }, row) => {
      const vectors = data.subarray(row * places * width, (row + 1) * places * width);
      const isPooled = dims.length === 2 || pooling === 'cls';
      return normalize(isPooled ? vectors.slice(0, width) : mean(vectors, { length, width }));
    });
  }

  /** Whether texts have the same vectors in company. Quantised graphs may look at all of a batch. */
  async allowsCompany(): Promise<boolean> {
    const texts = [Int32Array.of(1, 2, 3), Int32Array.of(2)];
    const together = await this.embed(texts, 'mean');
    for (const [index, text] of texts.entries()) {
      const [alone] = await this.embed([text], 'mean');
      const isSame = alone?.every((value, place) => {
        return Math.abs(value - (together[index]?.[place] ?? 0)) < 1e-4;
      });
      if (!isSame) return false;
    }
    return true;
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #feeds(texts: readonly Int32Array[]): Record<string, Tensor> {
    const length = Math.max(...texts.map((ids) => ids.length));
    const perToken = (numberOf: (id: number, place: number) => number) =>
      wholeNumbers(this.#runtime, [texts.length, length], (numbers) => {
        texts.forEach((ids, row) => {
          ids.forEach((id, place) => {
            numbers.set(row * length + place, numberOf(id, place));
          });
        });
      });
    const feeds: Record<string, Tensor> = {
      input_ids: perToken((id) => id),
      attention_mask: perToken(() => 1),
      token_type_ids: perToken(() => 0),
      position_ids: perToken((_, place) => place),
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
  for (let place = 0; place < length; place += 1) {
    for (let index = 0; index < width; index += 1) {
      sum[index] = (sum[index] as number) + (vectors[place * width + index] as number);
    }
  }
  return Float32Array.from(sum, (value) => value / length);
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

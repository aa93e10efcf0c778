import { availableParallelism } from 'node:os';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

export type Runtime = typeof import('onnxruntime-node');

/** Loads the weights into ONNX Runtime; both are large, so neither is loaded before. */
export async function openSession(
  file: string,
): Promise<{ session: InferenceSession; runtime: Runtime }> {
  const runtime = await import('onnxruntime-node');
  const session = await runtime.InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: availableParallelism(),
    logSeverityLevel: 4,
    // Threads that wait by spinning take the processor from everything else on a small machine.
    extra: { session: { 'intra_op.allow_spinning': '0' } },
  });
  return { session, runtime };
}

/** A tensor of whole numbers that are not negative. */
export function wholeNumbers(
  { Tensor }: Runtime,
  dims: readonly number[],
  fill: (numbers: WholeNumbers) => void,
): Tensor {
  const data = new BigInt64Array(dims.reduce((product, size) => product * size, 1));
  fill(new WholeNumbers(data));
  return new Tensor('int64', data, dims);
}

/** Writes 64-bit numbers without making a bigint of each. */
export class WholeNumbers {
  readonly #data: BigInt64Array;
  readonly #words: Int32Array;

  constructor(data: BigInt64Array) {
    this.#data = data;
    this.#words = new Int32Array(data.buffer);
  }

  set(index: number, value: number): void {
    this.#words[2 * index] = value;
  }

  fill(value: number, from: number, to: number): void {
    this.#data.fill(BigInt(value), from, to);
  }
}

import { zeroVector } from './embedder.ts';

/** Vectors of one length, one after the other. */
export class VectorMatrix {
  readonly length: number;
  readonly #size: number;
  readonly #numbers: Float32Array;

  constructor(vectors: readonly Float32Array[]) {
    this.length = vectors.length;
    this.#size = vectors[0]?.length ?? 0;
    this.#numbers = new Float32Array(this.length * this.#size);
    for (const [index, vector] of vectors.entries()) this.#numbers.set(vector, index * this.#size);
  }

  /** How many numbers a vector has. */
  get size(): number {
    return this.#size;
  }

  /** The vector at an index, without a copy. */
  at(index: number): Float32Array {
    return this.#numbers.subarray(index * this.#size, (index + 1) * this.#size);
  }

  /** The inner product of the vector at an index with another one. */
  product(index: number, other: Float32Array): number {
    const numbers = this.#numbers;
    const start = index * this.#size;
    const end = other.length - (other.length % 4);
    // Four sums keep the processor busy where one would make it wait.
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let offset = 0; offset < end; offset += 4) {
      first += (numbers[start + offset] as number) * (other[offset] as number);
      second += (numbers[start + offset + 1] as number) * (other[offset + 1] as number);
      third += (numbers[start + offset + 2] as number) * (other[offset + 2] as number);
      fourth += (numbers[start + offset + 3] as number) * (other[offset + 3] as number);
    }
    for (let offset = end; offset < other.length; offset += 1) {
      first += (numbers[start + offset] as number) * (other[offset] as number);
    }
    return first + second + (third + fourth);
  }
}

/** The vector with length 1, so that inner products are cosines. */
export function normalize(vector: Float32Array, text: string | undefined): Float32Array {
  let squares = 0;
  for (const number of vector) squares += number * number;
  if (squares === 0) throw zeroVector(text);
  const norm = Math.sqrt(squares);
  return vector.map((number) => number / norm);
}

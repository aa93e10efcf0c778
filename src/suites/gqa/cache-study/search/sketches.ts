import { keyedRandom } from '../../../../base/keyed-random.ts';
import type { VectorTable } from './vector-table.ts';

/** Queries that are compared with a sketch at once: four share a number, with 13 bits for each. */
export const groupSize = 16;
const lanes = 4;
const laneSize = 2 ** 13;
/** The bit of a lane that tells that its sum reached the limit; sums alone never do. */
const flag = laneSize / 2;
const twoLanes = laneSize ** 2;
const twoFlags = flag | (flag * laneSize);
const wordBits = 16;
/** Numbers of the table for one byte of a sketch: four for each of its values. */
const byteSize = 1024;
const nibbleSize = 64;
/** Angles are rounded. */
const slack = 1e-5;

/** Entries from `start` to `end`, and the largest angles to the queries that count, in radians. */
export interface SketchRange {
  readonly rows: readonly number[];
  readonly start: number;
  readonly end: number;
  readonly angles: readonly number[];
}

/**
 * The signs of vectors of length 1, after a turn that spreads evenly what the vectors hold. The
 * angle between two vectors is at least the angle between one of them and the signs of the other,
 * less the angle between that other one and its signs: most pairs need no closer look.
 */
export class Sketches {
  readonly #table: VectorTable;
  readonly #words: number;
  readonly #signs: Uint16Array;
  /** The angle between each row and its signs. */
  readonly #angles: Float32Array;
  readonly #turn: (vector: Float64Array) => void;
  readonly #vector: Float64Array;
  /** What the values of each byte of a sketch add to the sums of the prepared queries. */
  readonly #parts: Float64Array;
  /** The same for each four bits. */
  readonly #nibbleParts: Float64Array;
  readonly #sizes: { readonly size: number; readonly unit: number }[] = [];

  constructor(table: VectorTable) {
    this.#table = table;
    this.#words = Math.ceil(table.dims / wordBits);
    this.#signs = new Uint16Array(table.count * this.#words);
    this.#angles = new Float32Array(table.count);
    this.#turn = makeTurn(table.dims);
    this.#vector = new Float64Array(this.#words * wordBits);
    this.#parts = new Float64Array(this.#words * 2 * byteSize);
    this.#nibbleParts = new Float64Array(this.#words * 4 * nibbleSize);
    for (let row = 0; row < table.count; row++) this.#sketch(row);
  }

  /** Makes ready for comparisons of these rows of the table with others. */
  prepare(queries: readonly number[]): void {
    this.#nibbleParts.fill(0);
    this.#sizes.length = 0;
    for (const [lane, row] of queries.entries()) {
      const vector = this.#turned(row);
      let size = 0;
      for (const value of vector) size += Math.abs(value);
      const unit = (2 * size || 1) / (flag - 1 - vector.length / 4);
      this.#sizes.push({ size, unit });
      this.#addParts(vector, { lane, unit });
    }
    const [parts, nibbles] = [this.#parts, this.#nibbleParts];
    for (let at = 0; at < parts.length; at++) {
      const byte = (at >> 10) * 2 * nibbleSize;
      const low = nibbles[byte + (at & 63)] as number;
      parts[at] = low + (nibbles[byte + nibbleSize + ((at >> 4) & 60) + (at & 3)] as number);
    }
  }

  /** The entries that may be within the angle of a prepared query. */
  candidates({ rows, start, end, angles }: SketchRange): number[] {
    const [words, signs, parts] = [this.#words, this.#signs, this.#parts];
    let widest = 0;
    for (let entry = start; entry < end; entry++) {
      widest = Math.max(widest, this.#angles[rows[entry] as number] as number);
    }
    const [first, second, third, fourth] = this.#starts(angles.map((angle) => angle + widest));
    const found: number[] = [];
    for (let entry = start; entry < end; entry++) {
      const offset = (rows[entry] as number) * words;
      let a = first;
      let b = second;
      let c = third;
      let d = fourth;
      for (let word = 0, at = 0; word < words; word++, at += 2 * byteSize) {
        const bits = signs[offset + word] as number;
        const low = at + ((bits & 255) << 2);
        const high = at + byteSize + ((bits >> 8) << 2);
        a += (parts[low] as number) + (parts[high] as number);
        b += (parts[low + 1] as number) + (parts[high + 1] as number);
        c += (parts[low + 2] as number) + (parts[high + 2] as number);
        d += (parts[low + 3] as number) + (parts[high + 3] as number);
      }
      if (((bitsOf(a) | bitsOf(b) | bitsOf(c) | bitsOf(d)) & twoFlags) !== 0) found.push(entry);
    }
    return found;
  }

  /** Sums begin so far below the flag that they reach it if the queries are within the angles. */
  #starts(angles: readonly number[]): [number, number, number, number] {
    const starts = this.#sizes.map(({ size, unit }, lane) => {
      const angle = Math.min(Math.PI, (angles[lane] as number) + slack);
      const limit = (Math.cos(angle) * Math.sqrt(this.#table.dims) + size) / unit;
      return Math.min(flag, Math.max(0, flag - Math.floor(limit)));
    });
    const pack = (column: number) =>
      starts
        .slice(column * lanes, (column + 1) * lanes)
        .reduce((sum, value, lane) => sum + value * laneSize ** lane, 0);
    return [pack(0), pack(1), pack(2), pack(3)];
  }

  #sketch(row: number): void {
    const vector = this.#turned(row);
    const { dims } = this.#table;
    let sum = 0;
    for (let index = 0; index < dims; index++) {
      const value = vector[index] as number;
      sum += Math.abs(value);
      const word = row * this.#words + Math.floor(index / wordBits);
      if (value > 0) this.#signs[word] = (this.#signs[word] as number) | (1 << (index % wordBits));
    }
    // Vectors of zeros are compared with nothing by angles.
    this.#angles[row] = sum === 0 ? 0 : Math.acos(Math.min(1, sum / Math.sqrt(dims)));
  }

  #turned(row: number): Float64Array {
    const { dims, values } = this.#table;
    this.#vector.set(values.subarray(row * dims, (row + 1) * dims));
    this.#turn(this.#vector);
    return this.#vector;
  }

  #addParts(vector: Float64Array, { lane, unit }: { lane: number; unit: number }): void {
    const factor = laneSize ** (lane % lanes);
    const column = Math.floor(lane / lanes);
    for (let first = 0; first < vector.length; first += 4) {
      for (let bits = 0; bits < 16; bits++) {
        let sum = 0;
        for (let bit = 0; bit < 4; bit++) {
          const value = vector[first + bit] as number;
          sum += Math.abs(value) + ((bits >> bit) & 1 ? value : -value);
        }
        const at = (first / 4) * nibbleSize + bits * 4 + column;
        const part = Math.ceil(sum / unit) * factor;
        this.#nibbleParts[at] = (this.#nibbleParts[at] as number) + part;
      }
    }
  }
}

/** The bits of the two higher lanes, and those of the two lower ones. */
function bitsOf(sum: number): number {
  const high = (sum * (1 / twoLanes)) | 0;
  return high | ((sum - high * twoLanes) | 0);
}

/** A turn, the same for all vectors: signs by chance and Hadamard's matrix, twice. */
function makeTurn(dims: number): (vector: Float64Array) => void {
  const random = keyedRandom(0, 'sketches');
  const size = 2 ** Math.floor(Math.log2(dims));
  const [first, second] = [0, 1].map(() =>
    Float64Array.from({ length: dims }, () => (random.next() < 0.5 ? -1 : 1)),
  ) as [Float64Array, Float64Array];
  return (vector) => {
    for (let index = 0; index < dims; index++)
      vector[index] = (vector[index] as number) * (first[index] as number);
    turnPart(vector.subarray(0, size));
    for (let index = 0; index < dims; index++)
      vector[index] = (vector[index] as number) * (second[index] as number);
    turnPart(vector.subarray(dims - size, dims));
  };
}

/** Hadamard's matrix, for a length that is a power of two. */
function turnPart(part: Float64Array): void {
  for (let half = 1; half < part.length; half *= 2) {
    for (let start = 0; start < part.length; start += 2 * half) {
      for (let index = start; index < start + half; index++) {
        const [left, right] = [part[index] as number, part[index + half] as number];
        part[index] = (left + right) * Math.SQRT1_2;
        part[index + half] = (left - right) * Math.SQRT1_2;
      }
    }
  }
}

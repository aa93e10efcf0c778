/** Vectors of length 1, one after the other. A vector of zeros stays as it is. */
export interface VectorTable {
  readonly dims: number;
  readonly count: number;
  readonly values: Float32Array;
}

/** Gives all vectors of a table the length 1, in place. */
export function normalizeVectors(values: Float32Array, dims: number): VectorTable {
  const count = values.length / dims;
  for (let row = 0; row < count; row++) {
    const start = row * dims;
    let square = 0;
    for (let index = start; index < start + dims; index++) square += (values[index] as number) ** 2;
    if (square === 0) continue;
    const factor = 1 / Math.sqrt(square);
    for (let index = start; index < start + dims; index++) {
      values[index] = (values[index] as number) * factor;
    }
  }
  return { dims, count, values };
}

/** How alike two vectors are, from -1 to 1, to six decimals: what differs less is equal. */
export function similarity({ dims, values }: VectorTable, left: number, right: number): number {
  const [first, second] = [left * dims, right * dims];
  let sum = 0;
  for (let index = 0; index < dims; index++) {
    sum += (values[first + index] as number) * (values[second + index] as number);
  }
  return Math.round(sum * 1e6) / 1e6;
}

/** Vectors of length 1, one after the other. A vector of zeros stays as it is. */
export interface VectorTable {
  readonly dims: number;
  readonly count: number;
  readonly values: Float32Array;
  /** How exactly similarities are told apart. */
  readonly precision: Precision;
}

/**
 * `rounded`: to six decimals, so that what differs by less is equal. `float32`: as single precision
 * has them, which is what the original compares.
 */
export type Precision = 'rounded' | 'float32';

export interface NormalizeOptions {
  readonly precision?: Precision | undefined;
  /** Whether vectors are left alone that have the length 1 but for rounding. */
  readonly isUnit?: boolean | undefined;
}

/** Gives all vectors of a table the length 1, in place. */
export function normalizeVectors(
  values: Float32Array,
  dims: number,
  { precision = 'rounded', isUnit = false }: NormalizeOptions = {},
): VectorTable {
  const count = values.length / dims;
  const factorOf =
    precision === 'rounded'
      ? (square: number) => 1 / Math.sqrt(square)
      : (square: number) => Math.fround(1 / Math.fround(Math.sqrt(Math.fround(square))));
  for (let row = 0; row < count; row++) {
    const start = row * dims;
    let square = 0;
    for (let index = start; index < start + dims; index++) square += (values[index] as number) ** 2;
    if (square === 0 || (isUnit && Math.abs(square - 1) < 1e-5)) continue;
    const factor = factorOf(square);
    for (let index = start; index < start + dims; index++) {
      values[index] = (values[index] as number) * factor;
    }
  }
  return { dims, count, values, precision };
}

/** How alike two vectors are, from -1 to 1, as exactly as the table has it. */
export function similarity(
  { dims, values, precision }: VectorTable,
  left: number,
  right: number,
): number {
  const [first, second] = [left * dims, right * dims];
  let sum = 0;
  for (let index = 0; index < dims; index++) {
    sum += (values[first + index] as number) * (values[second + index] as number);
  }
  return precision === 'rounded' ? Math.round(sum * 1e6) / 1e6 : Math.fround(sum);
}

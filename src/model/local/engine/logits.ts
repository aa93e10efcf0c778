/** The index of the greatest number, the first of equals; -1 if there is none. */
export function argMax(row: Float32Array): number {
  let best = Number.NEGATIVE_INFINITY;
  let bestIndex = -1;
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index] as number;
    if (value > best) {
      best = value;
      bestIndex = index;
    }
  }
  return bestIndex;
}

/** What to take from a logit for its natural log-probability. `maxIndex` is that of the greatest. */
export function logSumExp(row: Float32Array, maxIndex = argMax(row)): number {
  if (maxIndex < 0) return Number.NaN;
  const max = row[maxIndex] as number;
  let sum = 0;
  for (let index = 0; index < row.length; index += 1) {
    sum += Math.exp((row[index] as number) - max);
  }
  return max + Math.log(sum);
}

/** The indexes of the `count` greatest numbers, greatest first; of equal ones the first. */
export function topIndexes(row: Float32Array, count: number): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index] as number;
    const last = indexes.at(-1);
    if (indexes.length === count && !(last !== undefined && value > (row[last] as number)))
      continue;
    let rank = indexes.length;
    while (rank > 0 && value > (row[indexes[rank - 1] as number] as number)) rank -= 1;
    indexes.splice(rank, 0, index);
    if (indexes.length > count) indexes.pop();
  }
  return indexes;
}

let halves: Float32Array | undefined;

/** The numbers that the bits of half-precision numbers stand for. */
export function widen(bits: Uint16Array): Float32Array {
  halves ??= Float32Array.from({ length: 65_536 }, (_, half) => numberOf(half));
  const numbers = new Float32Array(bits.length);
  for (let index = 0; index < bits.length; index += 1) {
    numbers[index] = halves[bits[index] as number] as number;
  }
  return numbers;
}

function numberOf(half: number): number {
  const sign = half >> 15 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

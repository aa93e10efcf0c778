/** The place of the greatest number, the first of equals; -1 if there is none. */
export function argMax(row: Float32Array): number {
  let best = Number.NEGATIVE_INFINITY;
  let place = -1;
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index] as number;
    if (value > best) {
      best = value;
      place = index;
    }
  }
  return place;
}

/** What to take from a logit for its natural log-probability. `place` is that of the greatest. */
export function logSumExp(row: Float32Array, place = argMax(row)): number {
  if (place < 0) return Number.NaN;
  const max = row[place] as number;
  let sum = 0;
  for (let index = 0; index < row.length; index += 1) {
    sum += Math.exp((row[index] as number) - max);
  }
  return max + Math.log(sum);
}

/** The places of the `count` greatest numbers, greatest first, of equals the first first. */
export function topIndexes(row: Float32Array, count: number): number[] {
  const places: number[] = [];
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index] as number;
    const last = places.at(-1);
    if (places.length === count && !(last !== undefined && value > (row[last] as number))) continue;
    let place = places.length;
    while (place > 0 && value > (row[places[place - 1] as number] as number)) place -= 1;
    places.splice(place, 0, index);
    if (places.length > count) places.pop();
  }
  return places;
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

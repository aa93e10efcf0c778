/** NumPy's permutation of the numbers below `size`, from a source of 32-bit numbers. */
export function permute(size: number, next: () => number): number[] {
  const items = Array.from({ length: size }, (_, index) => index);
  for (let index = size - 1; index > 0; index -= 1) {
    const other = drawUpTo(index, next);
    const held = items[index] as number;
    items[index] = items[other] as number;
    items[other] = held;
  }
  return items;
}

/** Draws as many bits as the largest number has, again and again until they are no larger. */
function drawUpTo(largest: number, next: () => number): number {
  const mask = 0xffffffff >>> Math.clz32(largest);
  for (;;) {
    const drawn = (next() & mask) >>> 0;
    if (drawn <= largest) return drawn;
  }
}

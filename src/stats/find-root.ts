export interface Range {
  readonly from: number;
  readonly to: number;
}

const maxSteps = 200;

/**
 * Where a rising function reaches 0 in a range, by halving: slow and safe. One of the ends if it
 * does not reach 0 between them.
 */
export function findRoot(rising: (point: number) => number, { from, to }: Range): number {
  let low = from;
  let high = to;
  for (let step = 0; step < maxSteps; step += 1) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}

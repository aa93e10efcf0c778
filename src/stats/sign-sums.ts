import { normalShareAbove } from './normal.ts';

/** So many of the largest terms have all their signs counted where there are too many to count all. */
const largest = 10;
/** With so few terms all signs are counted. */
const fewTerms = 16;
const rounding = 1e-9;

export interface SignSums {
  /** The share of sums that are at least so far from 0, on either side. */
  readonly shareBeyond: (size: number) => number;
  /** The least size that no more than a share of the sums reach; infinite where even the largest is not that rare. */
  readonly reachOf: (share: number) => number;
}

/**
 * The sums of terms whose signs are drawn by chance, together with a normal error of this variance.
 * The largest terms count by all choices of signs, since a few of them can outweigh the others; the
 * rest is close to normal.
 */
export function signSums(terms: readonly number[], variance = 0): SignSums {
  const sizes = terms.map(Math.abs).sort((one, other) => other - one);
  const isCounted = variance === 0 && sizes.length <= fewTerms;
  const counted = sizes.slice(0, isCounted ? fewTerms : largest);
  const rest = sizes.slice(counted.length);
  const error = Math.sqrt(rest.reduce((sum, size) => sum + size ** 2, variance));
  // Sums of signs come in steps; half of the smallest is taken off.
  const step = variance === 0 ? (rest.at(-1) ?? 0) : 0;
  const sums = sumsOfSigns(counted);
  const most = sizes.reduce((sum, size) => sum + size, 0);
  const shareBeyond = (size: number): number => {
    if (error === 0) {
      const asked = size * (1 - rounding);
      return sums.reduce((total, [sum, share]) => total + (Math.abs(sum) >= asked ? share : 0), 0);
    }
    const asked = Math.max(0, size - step);
    // Sums come in pairs of both signs: what is above on one side is below on the other.
    const above = sums.reduce(
      (total, [sum, share]) => total + share * normalShareAbove((asked - sum) / error),
      0,
    );
    return Math.min(1, 2 * above);
  };
  const reachOf = (share: number): number => {
    const end = most + 8 * error;
    if (shareBeyond(end) > share || (error === 0 && shareBeyond(most) > share))
      return Number.POSITIVE_INFINITY;
    let [low, high] = [0, end];
    for (let round = 0; round < 50; round += 1) {
      const middle = (low + high) / 2;
      if (shareBeyond(middle) > share) low = middle;
      else high = middle;
    }
    return high;
  };
  return { shareBeyond, reachOf };
}

type SumShare = readonly [sum: number, share: number];

/** All sums of these terms, and how often each occurs. Terms of one size have few sums between them. */
function sumsOfSigns(sizes: readonly number[]): readonly SumShare[] {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  let sums: readonly SumShare[] = [[0, 1]];
  for (const [size, count] of times) {
    const shares = coinShares(count);
    sums = sums.flatMap(([sum, share]) =>
      shares.map((own, turned): SumShare => [sum + size * (count - 2 * turned), share * own]),
    );
  }
  return sums;
}

/** How often none, one, two … of so many coins fall on one side; exact, as in Pascal's triangle. */
function coinShares(count: number): readonly number[] {
  let shares = [1];
  for (let coins = 1; coins <= count; coins += 1) {
    const before = shares;
    shares = Array.from({ length: coins + 1 }, (_, heads) => {
      return ((before[heads - 1] ?? 0) + (before[heads] ?? 0)) / 2;
    });
  }
  return shares;
}

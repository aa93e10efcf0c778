/** Tokens that can be read next: how many, and after how many. */
export interface Candidate {
  readonly past: number;
  readonly length: number;
  /** The sequences that they belong to, where there may be several. */
  readonly sequences?: readonly unknown[];
}

export interface BatchLimits {
  /** The most sequences of a batch. */
  readonly rows: number;
  /** The most new tokens of a batch, with padding. */
  readonly newTokens: number;
  /** The most tokens of a batch in the cache, with padding. */
  readonly cacheTokens: number;
  /** Whether rows of a batch may differ in length. */
  readonly allowsPadding: boolean;
}

/**
 * Which candidates to run together: the first, and those that are about as long, as long as there
 * is room. Padding costs as much as tokens, so unlike ones wait for their own kind.
 */
export function chooseRows<T extends Candidate>(
  candidates: readonly T[],
  limits: BatchLimits,
): T[] {
  const [first] = candidates;
  if (!first) return [];
  const chosen: T[] = [];
  let { length, past } = first;
  let sequences = 0;
  for (const candidate of candidates) {
    const own = candidate.sequences?.length || 1;
    if (sequences + own > limits.rows || !isAlike(candidate, first, limits)) continue;
    const longer = Math.max(length, candidate.length);
    const deeper = Math.max(past, candidate.past);
    const rows = chosen.length + 1;
    const fits =
      rows * longer <= limits.newTokens && rows * (deeper + longer) <= limits.cacheTokens;
    if (!fits && rows > 1) continue;
    length = longer;
    past = deeper;
    sequences += own;
    chosen.push(candidate);
  }
  return chosen;
}

/** Lengths that differ by less than this are alike, however short. */
const slack = 32;

export function isAlike(a: Candidate, b: Candidate, { allowsPadding }: BatchLimits): boolean {
  if (!allowsPadding) return a.past === b.past && a.length === b.length;
  return isNear(a.past, b.past) && isNear(a.length, b.length);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= slack || Math.min(a, b) * 2 >= Math.max(a, b);
}

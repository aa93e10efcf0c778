/** How often each n-gram of one order occurs. */
export type Ngrams = ReadonlyMap<string, number>;

// Cannot stand in a token: tokens are free of white space.
const separator = '\n';

/** The n-grams of a list of tokens. */
export function countNgrams(tokens: readonly string[], order: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + order <= tokens.length; start += 1) {
    const ngram =
      order === 1 ? (tokens[start] ?? '') : tokens.slice(start, start + order).join(separator);
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

/** How many n-grams two texts have in common, each as often as both have it. */
export function countCommon(left: Ngrams, right: Ngrams): number {
  let common = 0;
  for (const [ngram, count] of left) common += Math.min(count, right.get(ngram) ?? 0);
  return common;
}

/** The harmonic mean of precision and recall; 0 if nothing is common. */
export function f1Of(common: number, sizes: readonly [number, number]): number {
  return common === 0 ? 0 : (2 * common) / (sizes[0] + sizes[1]);
}

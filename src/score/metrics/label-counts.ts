/** How often labels are right answers, are given as answers, and are both. */
export interface LabelCounts {
  readonly labels: readonly string[];
  readonly right: Float64Array;
  readonly given: Float64Array;
  readonly both: Float64Array;
  /** The indexes of the labels that averages are taken over. */
  readonly averaged: readonly number[];
}

export type LabelPair = readonly [right: string, given: string];

export interface LabelOptions {
  /** The labels that averages are taken over; left out, all that occur. */
  readonly labels?: readonly string[] | undefined;
}

/**
 * Counts the labels of answers.
 *
 * @example
 * macroF1.of(countLabels([['cat', 'cat'], ['cat', 'dog'], ['dog', 'dog']])) // 0.666…
 */
export function countLabels(pairs: Iterable<LabelPair>, options: LabelOptions = {}): LabelCounts {
  const all = [...pairs];
  return labelCounter(all, options)(new Float64Array(all.length).fill(1));
}

/**
 * The same for pairs that come with how often each occurs. Labels that a choice of pairs leaves out
 * are left out of averages: they say nothing, while labels that no pair has count as never right.
 */
export function labelCounter(
  pairs: readonly LabelPair[],
  { labels: wanted }: LabelOptions = {},
): (times: ArrayLike<number>) => LabelCounts {
  const indexes = new Map<string, number>();
  const indexOf = (label: string) => {
    const index = indexes.get(label) ?? indexes.size;
    indexes.set(label, index);
    return index;
  };
  const cells = pairs.map(([right, given]) => [indexOf(right), indexOf(given)] as const);
  const paired = indexes.size;
  const averaged = [...new Set(wanted ?? indexes.keys())].map(indexOf);
  const labels = [...indexes.keys()];
  return (times) => {
    const right = new Float64Array(labels.length);
    const given = new Float64Array(labels.length);
    const both = new Float64Array(labels.length);
    for (const [index, [rightIndex, givenIndex]] of cells.entries()) {
      const count = times[index] ?? 0;
      add(right, rightIndex, count);
      add(given, givenIndex, count);
      if (rightIndex === givenIndex) add(both, rightIndex, count);
    }
    const isTold = (index: number) => index >= paired || right[index] !== 0 || given[index] !== 0;
    return { labels, right, given, both, averaged: averaged.filter(isTold) };
  };
}

function add(sums: Float64Array, index: number, count: number): void {
  sums[index] = (sums[index] ?? 0) + count;
}

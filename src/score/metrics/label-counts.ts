/** How often labels are right answers, are given as answers, and are both. */
export interface LabelCounts {
  readonly labels: readonly string[];
  readonly right: Float64Array;
  readonly given: Float64Array;
  readonly both: Float64Array;
  /** The places of the labels that averages are taken over. */
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
  const places = new Map<string, number>();
  const placeOf = (label: string) => {
    const place = places.get(label) ?? places.size;
    places.set(label, place);
    return place;
  };
  const cells = pairs.map(([right, given]) => [placeOf(right), placeOf(given)] as const);
  const paired = places.size;
  const averaged = [...new Set(wanted ?? places.keys())].map(placeOf);
  const labels = [...places.keys()];
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
    const isTold = (place: number) => place >= paired || right[place] !== 0 || given[place] !== 0;
    return { labels, right, given, both, averaged: averaged.filter(isTold) };
  };
}

function add(sums: Float64Array, place: number, count: number): void {
  sums[place] = (sums[place] ?? 0) + count;
}

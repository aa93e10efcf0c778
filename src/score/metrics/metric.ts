/** How a metric is read. */
export interface MetricTraits {
  readonly name: string;
  readonly direction: 'higher' | 'lower';
  readonly range: readonly [lowest: number, highest: number];
  /** Its values are grades: more or less, on a scale of their own, and nothing says from where on an answer is right. */
  readonly isGraded?: true | undefined;
}

/** A metric of an answer, held against all right answers. */
export interface TextMetric extends MetricTraits {
  readonly of: (answer: string, golds: readonly string[]) => number;
}

/** A metric of many answers at once, worked out from counts that add up over the answers. */
export interface CorpusMetric extends TextMetric {
  readonly count: (answer: string, golds: readonly string[]) => readonly number[];
  /** The metric of one answer, from its counts. */
  readonly ofCounts: (counts: ArrayLike<number>) => number;
  readonly ofSums: (sums: ArrayLike<number>) => number;
}

export interface AnswerPair {
  readonly answer: string;
  readonly golds: readonly string[];
}

/**
 * A metric of many answers at once; nothing if there are none.
 *
 * @example
 * corpusScore(bleu(), [{ answer: 'a test it is', golds: ['a test it is'] }]) // 1
 */
export function corpusScore(metric: CorpusMetric, pairs: Iterable<AnswerPair>): number | undefined {
  let sums: number[] | undefined;
  for (const { answer, golds } of pairs) {
    const counts = metric.count(answer, golds);
    sums = counts.map((count, index) => count + (sums?.[index] ?? 0));
  }
  return sums && metric.ofSums(sums);
}

/** Metrics from 0 to 1, the higher the better. */
export function share(name: string): MetricTraits {
  return { name, direction: 'higher', range: [0, 1] };
}

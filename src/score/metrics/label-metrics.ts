import type { LabelCounts } from './label-counts.ts';
import { type MetricTraits, share } from './metric.ts';

/** A metric of labels. Where scikit-learn has the same, values are the same. */
export interface LabelMetric extends MetricTraits {
  readonly of: (counts: LabelCounts) => number;
}

interface OneLabel {
  readonly right: number;
  readonly given: number;
  readonly both: number;
}

const precisionOf = ({ both, given }: OneLabel) => (both === 0 ? 0 : both / given);
const recallOf = ({ both, right }: OneLabel) => (both === 0 ? 0 : both / right);
const f1Of = ({ both, right, given }: OneLabel) => (both === 0 ? 0 : (2 * both) / (right + given));

function averagedLabels({ averaged, right, given, both }: LabelCounts): OneLabel[] {
  return averaged.map((index) => oneLabel({ right, given, both }, index));
}

function oneLabel(
  { right, given, both }: Pick<LabelCounts, 'right' | 'given' | 'both'>,
  index: number,
): OneLabel {
  return { right: right[index] ?? 0, given: given[index] ?? 0, both: both[index] ?? 0 };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** The share of answers that are right. */
export const accuracy: LabelMetric = {
  ...share('accuracy'),
  of: ({ both, right }) => (sum(both) === 0 ? 0 : sum(both) / sum(right)),
};

/** The mean of the labels' F-scores. */
export const macroF1: LabelMetric = {
  ...share('macro_f1'),
  of: (counts) => mean(averagedLabels(counts).map(f1Of)),
};

/** The mean of the labels' precisions. */
export const macroPrecision: LabelMetric = {
  ...share('macro_precision'),
  of: (counts) => mean(averagedLabels(counts).map(precisionOf)),
};

/** The mean of the labels' recalls. */
export const macroRecall: LabelMetric = {
  ...share('macro_recall'),
  of: (counts) => mean(averagedLabels(counts).map(recallOf)),
};

/** The F-score of all labels counted together. */
export const microF1: LabelMetric = {
  ...share('micro_f1'),
  of(counts) {
    const labels = averagedLabels(counts);
    return f1Of({
      right: sum(labels.map(({ right }) => right)),
      given: sum(labels.map(({ given }) => given)),
      both: sum(labels.map(({ both }) => both)),
    });
  },
};

/** The mean of the labels' F-scores, each weighing as often as it is right. */
export const weightedF1: LabelMetric = {
  ...share('weighted_f1'),
  of(counts) {
    const labels = averagedLabels(counts);
    const total = sum(labels.map(({ right }) => right));
    return total === 0 ? 0 : sum(labels.map((label) => f1Of(label) * label.right)) / total;
  },
};

/** The mean recall of the labels that are right at least once. */
export const balancedAccuracy: LabelMetric = {
  ...share('balanced_accuracy'),
  of({ labels, ...counts }) {
    const present = labels
      .map((_, index) => oneLabel(counts, index))
      .filter(({ right }) => right > 0);
    return mean(present.map(recallOf));
  },
};

/** Matthews' correlation for any number of labels (Gorodkin, 2004); 0 if one side is constant. */
export const matthewsCorrelation: LabelMetric = {
  name: 'mcc',
  direction: 'higher',
  range: [-1, 1],
  of({ right, given, both }) {
    const size = sum(right);
    const product = (left: Float64Array, other: Float64Array) =>
      sum(left.map((value, index) => value * (other[index] ?? 0)));
    const spread = (size ** 2 - product(right, right)) * (size ** 2 - product(given, given));
    if (spread === 0) return 0;
    const value = (sum(both) * size - product(right, given)) / Math.sqrt(spread);
    return Math.max(-1, Math.min(1, value));
  },
};

/**
 * The F-score of one label.
 *
 * @example
 * f1('cat').of(countLabels([['cat', 'cat'], ['cat', 'dog'], ['dog', 'dog']])); // 0.666…
 */
export function f1(label: string): LabelMetric {
  return ofLabel('f1', label, f1Of);
}

/**
 * The share of a label's answers that are right.
 *
 * @example
 * precision('cat').of(countLabels([['cat', 'cat'], ['cat', 'dog'], ['dog', 'dog']])); // 1
 */
export function precision(label: string): LabelMetric {
  return ofLabel('precision', label, precisionOf);
}

/**
 * The share of a label's right answers that are given.
 *
 * @example
 * recall('cat').of(countLabels([['cat', 'cat'], ['cat', 'dog'], ['dog', 'dog']])); // 0.5
 */
export function recall(label: string): LabelMetric {
  return ofLabel('recall', label, recallOf);
}

function ofLabel(name: string, label: string, measure: (one: OneLabel) => number): LabelMetric {
  return {
    ...share(name),
    of: ({ labels, ...counts }) => measure(oneLabel(counts, labels.indexOf(label))),
  };
}

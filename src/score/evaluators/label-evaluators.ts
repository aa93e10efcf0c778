import { DataError } from '../../errors.ts';
import { getKey, isMapping } from '../../prompt/mapping.ts';
import { formatValue } from '../../prompt/values.ts';
import { sameOption } from '../compare/choice.ts';
import { type Comparison, exact } from '../compare/compare.ts';
import { componentType, missingOption } from '../component/component.ts';
import { labels as labelList, nonEmptyText, oneOfNames } from '../component/option-kinds.ts';
import { type Extractor, within } from '../extract/extractor.ts';
import { boxed, untilNextQuestion } from '../extract/marked-answer.ts';
import { lastOption } from '../extract/option-extractors.ts';
import { trimmed } from '../extract/text-extractors.ts';
import { countEdits } from '../metrics/edit-distance.ts';
import { type LabelPair, labelCounter } from '../metrics/label-counts.ts';
import {
  balancedAccuracy,
  f1,
  type LabelMetric,
  macroF1,
  macroPrecision,
  macroRecall,
  matthewsCorrelation,
  microF1,
  precision,
  recall,
  weightedF1,
} from '../metrics/label-metrics.ts';
import { areaUnderRoc } from '../metrics/roc-auc.ts';
import type { DatasetMetric, Evaluator, ScoringMethod } from '../scorer.ts';

const labelMetrics = [
  macroF1,
  weightedF1,
  microF1,
  macroPrecision,
  macroRecall,
  balancedAccuracy,
  matthewsCorrelation,
];
const positiveMetrics = ['f1', 'precision', 'recall'];
const metricNames = ['accuracy', ...positiveMetrics, ...labelMetrics.map(({ name }) => name)];

const classification = componentType({
  summary: 'F1, balanced accuracy and correlation of labels',
  options: {
    labels: labelList
      .optional()
      .describe('The labels to choose from; those of the data by default'),
    positive: nonEmptyText.optional().describe('The label that F1, precision and recall refer to'),
    metric: oneOfNames(metricNames)
      .optional()
      .describe('The main metric; `macro_f1` by default, `f1` with `positive`'),
  },
  build({ labels, positive, metric = positive === undefined ? 'macro_f1' : 'f1' }, _, { path }) {
    if (positive === undefined && positiveMetrics.includes(metric)) {
      throw missingOption(path, 'positive');
    }
    if (labels === undefined) {
      return labelEvaluator({ extractors: [trimmed], same: exact(), metric, positive, labels });
    }
    const choices = labels.map((label) => ({ label }));
    const find = lastOption(choices);
    const extractors = untilNextQuestion([within(boxed, find), find]);
    return labelEvaluator({ extractors, same: sameOption(choices), metric, positive, labels });
  },
});

/** Evaluators of answers that are labels. */
export const labelEvaluators = {
  classification,
  MccEvaluator: componentType({
    summary: "as `classification` with `metric: mcc`: Matthews' correlation",
    // OpenCompass's rule: labels are texts, compared as they are.
    build: () => labelEvaluator({ extractors: [trimmed], same: exact(), metric: 'mcc' }),
  }),
  EDAccEvaluator: componentType({
    summary: 'whether the candidate closest to the answer (by edit distance) is the gold answer',
    build: (): Evaluator => {
      const method: ScoringMethod = { extractors: [trimmed], compare: nearestCandidate };
      return { metric: 'accuracy', methodOf: () => method };
    },
  }),
  AUCROCEvaluator: componentType({
    summary: 'area under the ROC curve, from the loglikelihoods of labels',
    build: areaEvaluator,
  }),
};

interface LabelSettings {
  readonly extractors: readonly Extractor[];
  readonly same: Comparison;
  readonly metric: string;
  readonly positive?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

function labelEvaluator({ extractors, same, ...settings }: LabelSettings): Evaluator {
  const { metric, positive, labels } = settings;
  const usual =
    positive === undefined
      ? [macroF1, weightedF1]
      : [f1(positive), precision(positive), recall(positive)];
  const wanted = labelMetrics.find(({ name }) => name === metric);
  const shown = [...usual, ...(wanted ? [wanted] : []), balancedAccuracy, matthewsCorrelation];
  const method: ScoringMethod = { extractors, compare: withCell(same) };
  return {
    metric,
    methodOf: () => method,
    meanName: 'accuracy',
    datasetMetrics: [...new Set(shown)].map((metric) => datasetMetricOf(metric, labels)),
    ...(wanted && { range: wanted.range }),
  };
}

/** Notes which label was right and which was given. */
function withCell(same: Comparison): Comparison {
  return (answer, gold) => {
    const golds: unknown[] = Array.isArray(gold) ? gold : [gold];
    const compared = golds.flatMap((item) => same(answer, item) ?? []);
    const best = compared.find(({ value }) => value === 1) ?? compared[0];
    if (!best) return undefined;
    const pair: LabelPair = [best.want, best.got];
    return { ...best, cell: JSON.stringify(pair) };
  };
}

/** Averages go over the labels on offer, else over those that are right at least once. */
function datasetMetricOf(
  { of, ...traits }: LabelMetric,
  labels: readonly string[] | undefined,
): DatasetMetric {
  return {
    ...traits,
    type: 'cells',
    measure(cells) {
      const pairs = cells.map((cell): LabelPair => JSON.parse(cell));
      const count = labelCounter(pairs, { labels: labels ?? pairs.map(([right]) => right) });
      return (times) => of(count(times));
    },
  };
}

/**
 * The candidate that takes the fewest edits is the answer. The gold answer holds all `candidates`,
 * each a text or a list of texts, and as `label` the index of the right one.
 */
const nearestCandidate: Comparison = (answer, gold) => {
  const candidates = isMapping(gold) ? getKey(gold, 'candidates') : undefined;
  const label = isMapping(gold) ? Number(formatValue(getKey(gold, 'label'))) : Number.NaN;
  if (!Array.isArray(candidates) || !(label in candidates)) return undefined;
  const distances = candidates.map((candidate: unknown) =>
    Math.min(...textsOf(candidate).map((text) => countEdits(answer, text))),
  );
  const nearest = distances.indexOf(Math.min(...distances));
  const [got = '', want = ''] = [nearest, label].map((index) => textsOf(candidates[index])[0]);
  return { value: Number(nearest === label), got, want };
};

/** OpenCompass's rule: the second label is the positive one, and gold answers are 0 or 1. */
function areaEvaluator(): Evaluator {
  const compare: Comparison = (_, gold, { logprobs = [] } = {}) => {
    const want = Number(formatValue(gold));
    if (logprobs.length < 2) throw noLoglikelihoods();
    if (want !== 0 && want !== 1) return undefined;
    const got = logprobs.indexOf(Math.max(...logprobs));
    const [negative = 0, positive = 0, ...others] = logprobs;
    const cell = areaUnderRoc.cellOf(want === 1, positive - logOfSum([negative, ...others]));
    return { value: Number(got === want), got: String(got), want: String(want), cell };
  };
  const method: ScoringMethod = { extractors: [trimmed], compare };
  const { name, direction, range, measure } = areaUnderRoc;
  return {
    metric: name,
    methodOf: () => method,
    meanName: 'accuracy',
    datasetMetrics: [{ name, direction, range, type: 'cells', measure }],
  };
}

function noLoglikelihoods(): DataError {
  return new DataError('score.no_label_loglikelihoods', 'there are no loglikelihoods of labels', {
    hint: 'AUCROCEvaluator needs an inferencer that chooses by loglikelihood, such as CLPInferencer.',
  });
}

function logOfSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

function textsOf(candidate: unknown): string[] {
  return (Array.isArray(candidate) ? candidate : [candidate]).map((item: unknown) =>
    formatValue(item),
  );
}

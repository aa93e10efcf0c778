import { bleu } from '../../../score/metrics/bleu.ts';
import { chrf } from '../../../score/metrics/chrf.ts';
import { countLabels } from '../../../score/metrics/label-counts.ts';
import { f1, matthewsCorrelation } from '../../../score/metrics/label-metrics.ts';
import type { CorpusMetric } from '../../../score/metrics/metric.ts';
import { ter } from '../../../score/metrics/ter.ts';
import { printed } from '../prompts/document-texts.ts';
import type { LmEvalTask, MetricEntry, OutputType } from '../tasks/task-config.ts';
import { filterNames } from './filters.ts';

/** The metrics that each kind of task can have without a function of its own. */
const metricsOf: Readonly<Record<OutputType, readonly string[]>> = {
  multiple_choice: [
    ...['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info', 'exact_match', 'f1', 'mcc'],
    'brier_score',
  ],
  loglikelihood: ['acc', 'perplexity'],
  loglikelihood_rolling: ['word_perplexity', 'byte_perplexity', 'bits_per_byte'],
  generate_until: ['exact_match', 'bleu', 'chrf', 'ter'],
};

const defaultAggregations: Readonly<Record<string, string>> = {
  f1: 'f1',
  mcc: 'matthews_corrcoef',
  bleu: 'bleu',
  chrf: 'chrf',
  ter: 'ter',
  brier_score: 'brier_score',
  perplexity: 'perplexity',
  word_perplexity: 'weighted_perplexity',
  byte_perplexity: 'weighted_perplexity',
  bits_per_byte: 'bits_per_byte',
};

const lowerIsBetter = new Set([
  ...['perplexity', 'word_perplexity', 'byte_perplexity', 'bits_per_byte', 'brier_score'],
]);

/** How the values of all rows become one; `function` where the task brings its own. */
export function aggregationOf({ metric, aggregation }: MetricEntry): string {
  if (typeof aggregation === 'object') return 'function';
  return aggregation ?? defaultAggregations[metric] ?? 'mean';
}

export function isHigherBetter({ metric, higherIsBetter }: MetricEntry): boolean {
  return higherIsBetter ?? !lowerIsBetter.has(metric);
}

/** What of a task's scoring nothing here can do, all of it. */
export function scoringProblems(task: LmEvalTask): readonly string[] {
  const known = metricsOf[task.outputType];
  const unknown = task.metrics
    .filter(({ metric, run, isFromHub }) => {
      if (task.processResults || run) return false;
      return !known.includes(metric) || (isFromHub && metric !== 'exact_match');
    })
    .map(({ metric, isFromHub }) =>
      isFromHub
        ? `the metric \`${metric}\` of the library \`evaluate\``
        : `the metric \`${metric}\` of a task with \`output_type: ${task.outputType}\``,
    );
  const unknownAggregations = task.metrics
    .map(aggregationOf)
    .filter((name) => name !== 'function' && !Object.hasOwn(aggregations, name))
    .map((name) => `the aggregation \`${name}\``);
  const filters = task.filters
    .flatMap(({ steps }) => steps)
    .filter(({ name }) => !filterNames.includes(name))
    .map(({ name }) => `the filter \`${name}\``);
  return [...new Set([...unknown, ...unknownAggregations, ...filters])];
}

type Aggregation = (items: readonly unknown[]) => number;

/** The corpus metrics of sacreBLEU; the original has them from 0 to 100. */
export const corpusMetrics: Readonly<Record<string, CorpusMetric>> = {
  bleu: bleu(),
  chrf: chrf(),
  ter: ter(),
};

function corpus(name: string): Aggregation {
  const metric = corpusMetrics[name] as CorpusMetric;
  return (items) => {
    const sums: number[] = [];
    for (const [gold, answer] of items as readonly (readonly [unknown, unknown])[]) {
      for (const [index, count] of corpusCounts(metric, gold, answer).entries()) {
        sums[index] = (sums[index] ?? 0) + count;
      }
    }
    return 100 * metric.ofSums(sums);
  };
}

/** What an answer adds to a metric of all answers. */
export function corpusCounts(
  metric: CorpusMetric,
  gold: unknown,
  answer: unknown,
): readonly number[] {
  return metric.count(textOf(answer), [gold].flat().map(textOf));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? printed(value[0]) : printed(value);
}

function mean(items: readonly unknown[]): number {
  return (items as readonly number[]).reduce((sum, item) => sum + item, 0) / items.length;
}

function weightedMean(items: readonly unknown[]): number {
  const pairs = items as readonly (readonly [number, number])[];
  const sum = (part: 0 | 1) => pairs.reduce((total, pair) => total + pair[part], 0);
  return sum(0) / sum(1);
}

function labelPairs(items: readonly unknown[]) {
  return countLabels(
    (items as readonly (readonly [unknown, number])[]).map(
      ([gold, given]) => [String(gold), String(given)] as const,
    ),
  );
}

function brier(items: readonly unknown[]): number {
  return mean(items.map((item) => brierOf(item as readonly [unknown, readonly number[]])));
}

/** How far the probabilities of the choices are from the right one. */
export function brierOf([gold, chances]: readonly [unknown, readonly number[]]): number {
  return chances.reduce((sum, chance, index) => sum + (chance - Number(index === gold)) ** 2, 0);
}

function median(items: readonly unknown[]): number {
  const sorted = (items as readonly number[]).toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How the values of all rows become one, as the original does it. */
export const aggregations: Readonly<Record<string, Aggregation>> = {
  mean,
  nanmean: (items) => mean(items.filter((item) => !Number.isNaN(item))),
  median,
  perplexity: (items) => Math.exp(-mean(items)),
  weighted_perplexity: (items) => Math.exp(-weightedMean(items)),
  bits_per_byte: (items) => -weightedMean(items) / Math.LN2,
  f1: (items) => f1('1').of(labelPairs(items)),
  matthews_corrcoef: (items) => matthewsCorrelation.of(labelPairs(items)),
  brier_score: brier,
  bleu: corpus('bleu'),
  chrf: corpus('chrf'),
  ter: corpus('ter'),
};

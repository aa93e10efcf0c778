import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import { type LabelPair, labelCounter } from '../../../score/metrics/label-counts.ts';
import { f1, type LabelMetric, matthewsCorrelation } from '../../../score/metrics/label-metrics.ts';
import type { CorpusMetric } from '../../../score/metrics/metric.ts';
import { aggregations, corpusCounts, corpusMetrics } from './metrics.ts';

/** A statistic of rows, each taken as often as a draw has it. */
type Resampled = (times: Float64Array) => number;

/** More draws than this are not made: they would take minutes. */
const maxDraws = 3e8;

/** The standard error of an aggregated metric as the original works it out; nothing where it has none. */
export function standardError(
  aggregation: string,
  items: readonly unknown[],
  iterations: number,
): number | undefined {
  if (items.length < 2 || iterations <= 0) return undefined;
  if (aggregation === 'mean') {
    return sampleDeviation(items as readonly number[]) / Math.sqrt(items.length);
  }
  const statistic = resampled(aggregation, items);
  const isCorpus = Object.hasOwn(corpusMetrics, aggregation);
  const rounds = isCorpus ? Math.min(iterations, 100) : iterations;
  if (!statistic || rounds * items.length > maxDraws) return undefined;
  return bootstrapError(statistic, items.length, rounds);
}

function sampleDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(spread / (values.length - 1));
}

/** Draws with replacement by `random.choices`, with a generator of its own for each thousand. */
function bootstrapError(statistic: Resampled, size: number, iterations: number): number {
  const chunk = Math.min(1000, iterations);
  const results: number[] = [];
  const times = new Float64Array(size);
  for (let seed = 0; seed < Math.floor(iterations / chunk); seed += 1) {
    const random = new CPythonRandom(seed);
    for (let round = 0; round < chunk; round += 1) {
      times.fill(0);
      for (let draw = 0; draw < size; draw += 1) {
        const index = Math.floor(random.next() * size);
        times[index] = (times[index] ?? 0) + 1;
      }
      results.push(statistic(times));
    }
  }
  return sampleDeviation(results);
}

function resampled(aggregation: string, items: readonly unknown[]): Resampled | undefined {
  const corpus = Object.hasOwn(corpusMetrics, aggregation) ? corpusMetrics[aggregation] : undefined;
  if (corpus) return resampledCorpus(corpus, items as readonly (readonly [unknown, unknown])[]);
  switch (aggregation) {
    case 'perplexity':
      return (times) => Math.exp(-weightedMean(items as readonly number[], times));
    case 'nanmean':
      return (times) => weightedMean(items as readonly number[], times);
    case 'median':
      return (times) => aggregations.median?.(repeated(items, times)) ?? Number.NaN;
    case 'f1':
    case 'matthews_corrcoef': {
      const pairs = (items as readonly (readonly [unknown, unknown])[]).map(
        ([gold, given]) => [String(gold), String(given)] as const,
      );
      return resampledLabels(pairs, aggregation === 'f1' ? f1('1') : matthewsCorrelation);
    }
    default:
      return undefined;
  }
}

/** Few pairs of labels differ: draws are counted by pair, and equal counts are measured once. */
function resampledLabels(pairs: readonly LabelPair[], metric: Pick<LabelMetric, 'of'>): Resampled {
  const cells = new Map<string, number>();
  const cellOf = pairs.map((pair) => {
    const key = JSON.stringify(pair);
    const cell = cells.get(key) ?? cells.size;
    cells.set(key, cell);
    return cell;
  });
  const count = labelCounter([...cells.keys()].map((key): LabelPair => JSON.parse(key)));
  const known = new Map<string, number>();
  return (times) => {
    const sums = new Float64Array(cells.size);
    for (const [index, cell] of cellOf.entries())
      sums[cell] = (sums[cell] ?? 0) + (times[index] ?? 0);
    const key = sums.join();
    const value = known.get(key) ?? metric.of(count(sums));
    known.set(key, value);
    return value;
  };
}

function resampledCorpus(
  metric: CorpusMetric,
  items: readonly (readonly [unknown, unknown])[],
): Resampled {
  const rows = items.map(([gold, answer]) => corpusCounts(metric, gold, answer));
  return (times) => {
    const sums: number[] = [];
    for (const [index, counts] of rows.entries()) {
      const weight = times[index] ?? 0;
      for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + weight * count;
    }
    return 100 * metric.ofSums(sums);
  };
}

function weightedMean(values: readonly number[], times: Float64Array): number {
  let [sum, count] = [0, 0];
  for (const [index, value] of values.entries()) {
    const weight = times[index] ?? 0;
    if (Number.isNaN(value) || weight === 0) continue;
    sum += weight * value;
    count += weight;
  }
  return sum / count;
}

function repeated(items: readonly unknown[], times: Float64Array): readonly unknown[] {
  return items.flatMap((item, index) => Array.from({ length: times[index] ?? 0 }, () => item));
}

import type { Row } from '../../../prompt/values.ts';
import { labelCounter } from '../../../score/metrics/label-counts.ts';
import { f1, matthewsCorrelation } from '../../../score/metrics/label-metrics.ts';
import type { CorpusMetric, MetricTraits } from '../../../score/metrics/metric.ts';
import { perplexityScorer } from '../../../score/perplexity-scorer.ts';
import { unscored } from '../../../score/row-score.ts';
import type {
  DatasetMetric,
  RowScore,
  Scored,
  ScoreInput,
  Scorer,
  ScorerMetrics,
} from '../../../score/scorer.ts';
import { printed, type TaskFunctions } from '../prompts/document-texts.ts';
import type { LmEvalTask, MetricEntry } from '../tasks/task-config.ts';
import { buildFilters } from './filters.ts';
import { aggregationOf, brierOf, corpusCounts, corpusMetrics, isHigherBetter } from './metrics.ts';
import { largest, type RawValues, type ResultReader } from './process-results.ts';

/** The values that a row gives the metrics of a task, by the name of the filter. */
export type FilteredValues = ReadonlyMap<string, RawValues>;

/** A metric after a filter, and what rows add to it. */
interface Measure {
  readonly name: string;
  readonly filter: string;
  readonly entry: MetricEntry;
  readonly aggregation: string;
}

/** The metrics of a task after each of its filters. */
export function measuresOf({ filters, metrics }: Pick<LmEvalTask, 'filters' | 'metrics'>) {
  return filters.flatMap(({ name: filter }) =>
    metrics.map(
      (entry): Measure => ({
        name: filter === 'none' ? entry.metric : `${entry.metric},${filter}`,
        filter,
        entry,
        aggregation: aggregationOf(entry),
      }),
    ),
  );
}

/** What the scores of a task come to, whatever the answers. */
export function taskMetrics(task: Pick<LmEvalTask, 'filters' | 'metrics'>): ScorerMetrics {
  const measures = measuresOf(task);
  const [main] = measures;
  if (!main) return { metric: 'none', ...share };
  const wholes = sliced(measures).flatMap(
    ({ measure, from }) => datasetMetric(measure, from) ?? [],
  );
  const whole = wholes.find(({ name }) => name === main.name);
  const { direction, range } = whole ?? traitsOf(main);
  const traits = [...measures.filter(isOfRows).map(traitsOf), ...(whole ? [rowTraits(main)] : [])];
  return {
    metric: whole ? main.name : traitsOf(main).name,
    direction,
    range,
    ...(whole && { meanName: rowTraits(main).name }),
    ...(wholes.length > 0 && { datasetMetrics: wholes }),
    traits,
  };
}

const share = { direction: 'higher', range: [0, 1] } as const;
const anything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const shares = new Set(['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info', 'exact_match']);

function isOfRows({ aggregation }: Measure): boolean {
  return ['mean', 'nanmean', 'brier_score', 'median', 'function'].includes(aggregation);
}

/** How the mean of a metric over rows is read. */
function traitsOf({ name, entry, aggregation }: Measure): MetricTraits {
  // What is no mean in the original has another name here.
  const shown = aggregation === 'median' || aggregation === 'function' ? `${name}_row_mean` : name;
  if (entry.metric === 'brier_score') return { name: shown, direction: 'lower', range: [0, 2] };
  return {
    name: shown,
    direction: isHigherBetter(entry) ? 'higher' : 'lower',
    range: shares.has(entry.metric) ? [0, 1] : anything,
  };
}

/** What single rows have in place of a metric of all rows. */
function rowTraits({ name, entry: { metric } }: Measure): MetricTraits {
  const corpus = corpusMetrics[metric];
  if (corpus) return { ...corpus, name: `sentence_${name}` };
  if (metric === 'f1' || metric === 'mcc') return { ...share, name: 'right' };
  return { name: 'nll', direction: 'lower', range: [0, Number.POSITIVE_INFINITY] };
}

interface Slice {
  readonly measure: Measure;
  /** Where its counts begin among those of a row. */
  readonly from: number;
  readonly length: number;
}

/** Where each metric that is worked out from sums has its counts. */
function sliced(measures: readonly Measure[]): readonly Slice[] {
  let from = 0;
  return measures.map((measure) => {
    const length = countsLength(measure);
    const slice = { measure, from, length };
    from += isPooled(measure) ? 0 : length;
    return isPooled(measure) ? { ...slice, from: 0 } : slice;
  });
}

/** Texts that are only measured have the same sums for all metrics. */
function isPooled({ aggregation }: Measure): boolean {
  return aggregation === 'weighted_perplexity' || aggregation === 'bits_per_byte';
}

function countsLength(measure: Measure): number {
  if (measure.aggregation === 'perplexity') return 2;
  const metric = corpusOf(measure);
  return metric ? metric.count('', ['']).length : 0;
}

function corpusOf({ aggregation }: Measure): CorpusMetric | undefined {
  return Object.hasOwn(corpusMetrics, aggregation) ? corpusMetrics[aggregation] : undefined;
}

function datasetMetric(measure: Measure, from: number): DatasetMetric | undefined {
  const { name, aggregation, entry } = measure;
  const corpus = corpusOf(measure);
  if (corpus) {
    const length = countsLength(measure);
    const { direction, range } = corpus;
    const ofSums = (sums: ArrayLike<number>) =>
      corpus.ofSums(Array.from({ length }, (_, index) => sums[from + index] ?? 0));
    return { name, direction, range, type: 'sums', measure: ofSums };
  }
  switch (aggregation) {
    case 'perplexity':
      return {
        name,
        direction: 'lower',
        range: [1, Number.POSITIVE_INFINITY],
        type: 'sums',
        measure: (sums) => Math.exp(-(sums[from] ?? 0) / (sums[from + 1] ?? 1)),
      };
    case 'weighted_perplexity':
    case 'bits_per_byte': {
      const pooled = perplexityScorer.datasetMetrics?.find((one) => one.name === entry.metric);
      return pooled && { ...pooled, name };
    }
    case 'f1':
    case 'matthews_corrcoef': {
      const metric = aggregation === 'f1' ? f1('1') : matthewsCorrelation;
      return {
        name,
        direction: 'higher',
        range: metric.range,
        type: 'cells',
        measure: (cells) => {
          const count = labelCounter(cells.map((cell) => pairOf(cell)));
          return (times) => metric.of(count(times));
        },
      };
    }
    default:
      return undefined;
  }
}

function pairOf(cell: string): readonly [string, string] {
  const [gold, given] = JSON.parse(cell) as readonly [unknown, unknown];
  return [String(gold), String(given)];
}

export interface ScorerParts {
  readonly task: LmEvalTask;
  readonly reader: ResultReader;
  readonly functions: TaskFunctions;
  readonly choicesOf: (row: Row) => readonly string[];
  /** What the right answer to a row looks like. */
  readonly goldTextOf: (row: Row) => string;
  /** Whether thoughts are taken out of answers. */
  readonly splitsThoughts: boolean;
}

export interface TaskScorer extends Scorer {
  /** What answers to a row give the metrics. */
  readonly valuesOf: (row: Row, answers: readonly string[]) => FilteredValues;
  /** What comes out of each filter. */
  readonly filtered: (row: Row, answers: readonly string[]) => ReadonlyMap<string, unknown>;
  readonly scoreAnswers: (row: Row, answers: readonly string[]) => RowScore;
  /** What measured texts give the metrics. */
  readonly valuesOfMeasured: (input: MeasuredInput) => FilteredValues;
}

export type MeasuredInput = Pick<ScoreInput, 'row' | 'logprobs' | 'measures'>;

/** Scores the rows of a task by its own metrics. */
export function taskScorer(parts: ScorerParts): TaskScorer {
  const { task, reader, functions, choicesOf, goldTextOf } = parts;
  const pipelines = task.filters.map((filter) => ({
    name: filter.name,
    run: buildFilters(filter, functions),
  }));
  const slices = sliced(measuresOf(task));
  const filtered = (row: Row, answers: readonly string[]) =>
    new Map(pipelines.map(({ name, run }) => [name, run(answers, row)] as const));
  const valuesOf = (row: Row, answers: readonly string[]): FilteredValues =>
    new Map([...filtered(row, answers)].map(([name, one]) => [name, reader.ofAnswer(row, one)]));
  const scoreAnswers = (row: Row, answers: readonly string[]): RowScore => {
    const results = filtered(row, answers);
    const values = new Map([...results].map(([name, one]) => [name, reader.ofAnswer(row, one)]));
    const [first] = results.values();
    return scoreOf(values, { slices, got: printed(first), want: goldTextOf(row) });
  };
  const valuesOfMeasured = (input: MeasuredInput): FilteredValues => {
    const values = measuredValues(task, reader, input);
    return new Map(pipelines.map(({ name }) => [name, values]));
  };
  return {
    ...taskMetrics(task),
    filtered,
    valuesOf,
    scoreAnswers,
    valuesOfMeasured,
    score(input) {
      const { row, answer } = input;
      if (task.outputType === 'generate_until') {
        return scoreAnswers(row, [parts.splitsThoughts ? answer.answer : answer.raw]);
      }
      const problem = measureProblem(task, input);
      if (problem !== undefined) return unscored(problem);
      const best = largest(input.logprobs ?? []);
      const got = task.outputType === 'multiple_choice' ? (choicesOf(row)[best] ?? '') : '';
      return scoreOf(valuesOfMeasured(input), {
        slices,
        got,
        want: goldTextOf(row),
        counts: input.measures?.counts,
        isPooled: task.outputType === 'loglikelihood_rolling',
      });
    },
  };
}

/** Why what a model said of texts gives no values. */
function measureProblem(
  task: LmEvalTask,
  { measures, unmeasured }: ScoreInput,
): string | undefined {
  const wanted = new Set(task.metrics.map(({ metric }) => metric));
  if (unmeasured !== undefined)
    return `the choice \`${printed(unmeasured)}\` has no token to measure`;
  if (!measures || measures.tokens === 0) return 'too short to measure';
  if (task.outputType === 'multiple_choice') {
    const needsGreedy = wanted.has('exact_match') || task.processResults !== undefined;
    if (needsGreedy && greedyOf(measures.counts) === undefined && wanted.has('exact_match'))
      return 'the model does not report whether it would generate the choice';
    // Other metrics do not need it; what they are worked out from is there.
    return measures.counts?.some(Number.isNaN) && task.metrics[0]?.metric === 'acc_mutual_info'
      ? 'the model gives no probability for the first token of a text, which acc_mutual_info needs'
      : undefined;
  }
  if (task.outputType === 'loglikelihood' && wanted.has('acc') && !measures.counts?.length)
    return 'the model does not report whether it would generate the target';
  const isPossible = Number.isFinite(measures.nll);
  return isPossible || !(wanted.has('perplexity') || task.outputType === 'loglikelihood_rolling')
    ? undefined
    : 'impossible text';
}

/** Flags come first among the counts, and then what choices are after nothing. */
export function measuredCounts(
  greedy: readonly (boolean | undefined)[],
  unconditional: readonly number[],
): readonly number[] {
  const flags = greedy.map((flag) => (flag === undefined ? -1 : Number(flag)));
  return [flags.length, ...flags, ...unconditional];
}

function greedyOf(counts: readonly number[] = []): readonly boolean[] | undefined {
  const [length = 0, ...rest] = counts;
  const flags = rest.slice(0, length);
  return length === 0 || flags.includes(-1) ? undefined : flags.map((flag) => flag === 1);
}

function measuredValues(
  { outputType }: LmEvalTask,
  reader: ResultReader,
  { row, logprobs = [], measures }: MeasuredInput,
): RawValues {
  const { counts = [], nll = Number.NaN } = measures ?? {};
  if (outputType === 'multiple_choice') {
    const unconditional = counts.slice(1 + (counts[0] ?? 0));
    return reader.ofChoices(row, {
      loglikelihoods: logprobs,
      greedy: greedyOf(counts),
      ...(unconditional.length > 0 && !unconditional.some(Number.isNaN) && { unconditional }),
    });
  }
  if (outputType === 'loglikelihood') {
    return reader.ofTarget(row, { logprob: -nll, greedy: greedyOf(counts)?.[0] });
  }
  const [nats = 0, , words = 0, bytes = 0] = counts;
  return {
    word_perplexity: [-nats, words],
    byte_perplexity: [-nats, bytes],
    bits_per_byte: [-nats, bytes],
  };
}

interface ScoreParts {
  readonly slices: readonly Slice[];
  readonly got: string;
  readonly want: string;
  /** The sums of a text that is only measured. */
  readonly counts?: readonly number[] | undefined;
  readonly isPooled?: boolean | undefined;
}

function scoreOf(values: FilteredValues, parts: ScoreParts): RowScore {
  const { slices, got, want } = parts;
  const metrics: Record<string, number> = {};
  const counts: number[] = [];
  let cell: string | undefined;
  let value: number | undefined;
  for (const { measure, from, length } of slices) {
    const raw = values.get(measure.filter)?.[measure.entry.metric];
    const isMain = measure === slices[0]?.measure;
    if (raw === undefined) continue;
    if (isOfRows(measure)) {
      const number = rowNumber(measure, raw);
      if (number === undefined) continue;
      if (isMain) value = number;
      else metrics[traitsOf(measure).name] = number;
      continue;
    }
    if (measure.aggregation === 'f1' || measure.aggregation === 'matthews_corrcoef') {
      const [gold, given] = raw as readonly [unknown, number];
      cell = JSON.stringify([String(gold), String(given)]);
      if (isMain) value = Number(gold === given);
    } else if (!isPooled(measure)) {
      const own = rowCounts(measure, raw);
      for (let index = 0; index < length; index += 1) counts[from + index] = own[index] ?? 0;
      if (isMain) value = corpusOf(measure)?.ofCounts(own) ?? -Number(raw);
    }
  }
  if (parts.isPooled) value = -(parts.counts?.[0] ?? 0) / -(parts.counts?.[1] || 1);
  if (value === undefined || Number.isNaN(value)) return unscored('the metric has no value');
  const scored: Scored = { type: 'scored', value, extracted: got, compared: { got, want } };
  const sums = parts.isPooled ? parts.counts : counts;
  return {
    ...scored,
    ...(Object.keys(metrics).length > 0 && { metrics }),
    ...(cell !== undefined && { cell }),
    ...(sums && sums.length > 0 && { counts: sums }),
  };
}

function rowNumber({ aggregation }: Measure, raw: unknown): number | undefined {
  if (aggregation === 'brier_score') return brierOf(raw as readonly [unknown, readonly number[]]);
  return typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined;
}

function rowCounts(measure: Measure, raw: unknown): readonly number[] {
  if (measure.aggregation === 'perplexity') return [Number(raw), 1];
  const [gold, answer] = raw as readonly [unknown, unknown];
  return corpusCounts(corpusOf(measure) as CorpusMetric, gold, answer);
}

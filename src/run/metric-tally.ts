import type { MetricTraits } from '../score/metrics/metric.ts';
import { meanOfRounds } from '../score/repeats/rounds.ts';
import { type DatasetMetric, rowTraits, type ScorerMetrics } from '../score/scorer.ts';
import type { Measurement } from '../stats/estimate.ts';
import { CellTally, ScoreTally, SumTally } from '../stats/tallies.ts';
import type { RowRecord } from './store/row-record.ts';
import type { MetricKind, MetricResult, TaskResult } from './summary.ts';

const seed = 0;

/** Adds up what scored rows say of a scorer's metrics. */
export class MetricTally {
  readonly #scorer: ScorerMetrics;
  readonly #scores = new ScoreTally();
  /** The same with rows and samples that have no score as 0, from the first of them on. */
  #all: ScoreTally | undefined;
  readonly #means = new Map<string, ScoreTally>();
  readonly #cells = new CellTally();
  /** By how many numbers rows add: a damaged record may have others. */
  readonly #sums = new Map<number, SumTally>();
  #rounds: number | undefined;

  constructor(scorer: ScorerMetrics) {
    this.#scorer = scorer;
  }

  add({ id, score = 0, metrics, cell, counts, rounds, samples }: RowRecord): void {
    this.#rounds ??= rounds;
    const [asked = 1, without = 0] = samples ?? [];
    if (without > 0) this.#all ??= this.#scores.copy();
    this.#all?.add((score * (asked - without)) / asked);
    this.#scores.add(score);
    if (cell !== undefined) this.#cells.add(cell);
    if (counts) this.#sumsOf(counts.length).add(id, counts);
    for (const [name, value] of Object.entries(metrics ?? {})) {
      const mean = this.#means.get(name) ?? new ScoreTally();
      this.#means.set(name, mean);
      // The log has no form for other numbers; those rows do not count.
      if (Number.isFinite(value)) mean.add(value);
    }
  }

  /** Counts a row that has no score as a wrong one. */
  addWrong(): void {
    this.#all ??= this.#scores.copy();
    this.#all.add(0);
  }

  #sumsOf(length: number): SumTally {
    const known = this.#sums.get(length) ?? new SumTally(seed);
    this.#sums.set(length, known);
    return known;
  }

  /** Why a metric cannot be worked out. */
  get problem(): string | undefined {
    return this.#cells.isFull ? 'too many different labels for one table' : undefined;
  }

  get result(): Pick<
    TaskResult,
    'metric' | 'score' | 'allRows' | 'metrics' | 'signature' | keyof MetricKind
  > {
    const { metric, meanName = metric, datasetMetrics = [], signature } = this.#scorer;
    const main = datasetMetrics.find(({ name }) => name === metric);
    const ofDataset = main && this.#estimateOf(main);
    // Dialogues say nothing of all rows together: the mean of rows is what there is.
    const isMean = !main || (!ofDataset && this.problem === undefined && this.#scores.size > 0);
    const { range } = rowTraits(this.#scorer);
    const score = isMean ? this.#scores.estimate({ range }) : ofDataset;
    const allRows = isMean && score ? this.#allRows : undefined;
    const others = datasetMetrics.filter(({ name }) => name !== metric);
    const metrics = [
      ...(isMean ? [] : this.#mean(meanName, this.#scores)),
      ...others.flatMap((other) => measured(other, this.#estimateOf(other))),
      ...[...this.#means].sort(byTurn).flatMap(([name, tally]) => this.#mean(name, tally)),
    ];
    return {
      metric: main && isMean ? meanName : metric,
      ...(score && { score }),
      ...(allRows && { allRows }),
      ...kindOf(this.#scorer),
      ...(metrics.length > 0 && { metrics }),
      ...(signature !== undefined && { signature }),
    };
  }

  /** Nothing where 0 is not the worst that a row can score. */
  get #allRows(): Measurement | undefined {
    const { direction, range } = rowTraits(this.#scorer);
    const isShare = direction === 'higher' && range[0] === 0 && range[1] === 1;
    return isShare ? this.#all?.estimate() : undefined;
  }

  #estimateOf(ofOneRound: DatasetMetric): Measurement | undefined {
    const metric = this.#rounds === undefined ? ofOneRound : meanOfRounds(ofOneRound, this.#rounds);
    return metric.type === 'cells'
      ? this.#cells.estimate(metric.measure, { seed })
      : this.#maxSums?.estimate(metric.measure);
  }

  get #maxSums(): SumTally | undefined {
    return [...this.#sums.values()].sort((one, other) => other.size - one.size)[0];
  }

  #mean(name: string, tally: ScoreTally): MetricResult[] {
    const traits = ofScores.test(name)
      ? rowTraits(this.#scorer)
      : this.#scorer.traits?.find((metric) => metric.name === name);
    const known = { ...defaultTraits, ...traits, name };
    return measured(known, tally.estimate({ range: known.range }));
  }
}

/** Turns in their order, whichever rows have them; other measures as rows name them. */
function byTurn([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const [left, right] = [turnOf(one), turnOf(other)];
  return left === undefined || right === undefined ? 0 : left - right;
}

function turnOf(name: string): number | undefined {
  if (name === 'all_turns') return Number.MAX_SAFE_INTEGER;
  const [, turn] = /^turn_(\d+)$/.exec(name) ?? [];
  return turn === undefined ? undefined : Number(turn);
}

/** Measures of samples that are read as their scores are. */
const ofScores = /^(?:avg|cons)@\d+$/;

const defaultTraits = { direction: 'higher', range: [0, 1] } as const;

function measured(traits: MetricTraits, score: Measurement | undefined): MetricResult[] {
  // A perplexity may be beyond all numbers.
  if (!score || !Number.isFinite(score.high ?? score.value)) return [];
  return [{ name: traits.name, score, ...kindOf(traits) }];
}

/** How the scores of single rows are read, whatever is reported of all of them. */
export function rowScoreKind(scorer: ScorerMetrics): MetricKind & { readonly metric: string } {
  const traits = rowTraits(scorer);
  return { metric: traits.name, ...kindOf(traits) };
}

function kindOf({ direction, range: [lowest, highest] }: Omit<MetricTraits, 'name'>): MetricKind {
  return {
    ...(direction === 'lower' && { direction }),
    ...((lowest < -1 || highest > 1) && { plain: true }),
  };
}

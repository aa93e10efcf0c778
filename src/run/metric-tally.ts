import type { MetricTraits } from '../score/metrics/metric.ts';
import { type CountedRow, cellOf, countsOf, meanOfRounds } from '../score/repeats/rounds.ts';
import { isMeasured, rowTraits } from '../score/row-score.ts';
import type { DatasetMetric, ScorerMetrics } from '../score/scorer.ts';
import type { Measurement } from '../stats/estimate.ts';
import { clusterOfRecord } from './cluster-of.ts';
import { type RowRecord, scoreOfAllSamples } from './store/row-record.ts';
import type { MetricKind, MetricResult, TaskResult } from './summary.ts';
import {
  type ClusteredRows,
  type ScoreMeans,
  type Tallies,
  talliesOfRows,
  WholeTally,
} from './tallies.ts';

/** Adds up what scored rows say of a scorer's metrics. */
export class MetricTally {
  readonly #scorer: ScorerMetrics;
  readonly #clusters: ClusteredRows | undefined;
  readonly #tallies: Tallies;
  readonly #scores: ScoreMeans;
  /** The same with rows and samples that have no score as 0, from the first of them on. */
  #all: ScoreMeans | undefined;
  readonly #means = new Map<string, ScoreMeans>();
  /** Where measures stand in the first row that has them, whichever was answered first. */
  readonly #places = new Map<string, readonly [row: number, index: number]>();
  /** The parts that rows belong to, scored or not. */
  readonly #parts = new Set<string>();
  /** What rows add to measures of all of them, */
  readonly #wholes: WholeTally;
  /** what those add some of whose samples have no score, */
  #lacking: WholeTally | undefined;
  /** and what these and the rows without a score add with empty answers in their place. */
  #filled: WholeTally | undefined;
  /** Whether that can be said of all of them. */
  #isFillable = true;
  #rounds: number | undefined;

  constructor(scorer: ScorerMetrics, clusters?: ClusteredRows) {
    this.#scorer = scorer;
    this.#clusters = clusters;
    this.#tallies = clusters?.tallies ?? talliesOfRows;
    this.#scores = this.#tallies.scores(rowTraits(scorer).range);
    this.#wholes = new WholeTally(this.#tallies);
  }

  add(record: RowRecord): void {
    const { score = 0, rounds, samples = [1, 0] } = record;
    const [, unscored] = samples;
    const unit = this.#unitOf(record);
    this.#rounds ??= rounds;
    if (unscored > 0) this.#all ??= this.#scores.copy();
    this.#all?.add(scoreOfAllSamples(record), unit);
    this.#scores.add(score, unit);
    if (unscored === 0) this.#wholes.add(record, unit);
    else {
      this.#lacking ??= new WholeTally(this.#tallies);
      this.#lacking.add(record, unit);
      this.#fill({ ...record, isScored: true, samples }, rounds);
    }
    this.#addMeasures(record, unit);
  }

  /** Takes note of the part of the rows that a row belongs to. */
  seePart(part: string): void {
    this.#parts.add(part);
  }

  #addMeasures({ id, metrics = {} }: RowRecord, unit: string | number): void {
    for (const [index, [name, value]] of Object.entries(metrics).entries()) {
      // Logs of earlier versions have more of them.
      if (!isMeasured(name, this.#scorer)) continue;
      const mean = this.#means.get(name) ?? this.#tallies.scores(this.#traitsOf(name).range);
      this.#means.set(name, mean);
      const place = this.#places.get(name);
      if (!place || id < place[0]) this.#places.set(name, [id, index]);
      // The log has no form for other numbers; those rows do not count.
      if (Number.isFinite(value)) mean.add(value, unit);
    }
  }

  /** Counts a row that has no score as a wrong one. Turns of a dialogue have theirs all the same. */
  addWrong(record: RowRecord): void {
    const unit = this.#unitOf(record);
    this.#all ??= this.#scores.copy();
    this.#all.add(0, unit);
    this.#addMeasures(record, unit);
    const rounds = this.#scorer.isInTurns ? undefined : record.parts?.length;
    this.#fill({ ...record, isScored: false, samples: [1, 1] }, rounds);
  }

  #fill(row: RowRecord & CountedRow, rounds: number | undefined): void {
    const { datasetMetrics, ofNothing } = this.#scorer;
    if (!datasetMetrics) return;
    const options = { ofNothing, rounds };
    const cell = ofNothing && cellOf(row, options);
    const counts = ofNothing && countsOf(row, options);
    if (cell === undefined && counts === undefined) this.#isFillable = false;
    this.#filled ??= new WholeTally(this.#tallies);
    this.#filled.add({ cell, counts }, this.#unitOf(row));
  }

  #unitOf(record: RowRecord): string | number {
    return this.#clusters ? clusterOfRecord(record) : record.id;
  }

  /** Why a metric cannot be worked out. */
  get problem(): string | undefined {
    return this.#wholes.isFull || this.#lacking?.isFull
      ? 'too many different labels for one table'
      : undefined;
  }

  get result(): Pick<
    TaskResult,
    | 'metric'
    | 'score'
    | 'allRows'
    | 'uncounted'
    | 'metrics'
    | 'unscoredParts'
    | 'signature'
    | 'clusters'
    | keyof MetricKind
  > {
    const { metric, meanName = metric, datasetMetrics = [], signature } = this.#scorer;
    const main = datasetMetrics.find(({ name }) => name === metric);
    const scored = this.#lacking ? this.#wholes.with(this.#lacking) : this.#wholes;
    const all = this.#isFillable ? this.#filled && this.#wholes.with(this.#filled) : undefined;
    const ofDataset = main && this.#estimateOf(main, scored);
    // Rows of earlier versions may say nothing of all rows together: their mean is what there is.
    const isMean = !main || (!ofDataset && this.problem === undefined && this.#scores.size > 0);
    const score = isMean ? this.#scores.estimate(rowTraits(this.#scorer)) : ofDataset;
    const allRows = score && (isMean ? this.#meanOfAll : main && this.#estimateOf(main, all));
    const others = datasetMetrics.filter(({ name }) => name !== metric);
    const metrics = [
      ...(isMean ? [] : withAll(this.#mean(meanName, this.#scores), this.#meanOfAll)),
      ...others.flatMap((other) =>
        withAll(measured(other, this.#estimateOf(other, scored)), this.#estimateOf(other, all)),
      ),
      ...this.#sortedMeans.flatMap(([name, tally]) => this.#mean(name, tally)),
    ];
    const unscoredParts = [...this.#parts].filter((part) => !this.#means.has(part)).sort();
    return {
      metric: main && isMean ? meanName : metric,
      ...(score && { score }),
      ...(allRows && { allRows }),
      ...(score && this.#all && !allRows && { uncounted: true as const }),
      ...kindOf(this.#scorer),
      ...(metrics.length > 0 && { metrics }),
      ...(unscoredParts.length > 0 && { unscoredParts }),
      ...(signature !== undefined && { signature }),
      ...(this.#clusters && {
        clusters: { by: this.#clusters.by, count: this.#scores.clusters ?? 0 },
      }),
    };
  }

  /** Nothing where 0 is not the worst that a row can score. */
  get #meanOfAll(): Measurement | undefined {
    const { direction, range } = rowTraits(this.#scorer);
    const isShare = direction === 'higher' && range[0] === 0 && range[1] === 1;
    return isShare ? this.#all?.estimate({ range }) : undefined;
  }

  #estimateOf(ofOneRound: DatasetMetric, rows: WholeTally | undefined): Measurement | undefined {
    const metric = this.#rounds === undefined ? ofOneRound : meanOfRounds(ofOneRound, this.#rounds);
    return rows?.estimate(metric);
  }

  #mean(name: string, tally: ScoreMeans): MetricResult[] {
    const traits = this.#traitsOf(name);
    const found = measured(traits, tally.estimate(traits));
    if (tally.size === this.#scores.size && !/^turn_\d+$/.test(name)) return found;
    const part = this.#isPart(name) ? { part: true as const } : {};
    return found.map((metric) => ({ ...metric, rows: tally.size, ...part }));
  }

  /** Parts of the rows come last, by their names: rows end in any order. */
  get #sortedMeans(): (readonly [string, ScoreMeans])[] {
    const placeOf = (name: string) => this.#places.get(name) ?? [0, 0];
    const means = [...this.#means].sort(([one], [other]) => {
      const [[row, index], [otherRow, otherIndex]] = [placeOf(one), placeOf(other)];
      return row - otherRow || index - otherIndex;
    });
    const parts = means.filter(([name]) => this.#isPart(name));
    return [
      ...means.filter(([name]) => !this.#isPart(name)).sort(byTurn),
      ...parts.sort(([one], [other]) => (one < other ? -1 : 1)),
    ];
  }

  /** Whether this is the mean of those rows that have a value in a column. */
  #isPart(name: string): boolean {
    const { by } = this.#scorer;
    return by !== undefined && name.startsWith(`${by}=`);
  }

  #traitsOf(name: string): MetricTraits {
    const traits =
      ofScores.test(name) || this.#isPart(name)
        ? rowTraits(this.#scorer)
        : this.#scorer.traits?.find((metric) => metric.name === name);
    return { ...defaultTraits, ...traits, name };
  }
}

/** Turns first and in their order, whichever rows have them; other measures as rows name them. */
function byTurn([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return Math.sign(turnOf(one) - turnOf(other)) || 0;
}

function turnOf(name: string): number {
  if (name === 'all_turns') return Number.MAX_SAFE_INTEGER;
  const [, turn] = /^turn_(\d+)$/.exec(name) ?? [];
  return turn === undefined ? Number.POSITIVE_INFINITY : Number(turn);
}

/** Measures of samples and turns that are read as scores are. */
const ofScores = /^(?:(?:(?:avg|cons)@|turn_)\d+|perf_(?:orig|circ))$/;

const defaultTraits = { direction: 'higher', range: [0, 1] } as const;

function measured(traits: MetricTraits, score: Measurement | undefined): MetricResult[] {
  // A perplexity may be beyond all numbers.
  if (!score || !Number.isFinite(score.high ?? score.value)) return [];
  return [{ name: traits.name, score, ...kindOf(traits) }];
}

function withAll(
  metrics: readonly MetricResult[],
  allRows: Measurement | undefined,
): readonly MetricResult[] {
  return allRows ? metrics.map((metric) => ({ ...metric, allRows })) : metrics;
}

/** How to read the scores of single rows, whatever is reported for all of them. */
export function rowScoreKind(scorer: ScorerMetrics): MetricKind & { readonly metric: string } {
  const traits = rowTraits(scorer);
  return { metric: traits.name, ...kindOf(traits) };
}

function kindOf({
  direction,
  range: [lowest, highest],
  isGraded,
}: Omit<MetricTraits, 'name'>): MetricKind {
  return {
    ...(direction === 'lower' && { direction }),
    ...((lowest < -1 || highest > 1 || isGraded) && { plain: true }),
  };
}

import type { FailureKind } from '../model/failure-kind.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { type LooserEvaluator, looserEvaluator } from '../score/looser-reading.ts';
import { partOf } from '../score/row-score.ts';
import type { AskedVerdict, ScorerMetrics } from '../score/scorer.ts';
import { LatencyTally } from './latency-tally.ts';
import { MetricTally } from './metric-tally.ts';
import { isJudgeFailure, saysScorerFailed } from './score-answer.ts';
import { readRows } from './store/read-rows.ts';
import { areTold, labelsIn, type RowRecord } from './store/row-record.ts';
import type { JudgeCounts, RowsNotALabel, StopKind, TaskResult } from './summary.ts';
import type { ClusteredRows } from './tallies.ts';

/** Server messages may differ in every row; beyond this many they count as one kind. */
const distinctReasons = 100;

/** How many of the rows that something is said of are named. */
const namedRows = 10;

/** Counts rows, and keeps the lowest of their numbers. */
class NamedRows {
  rows = 0;
  readonly first: number[] = [];

  add(id: number): void {
    const { first } = this;
    this.rows++;
    if (first.length === namedRows && id > (first.at(-1) ?? 0)) return;
    first.push(id);
    first.sort((one, other) => one - other);
    first.length = Math.min(first.length, namedRows);
  }
}

/** No row needs more labels than these to be understood. */
const namedLabels = 50;

/** Rows whose gold answer is none of their labels. */
export class RowsWithoutLabel {
  readonly #rows = new NamedRows();
  #example: RowsNotALabel['example'] | undefined;

  add(id: number, gold: unknown, labels: readonly unknown[]): void {
    this.#rows.add(id);
    if (this.#rows.first[0] !== id) return;
    this.#example = {
      gold: formatValue(gold),
      labels: labels.slice(0, namedLabels).map(formatValue),
    };
  }

  get result(): Pick<TaskResult, 'notALabel'> {
    if (!this.#example) return {};
    const { rows, first } = this.#rows;
    return { notALabel: { rows, first: [...first], example: this.#example } };
  }
}

const stopKinds: readonly StopKind[] = ['content_filter', 'error', 'tool_calls'];

/** Adds up the records of a task, in memory that does not grow. */
export class Tally {
  scored = 0;
  unscored = 0;
  failed = 0;
  /** Of the unscored rows, those whose scorer failed. */
  scorerFailed = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** Left out where no server told of its cache. */
  cachedTokens: number | undefined;
  /** Rows that had to do without examples, and rows that are too long without any. */
  dropped = 0;
  tooLong = 0;
  #untold = 0;
  #ties = 0;
  #unnamed = 0;
  readonly #looser = new NamedRows();
  readonly #looserEvaluators = new Map<LooserEvaluator, number>();
  readonly #insideWord = new NamedRows();
  readonly #skipped = new Map<string, number>();
  readonly #withoutLabel = new RowsWithoutLabel();
  /** Answers that rows have, each part of a row counted. */
  answers = 0;
  /** The same with answers of rows that failed in a later part. */
  #given = 0;
  #cutOff = 0;
  readonly #stops = new Map<StopKind, number>();
  #asked = 0;
  #unscoredSamples = 0;
  readonly #metrics: MetricTally;
  readonly #by: string | undefined;
  readonly #reasons = new Map<string, number>();
  #judge: JudgeTally | undefined;
  readonly #failures = new Map<FailureKind, number>();
  readonly #latency = new LatencyTally();

  constructor(scorer: ScorerMetrics, clusters?: ClusteredRows) {
    this.#metrics = new MetricTally(scorer, clusters);
    this.#by = scorer.by;
  }

  /** Takes note of a row, whatever becomes of it. */
  see(row: Row): void {
    const part = partOf(row, this.#by);
    if (part !== undefined) this.#metrics.seePart(part);
  }

  /** The same by the name of its part. */
  seePart(part: string): void {
    this.#metrics.seePart(part);
  }

  add(record: RowRecord): void {
    this[record.outcome]++;
    if (record.ties) this.#ties++;
    if (record.unnamed) this.#unnamed++;
    if (record.looser) this.#addLooser(record);
    if (record.insideWord) this.#insideWord.add(record.id);
    for (const name of record.skipped ?? [])
      this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + 1);
    if (record.notALabel) this.#withoutLabel.add(record.id, record.gold, labelsIn(record));
    this.#asked += record.samples?.[0] ?? 0;
    this.#unscoredSamples += record.samples?.[1] ?? 0;
    if (record.outcome === 'scored') this.#metrics.add(record);
    else this.#addWithout(record);
    this.#addVerdicts(record);
    if (record.dropped) this.dropped++;
    if (record.tooLong) this.tooLong++;
    if (record.outcome === 'failed') this.#addFailure(record.kind);
    else this.answers += record.parts?.length ?? 1;
    this.#addFinishes(record);
    if (record.from) return;
    if (record.outcome !== 'failed') this.#latency.add(record);
    if (record.outcome !== 'failed' || record.parts)
      this.#untold += record.parts ? (record.untold ?? 0) : areTold(record.tokens) ? 0 : 1;
    if (!record.tokens) return;
    const [input, output, cached] = record.tokens;
    this.inputTokens += input ?? 0;
    this.outputTokens += output ?? 0;
    if (cached !== undefined) this.cachedTokens = (this.cachedTokens ?? 0) + cached;
  }

  get tokens(): TaskResult['tokens'] {
    return {
      input: this.inputTokens,
      output: this.outputTokens,
      ...(this.cachedTokens !== undefined && { cachedInput: this.cachedTokens }),
      ...(this.#untold > 0 && { untold: this.#untold }),
    };
  }

  /** How prompts fitted into the context, where not all of them did. */
  get fit(): Pick<TaskResult, 'dropped' | 'tooLong'> {
    return {
      ...(this.dropped > 0 && { dropped: this.dropped }),
      ...(this.tooLong > 0 && { tooLong: this.tooLong }),
    };
  }

  #addWithout(record: RowRecord): void {
    const { outcome, reason = 'no reason given' } = record;
    this.#metrics.addWrong(record);
    if (outcome === 'unscored' && saysScorerFailed(reason)) this.scorerFailed++;
    this.#addReason(reason);
  }

  #addVerdicts({ outcome, reason = '', verdicts }: RowRecord): void {
    const isOwed = outcome === 'unscored' && isJudgeFailure(reason);
    if (!verdicts && !isOwed) return;
    this.#judge ??= { asked: new Map(), failed: 0 };
    const judge = this.#judge;
    if (isOwed) judge.failed++;
    for (const { key, tokens, from, judge: other } of verdicts ?? []) {
      const request = `${other ?? ''}\n${key}`;
      if (!judge.asked.has(request)) judge.asked.set(request, { key, tokens, from, judge: other });
    }
  }

  #addReason(reason: string): void {
    const known = this.#reasons.has(reason) || this.#reasons.size < distinctReasons;
    const name = known ? reason : 'other reasons';
    this.#reasons.set(name, (this.#reasons.get(name) ?? 0) + 1);
  }

  /** Logs of earlier versions say of a row in parts only that one of them was cut off, or stopped. */
  #addFinishes({ outcome, parts, finish, finishes }: RowRecord): void {
    this.#given += parts?.length ?? (outcome === 'failed' ? 0 : 1);
    const counts =
      finishes ?? (finish === undefined || outcome === 'failed' ? {} : { [finish]: 1 });
    this.#cutOff += counts.length ?? 0;
    for (const kind of stopKinds) {
      const count = counts[kind] ?? 0;
      if (count > 0) this.#stops.set(kind, (this.#stops.get(kind) ?? 0) + count);
    }
  }

  #addFailure(kind: FailureKind | undefined): void {
    if (kind) this.#failures.set(kind, (this.#failures.get(kind) ?? 0) + 1);
  }

  get reasons(): TaskResult['reasons'] {
    const reasons = [...this.#reasons].map(([reason, rows]) => ({ reason, rows }));
    const { problem } = this.#metrics;
    if (problem !== undefined) reasons.push({ reason: problem, rows: this.scored });
    return reasons.sort((a, b) => b.rows - a.rows || (a.reason < b.reason ? -1 : 1));
  }

  /** What the metrics come to. */
  get result(): MetricTally['result'] & Pick<TaskResult, 'samples' | 'ties'> {
    const samples = { asked: this.#asked, unscored: this.#unscoredSamples };
    return {
      ...this.#metrics.result,
      ...(samples.asked > 0 && { samples }),
      ...(this.#ties > 0 && { ties: this.#ties }),
    };
  }

  /** What verdicts took, but for those that other tasks of the run have counted; they are added to these. */
  judgeCounts(counted: Set<string>, judge = ''): Pick<TaskResult, 'judge'> {
    return this.#judge ? { judge: judgeResult(this.#judge, { counted, judge }) } : {};
  }

  #addLooser({ id, gold, extracted }: RowRecord): void {
    this.#looser.add(id);
    const evaluator = looserEvaluator(gold, extracted);
    this.#looserEvaluators.set(evaluator, (this.#looserEvaluators.get(evaluator) ?? 0) + 1);
  }

  /** The evaluator that reads most of these answers; `contains` is not named. */
  get #looserEvaluator(): Pick<NonNullable<TaskResult['looser']>, 'evaluator'> {
    const most = (['number', 'choice'] as const).find(
      (name) => (this.#looserEvaluators.get(name) ?? 0) * 2 > this.#looser.rows,
    );
    return most ? { evaluator: most } : {};
  }

  /** What happened to the rows beside their scores. */
  get events(): Pick<
    TaskResult,
    | 'answers'
    | 'cutOff'
    | 'stopped'
    | 'unnamed'
    | 'looser'
    | 'insideWord'
    | 'skipped'
    | 'notALabel'
    | 'failures'
    | 'latency'
  > {
    const failures = Array.from(this.#failures, ([kind, rows]) => ({ kind, rows }));
    const { latency } = this.#latency;
    return {
      ...(this.#given !== this.scored + this.unscored && { answers: this.#given }),
      ...(this.#cutOff > 0 && { cutOff: this.#cutOff }),
      ...(this.#unnamed > 0 && { unnamed: this.#unnamed }),
      ...(this.#insideWord.rows > 0 && {
        insideWord: { rows: this.#insideWord.rows, first: [...this.#insideWord.first] },
      }),
      ...(this.#looser.rows > 0 && {
        looser: {
          rows: this.#looser.rows,
          first: [...this.#looser.first],
          ...this.#looserEvaluator,
        },
      }),
      ...(this.#skipped.size > 0 && {
        skipped: Array.from(this.#skipped, ([check, rows]) => ({ check, rows })).sort(
          (one, other) => other.rows - one.rows || (one.check < other.check ? -1 : 1),
        ),
      }),
      ...this.#withoutLabel.result,
      ...(this.#stops.size > 0 && {
        stopped: stopKinds.flatMap((kind) => {
          const rows = this.#stops.get(kind);
          return rows === undefined ? [] : [{ kind, rows }];
        }),
      }),
      ...(failures.length > 0 && {
        failures: failures.sort((a, b) => b.rows - a.rows || (a.kind < b.kind ? -1 : 1)),
      }),
      ...(latency && { latency }),
    };
  }
}

interface JudgeTally {
  /** What each request took, by its judge and key. */
  readonly asked: Map<string, Pick<AskedVerdict, 'key' | 'tokens' | 'from' | 'judge'>>;
  failed: number;
}

interface CountedVerdicts {
  readonly counted: Set<string>;
  /** The judge of the task, of which its verdicts do not say the name. */
  readonly judge: string;
}

function judgeResult(
  { asked, failed }: JudgeTally,
  { counted, judge: own }: CountedVerdicts,
): JudgeCounts {
  const sums = { requests: 0, cached: 0, input: 0, output: 0, untold: 0 };
  const others = new Map<string, { readonly input: number; readonly output: number }>();
  for (const { key, tokens, from, judge } of asked.values()) {
    const request = `${judge ?? own}\n${key}`;
    const isPaid = !from && !counted.has(request);
    if (isPaid) sums.requests++;
    else sums.cached++;
    counted.add(request);
    if (!isPaid) continue;
    if (!areTold(tokens)) sums.untold++;
    const [input, output] = [tokens?.[0] ?? 0, tokens?.[1] ?? 0];
    sums.input += input;
    sums.output += output;
    if (judge === undefined) continue;
    const known = others.get(judge) ?? { input: 0, output: 0 };
    others.set(judge, { input: known.input + input, output: known.output + output });
  }
  const { requests, cached, input, output, untold } = sums;
  return {
    requests,
    cached,
    tokens: { input, output, ...(untold > 0 && { untold }) },
    ...(others.size > 0 && {
      others: Array.from(others, ([judge, tokens]) => ({ judge, tokens })),
    }),
    ...(failed > 0 && { failed }),
  };
}

/** Takes the records of a log that stand before a place and count, one after the other. */
export async function takeRecords(
  { logFile, end, isCurrent }: LogPart,
  take: (record: RowRecord) => void,
): Promise<void> {
  if (end === 0) return;
  for await (const records of readRows(logFile)) {
    for (const { record, offset } of records) {
      if (offset >= end) return;
      if (record.part === undefined && isCurrent(record.id, offset)) take(record);
    }
  }
}

export interface LogPart {
  readonly logFile: string;
  readonly end: number;
  readonly isCurrent: (id: number, offset: number) => boolean;
}

import type { RowPlan } from '../evaluation/evaluation.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { passRate } from '../score/row-score.ts';
import type { RowRecord } from './store/row-record.ts';
import type { MetricKind } from './summary.ts';

/** How a row ended, those first that ask for a look. */
export const verdicts = ['failed', 'unscored', 'wrong', 'partly', 'scored', 'right'] as const;

export type Verdict = (typeof verdicts)[number];

/** What a row was asked: one prompt, or a plan whose prompts depend on answers. */
export type RowSource = { readonly prompt: Prompt } | { readonly plan: RowPlan };

export interface RowCandidate {
  readonly record: RowRecord;
  readonly verdict: Verdict;
  /** Left out for a row that an earlier run asked. */
  readonly source?: RowSource | undefined;
}

/** One exchange with a model. */
export interface SampledTurn {
  readonly prompt: Prompt;
  readonly answer: string;
  /** The line of the log, of a part of a row. */
  readonly record?: RowRecord;
}

/** A row as a report may show it. */
export interface SampledRow {
  readonly record: RowRecord;
  readonly verdict: Verdict;
  /** One, or several of a dialogue or of repeats; none where the prompt is not known any more. */
  readonly turns: readonly SampledTurn[];
}

/** How a row ended, in short. */
export type RowEnd = Pick<
  RowRecord,
  'id' | 'outcome' | 'score' | 'reason' | 'detail' | 'checks' | 'ms'
> & {
  readonly verdict: Verdict;
  /** Of rows that are not right: what was compared. */
  readonly extracted?: unknown;
  readonly gold?: unknown;
};

/** So many rows of an evaluation are told one by one, and so many that are not right. */
const mostEnds = 10_000;
const mostNotRight = 1000;

/** What a report says of the rows of an evaluation. */
export interface EvaluationSample {
  readonly model: string;
  readonly dataset: string;
  /** Some rows of each verdict, those first that ask for a look. */
  readonly rows: readonly SampledRow[];
  /** How all rows ended. */
  readonly totals: Readonly<Record<Verdict, number>>;
  /** How each row ended; of very many rows the first ones that came. */
  readonly ends: readonly RowEnd[];
}

interface Ranked extends RowCandidate {
  readonly rank: number;
}

/**
 * Counts how rows ended, and keeps some of each kind: as good as drawn by chance, but the same ones
 * every time.
 */
export class RowSample {
  readonly totals: Record<Verdict, number> = {
    failed: 0,
    unscored: 0,
    wrong: 0,
    partly: 0,
    scored: 0,
    right: 0,
  };
  readonly ends: RowEnd[] = [];
  #notRight = 0;
  readonly #kind: MetricKind;
  readonly #size: number;
  readonly #kept = new Map<Verdict, Ranked[]>();

  /** `size`: how many rows of each verdict are kept. */
  constructor(kind: MetricKind, size: number) {
    this.#kind = kind;
    this.#size = size;
  }

  offer(record: RowRecord, sourceOf?: () => RowSource): void {
    const verdict = verdictOf(record, this.#kind);
    this.totals[verdict]++;
    this.#noteEnd(record, verdict);
    const kept = this.#kept.get(verdict) ?? [];
    if (kept.length === 0) this.#kept.set(verdict, kept);
    const rank = scramble(record.id);
    const last = kept.at(-1);
    if (kept.length === this.#size && last && last.rank <= rank) return;
    const place = kept.findIndex((other) => other.rank > rank);
    const candidate = { record, verdict, rank, source: sourceOf?.() };
    kept.splice(place < 0 ? kept.length : place, 0, candidate);
    if (kept.length > this.#size) kept.pop();
  }

  #noteEnd(record: RowRecord, verdict: Verdict): void {
    const {
      id,
      outcome,
      score,
      reason,
      detail,
      checks,
      ms,
      extracted = record.answer,
      gold,
    } = record;
    const isRight = verdict === 'right' && !checks;
    if (this.ends.length >= mostEnds || (!isRight && this.#notRight >= mostNotRight)) return;
    const end = { id, outcome, verdict, ms };
    if (isRight) this.ends.push(end);
    else this.ends.push({ ...end, score, reason, detail, checks, extracted, gold });
    if (isNotRight({ verdict, checks })) this.#notRight++;
  }

  /** The rows that were kept, those first that ask for a look. */
  get rows(): RowCandidate[] {
    return verdicts.flatMap((verdict) => this.#kept.get(verdict) ?? []);
  }
}

/** Whether a row is to be looked at: it has no score, scored nothing, or did not pass its checks. */
export function isNotRight({ verdict, checks }: Pick<RowEnd, 'verdict' | 'checks'>): boolean {
  if (verdict === 'right') return false;
  if (verdict === 'scored') return checks?.some(({ passed }) => !passed) ?? false;
  return checks !== undefined || verdict !== 'partly';
}

export function verdictOf(
  {
    outcome,
    score = 0,
    checks,
    metrics,
  }: Pick<RowRecord, 'outcome' | 'score' | 'checks' | 'metrics'>,
  { plain, direction }: MetricKind,
): Verdict {
  if (outcome !== 'scored' || plain || direction) return outcome;
  if (checks) {
    // A row may pass by its threshold although checks of it fail, or fail although none does.
    const { [passRate]: share } = metrics ?? {};
    const passes = share === undefined ? checks.every(({ passed }) => passed) : share === 1;
    if (passes) return 'right';
  }
  if (score >= 1) return checks ? 'partly' : 'right';
  return score <= 0 ? 'wrong' : 'partly';
}

/** Spreads neighbouring numbers evenly over 32 bits. */
function scramble(number: number): number {
  let word = Math.imul(number ^ (number >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return (word ^ (word >>> 16)) >>> 0;
}

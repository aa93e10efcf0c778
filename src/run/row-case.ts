import type {
  Evaluation,
  MaybePromise,
  PlannedRequest,
  RowPlan,
} from '../evaluation/evaluation.ts';
import type { CombinedRow, ScoredPart } from '../evaluation/inference.ts';
import { textHash } from '../evaluation/key.ts';
import type { RowScore } from '../score/scorer.ts';
import { isJudgeFailure, withEnding } from './score-answer.ts';
import { areTold, type RecordedTokens, type RowRecord } from './store/row-record.ts';

interface ReadyPart {
  readonly index: number;
  readonly planned: PlannedRequest;
}

/** What became of the request for a part: its answer, its score, and what was spent on it. */
interface TakenPart
  extends Pick<RowRecord, 'key' | 'opened' | 'redacted' | 'tokens' | 'ms' | 'ties' | 'finish'> {
  readonly text: string;
  readonly score: RowScore;
  /** Whether the answer was asked for. */
  readonly isAsked?: boolean | undefined;
}

type CaseEvaluation = Pick<Evaluation, 'plan'> & Partial<Pick<Evaluation, 'combine'>>;

/** A row that takes several requests, and how far it has got. */
export class RowCase {
  readonly plan: RowPlan;
  readonly #evaluation: CaseEvaluation;
  readonly #asked: PlannedRequest[] = [];
  readonly #answered: ScoredPart[] = [];
  readonly #keys: (string | undefined)[] = [];
  /** The answers with the marks of thoughts that their prompts opened. */
  readonly #said: string[] = [];
  #ready: ReadyPart[];
  #waiting = 0;
  ms = 0;
  /** The labels that tied in the first part in which any did. */
  ties: RowRecord['ties'];
  /** Whether secrets were taken out of the answer to a part. */
  redacted: RowRecord['redacted'];
  /** `length` if a part was cut off; else why one stopped that was not done. */
  finish: string | undefined;
  readonly #finishes: Record<string, number> = {};
  #inputTokens = 0;
  #outputTokens = 0;
  #cachedTokens: number | undefined;
  #untold = 0;
  #isOver = false;

  constructor(evaluation: CaseEvaluation, plan: RowPlan) {
    this.plan = plan;
    this.#evaluation = evaluation;
    this.#ready = this.#take(plan);
    if (this.#ready.length === 0) throw new RangeError(`row ${plan.id} has no request`);
  }

  get id(): number {
    return Number(this.plan.id);
  }

  /** The parts that can be asked now. */
  takeReady(): readonly ReadyPart[] {
    const ready = this.#ready;
    this.#ready = [];
    this.#waiting += ready.length;
    return ready;
  }

  partAt(index: number): PlannedRequest {
    const part = this.#asked[index];
    if (!part) throw new RangeError(`no part ${index}`);
    return part;
  }

  /** What the lines of a part are called. */
  nameAt(index: number): number {
    return this.partAt(index).part?.name ?? index + 1;
  }

  /** Takes the answer to a part. Says what comes of it: more parts, the row's end, or a wait. */
  take(index: number, taken: TakenPart): MaybePromise<'wait' | 'more' | 'done'> {
    const { text, opened = '', score, key, tokens, ms, finish, isAsked = false } = taken;
    const own = withEnding(score, finish);
    this.#answered[index] = { name: this.nameAt(index), text, score: own };
    this.#said[index] = opened + text;
    this.#keys[index] = key;
    this.#inputTokens += tokens?.[0] ?? 0;
    this.#outputTokens += tokens?.[1] ?? 0;
    if (isAsked && !areTold(tokens)) this.#untold++;
    if (tokens?.[2] !== undefined) this.#cachedTokens = (this.#cachedTokens ?? 0) + tokens[2];
    this.ms += ms ?? 0;
    this.ties ??= taken.ties;
    this.redacted ??= taken.redacted;
    if (finish !== undefined) this.#finishes[finish] = (this.#finishes[finish] ?? 0) + 1;
    if (finish === 'length') this.finish = finish;
    else this.finish ??= finish;
    this.#waiting--;
    if (this.#isOver || this.#waiting > 0) return 'wait';
    const next = this.#evaluation.plan(this.plan, [...this.#said]);
    return next instanceof Promise ? next.then((plan) => this.#goOn(plan)) : this.#goOn(next);
  }

  #goOn(plan: RowPlan): 'more' | 'done' {
    this.#ready = this.#take(plan);
    if (this.#ready.length > 0) return 'more';
    this.#isOver = true;
    return 'done';
  }

  combine(): CombinedRow {
    if (!this.#evaluation.combine) throw new TypeError('nothing to score by');
    return withVerdicts(this.#answered, this.#evaluation.combine(this.#answered, this.plan));
  }

  /** Keys of the answered parts, in the order of the parts; one that failed may stand before others. */
  get keys(): readonly string[] {
    return this.#keys.filter((key) => key !== undefined);
  }

  /** What stands for all that was asked, where later parts hold earlier answers. */
  get history(): string | undefined {
    if (!this.#asked.some(({ part }) => part?.followsAnswers)) return undefined;
    return textHash(this.#asked.map(({ promptHash }) => promptHash).join());
  }

  /** The scores of the turns that were answered, of a dialogue that may not be through. */
  get turnScores(): RowRecord['metrics'] {
    const answered = this.#answered.filter((part) => part !== undefined);
    const isDialogue = this.#asked[0]?.part?.kind === 'turn';
    if (!isDialogue || answered.length === 0 || !this.#evaluation.combine) return undefined;
    return turnScores(this.#evaluation.combine(answered, this.plan));
  }

  /** What judges were asked about its answers, also where it is not through. */
  get verdicts(): RowRecord['verdicts'] {
    const verdicts = this.#answered.flatMap((part) => part?.score.verdicts ?? []);
    return verdicts.length > 0 ? verdicts : undefined;
  }

  /** How many of its answers the model was not done with, by why it stopped; nothing if it was with all. */
  get finishes(): RowRecord['finishes'] {
    return this.finish === undefined ? undefined : { ...this.#finishes };
  }

  /** What was spent on its parts. */
  get tokens(): RecordedTokens {
    const spent = [this.#inputTokens, this.#outputTokens] as const;
    return this.#cachedTokens === undefined ? spent : [...spent, this.#cachedTokens];
  }

  /** How many of its answers came without numbers of tokens, if any did. */
  get untold(): number | undefined {
    return this.#untold > 0 ? this.#untold : undefined;
  }

  /** The examples of its first part, and the most that a part had to do without. */
  get fitted(): Pick<PlannedRequest, 'shots' | 'dropped' | 'tooLong'> {
    return {
      shots: this.#asked[0]?.shots ?? [],
      dropped: Math.max(0, ...this.#asked.map(({ dropped }) => dropped)),
      tooLong: this.#asked.some(({ tooLong }) => tooLong),
    };
  }

  /** Ends the row. Whether it was in flight. */
  fail(): boolean {
    const wasOpen = !this.#isOver;
    this.#isOver = true;
    return wasOpen;
  }

  #take({ requests }: RowPlan): ReadyPart[] {
    const first = this.#asked.length;
    this.#asked.push(...requests);
    return requests.map((planned, index) => ({ index: first + index, planned }));
  }
}

/**
 * A row whose parts were judged, with what the judge was asked about them. It has no score while the
 * judge owes one to a part. Its gold answer is no label where that of no part is.
 */
export function withVerdicts(
  parts: readonly ScoredPart[],
  { score: combined, text }: CombinedRow,
): CombinedRow {
  const isNoLabel = parts.every((part) => part.score.type === 'scored' && part.score.notALabel);
  const score =
    isNoLabel && combined.type === 'scored' ? { ...combined, notALabel: true as const } : combined;
  const owed = parts.find((part) => isOwed(part.score));
  const verdicts = parts.flatMap((part) => part.score.verdicts ?? []);
  if (verdicts.length === 0 && !owed) return { score, text };
  const counted = owed && !isOwed(score) ? owed.score : score;
  const ofTurns = score.type === 'unscored' && score.metrics && { metrics: score.metrics };
  return { text, score: { ...counted, ...ofTurns, ...(verdicts.length > 0 && { verdicts }) } };
}

/** The scores of the turns of a dialogue, whatever became of it; nothing if none has one. */
export function turnScores({ score: { metrics = {} } }: CombinedRow): RowRecord['metrics'] {
  const turns = Object.entries(metrics).filter(([name]) => /^turn_\d+$/.test(name));
  return turns.length > 0 ? Object.fromEntries(turns) : undefined;
}

function isOwed(score: RowScore): boolean {
  return score.type === 'unscored' && isJudgeFailure(score.reason);
}

import { formatValue, type Row } from '../prompt/values.ts';
import type { MetricTraits } from './metrics/metric.ts';
import type { RowScore, Scored, ScorerMetrics, Unscored } from './scorer.ts';

/** A row that has no score, and why. */
export function unscored(reason: string, detail?: string): Unscored {
  return { type: 'unscored', reason, ...(detail !== undefined && { detail }) };
}

export const judgeFailure = 'judge failed: ';

/** An answer that its judge owes a verdict. */
export function judgeFailed({ message }: Error): Unscored {
  return unscored(`${judgeFailure}${message}`);
}

const judgedLater = 'judged with the last turn';

/** The turn of a dialogue that has no score of its own. */
export function scoredWithLast(): Unscored {
  return unscored(judgedLater);
}

/** Whether a turn has no score because the last one has that of the dialogue. */
export function isScoredWithLast(score: RowScore): boolean {
  return score.type === 'unscored' && score.reason === judgedLater;
}

/** Whether there is nothing to compare an answer with. */
export function isMissing(gold: unknown): boolean {
  if (typeof gold === 'string') return gold.trim() === '';
  return gold === undefined || gold === null || (Array.isArray(gold) && gold.length === 0);
}

/** Why a row has no score whose gold answer cannot be compared. */
export const unusableGold = 'unusable gold answer';

/** What reasons say of answers that the prompts of a judge do not fit. */
export const unfitPrompt = {
  lacks: 'judge prompt needs',
  none: 'no prompt of the judge applies to it',
} as const;

/** Whether a row has no score because the prompts of its judge do not fit. */
export function isUnfit(reason: string): boolean {
  return Object.values(unfitPrompt).some((one) => reason.includes(one));
}

/** Why a row has no score that nobody asked for. */
export const noEvaluator = 'no evaluator';

/** Why no answer has a score where the data has nothing to compare with. */
export const noGold = 'no gold answer';

/** Why a row has no score whose scorer gave none. */
export const unusableScores = {
  noScore: 'the function gave no score',
  noNumber: 'the function gave no number',
  outOfRange: 'score out of range',
  noChecks: 'no checks',
  noCost: 'no price or token counts',
  badKey: 'the function gave a key that is not known',
  badPass: 'the function gave a `pass` that is neither true nor false',
  badMetrics: 'the function gave metrics that cannot be used',
} as const;

/** What was thrown, as text: it may be anything, even what has no text of its own. */
export function thrownText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  return 'message' in error && typeof error.message === 'string'
    ? error.message
    : Object.prototype.toString.call(error);
}

/** What code gives in place of a score where a row has nothing to do with it. */
export const notAsked: unique symbol = Symbol('not asked');

/** The share of rows that pass their checks. */
export const passRate = 'pass_rate';

/** Why a row has no score whose pattern was given up. */
export const slowPattern = 'pattern takes too long';

/**
 * Whether an answer is as good as can be.
 *
 * @example
 * isRight({ type: 'scored', value: 1, extracted: '42', compared: { got: '42', want: '42' } });
 * // true
 */
export function isRight({ isRight, value }: Scored): boolean {
  return isRight === undefined ? value === 1 : isRight === true;
}

/** Whether nothing says which of such scores are right. */
export function isGrade({ isRight }: Scored): boolean {
  return isRight === null;
}

const share = { direction: 'higher', range: [0, 1] } as const;

/**
 * How to read the scores of single rows, whatever is reported for all of them.
 *
 * @example
 * rowTraits(compileScorer({ evaluator: { type: 'exact' } }));
 * // { name: 'accuracy', direction: 'higher', range: [0, 1] }
 */
export function rowTraits(scorer: ScorerMetrics): MetricTraits {
  const { metric, meanName = metric, direction, range, isGraded } = scorer;
  const { datasetMetrics = [], traits = [] } = scorer;
  if (!datasetMetrics.some(({ name }) => name === metric))
    return { name: metric, direction, range, ...(isGraded && { isGraded }) };
  return { ...share, ...traits.find(({ name }) => name === meanName), name: meanName };
}

/**
 * Whether rows have a measure of their samples or turns by such scores: grades do not say what is
 * right, and a dialogue that is scored as a whole says nothing of its turns.
 */
export function isMeasured(measure: string, { isGraded, ofWhole }: ScorerMetrics): boolean {
  if (isGraded && /^(?:pass[@^]|all_turns$)/.test(measure)) return false;
  return !ofWhole || !/^(?:turn_\d+|all_turns)$/.test(measure);
}

/** The part of the rows that a row belongs to by a column: `category=math`. */
export function partOf(row: Row, by: string | undefined): string | undefined {
  return by === undefined || isMissing(row[by]) ? undefined : `${by}=${formatValue(row[by])}`;
}

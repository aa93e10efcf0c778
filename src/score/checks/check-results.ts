import { isGrade, isRight, rowTraits, unusableScores } from '../row-score.ts';
import type { AskedVerdict, CheckResult, RowScore, Scored } from '../scorer.ts';
import type { BuiltCheck } from './name-checks.ts';

/** Why a row has no score of which a check failed itself, as of other scorers that fail. */
export const brokenCheck = 'the scorer failed: ';

export interface CheckOutcome {
  readonly check: BuiltCheck;
  /** Left out where the check does not apply, or the row has no score because of it. */
  readonly result?: CheckResult | undefined;
  readonly fault?: string | undefined;
  readonly faultDetail?: string | undefined;
  readonly metrics?: Scored['metrics'];
  readonly verdicts?: readonly AskedVerdict[] | undefined;
}

/** Why an answer cannot be right, whatever is asked of it. */
const answerFaults = [
  'no answer found',
  'empty answer',
  'unfinished thinking',
  'no label is possible',
] as const;

export function resultOf(check: BuiltCheck, score: RowScore): CheckOutcome {
  const { verdicts, detail } = score;
  if (score.type === 'unscored') {
    const { reason } = score;
    if (reason === unusableScores.noScore) return { check, verdicts };
    if (reason.startsWith(brokenCheck)) return { check, fault: reason, verdicts };
    if (!answerFaults.some((fault) => fault === reason)) {
      return { check, fault: `${check.name}: ${reason}`, faultDetail: detail, verdicts };
    }
    return { check, result: readResult(check, { value: 0, passes: false, reason }), verdicts };
  }
  // Scores that are better the lower they are have no worst one: such evaluators are no checks.
  const [lowest, highest] = rowTraits(check.scorer).range;
  const value = (score.value - lowest) / (highest - lowest);
  const { threshold } = check;
  // Nothing says which grades are right: without a threshold it takes the best one.
  const isGood = isGrade(score) ? value === 1 : isRight(score);
  const passes = threshold === undefined ? isGood : value >= threshold;
  const reason = detail ?? (passes ? undefined : comparedReason(score));
  return {
    check,
    result: readResult(check, { value, passes, reason }),
    metrics: score.metrics,
    verdicts,
  };
}

function readResult(
  { name, isNegated, weight, type }: BuiltCheck,
  found: { readonly value: number; readonly passes: boolean; readonly reason?: string | undefined },
): CheckResult {
  const passed = weight === 0 || found.passes !== isNegated;
  const negated = passed ? undefined : `${type.slice('not-'.length)} passes, but should not`;
  const reason = isNegated ? negated : found.reason;
  return {
    name,
    score: isNegated ? 1 - found.value : found.value,
    passed,
    ...(reason !== undefined && { reason }),
  };
}

function comparedReason({ compared: { got, want } }: Scored): string | undefined {
  if (want === '') return undefined;
  const short = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return `got ${short(got)}, wanted ${short(want)}`;
}

/** What a function measures beside the score of its check stands under the name of that. */
export function isMeasuredBy({ name, component }: BuiltCheck, metric: string): boolean {
  return component.type === 'function' && metric.startsWith(`${name}/`);
}

/** The score of a check, and what a function measured beside it. */
export function ownMetrics(made: {
  readonly check: BuiltCheck;
  readonly result: CheckResult;
  readonly metrics?: Scored['metrics'];
}): Readonly<Record<string, number>> {
  const { check, result, metrics = {} } = made;
  const isFunction = check.component.type === 'function';
  const further = isFunction ? Object.entries(metrics) : [];
  return {
    [result.name]: result.score,
    ...Object.fromEntries(further.map(([name, value]) => [`${result.name}/${name}`, value])),
  };
}

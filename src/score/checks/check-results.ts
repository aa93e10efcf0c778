import { isGrade, isRight, rowTraits } from '../row-score.ts';
import type { AskedVerdict, CheckResult, RowScore, Scored } from '../scorer.ts';
import type { BuiltCheck } from './name-checks.ts';

/** Why a row has no score of which a check failed itself, as of other scorers that fail. */
export const brokenCheck = 'the scorer failed: ';

export interface CheckOutcome {
  readonly check: BuiltCheck;
  /** Left out where the check does not apply, or the row has no score because of it. */
  readonly result?: CheckResult | undefined;
  /** It left this row out on purpose. */
  readonly isSkipped?: boolean | undefined;
  readonly fault?: string | undefined;
  readonly faultDetail?: string | undefined;
  readonly metrics?: Scored['metrics'];
  readonly verdicts?: readonly AskedVerdict[] | undefined;
}

/** A check that has a score. */
export interface MadeCheck {
  readonly check: BuiltCheck;
  readonly result: CheckResult;
  readonly metrics?: Scored['metrics'];
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
    const { reason, skips } = score;
    if (skips) return { check, isSkipped: skips === 'on purpose', verdicts };
    if (reason.startsWith(brokenCheck)) return { check, fault: reason, verdicts };
    if (!answerFaults.some((fault) => fault === reason)) {
      return { check, fault: `${check.name}: ${reason}`, faultDetail: detail, verdicts };
    }
    return { check, result: readResult(check, { value: 0, passes: false, reason }), verdicts };
  }
  // Scores that are better the lower they are have no worst one: such evaluators are no checks.
  const [lowest, highest] = rowTraits(check.scorer).range;
  const value = (score.value - lowest) / (highest - lowest);
  const { threshold, isNegated } = check;
  // Nothing says which grades are right: without a threshold it takes the best one.
  const isGood = isGrade(score) ? value === 1 : isRight(score);
  const passes = threshold === undefined ? isGood : value >= threshold;
  const told = isNegated ? foundReason(score, check) : comparedReason(score);
  const reason = detail ?? (passes === isNegated ? told : undefined);
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
  const negated = `${type.slice('not-'.length)} passes, but should not`;
  const ofNegated = found.reason === undefined ? negated : `${negated}: ${found.reason}`;
  const reason = !isNegated ? found.reason : passed ? undefined : ofNegated;
  return {
    name,
    score: isNegated ? 1 - found.value : found.value,
    passed,
    ...(reason !== undefined && { reason }),
  };
}

function comparedReason({ compared: { got, want } }: Scored): string | undefined {
  if (want === '') return undefined;
  return `got ${quote(got)}, wanted ${quote(want)}`;
}

/** Checks that do not look at the text of an answer. */
const factsChecks: ReadonlySet<string> = new Set(['latency', 'cost', 'tool-called']);

/** What passed that should not: the value, and the answer around it. */
function foundReason(
  { compared: { got, want } }: Scored,
  { component: { type } }: BuiltCheck,
): string | undefined {
  if (factsChecks.has(type)) return undefined;
  const isNamed = want !== '' && type !== 'function';
  const places = isNamed ? want.split(' | ').map((one) => got.indexOf(one)) : [];
  const shown = quote(
    got,
    places.find((place) => place >= 0),
  );
  return isNamed ? `got ${shown}, did not want ${quote(want)}` : `got ${shown}`;
}

const longestQuote = 80;
/** How much of a text stands before what it is quoted for. */
const quoteLead = 20;

function quote(text: string, place = 0): string {
  if (text.length <= longestQuote) return JSON.stringify(text);
  const start = place + quoteLead < longestQuote ? 0 : place - quoteLead;
  const shown = text.slice(start, start + longestQuote);
  const [before, after] = [start > 0, start + longestQuote < text.length];
  return JSON.stringify(`${before ? '…' : ''}${shown}${after ? '…' : ''}`);
}

/** Measures of the checks of a row by their names, or the name that two of them have. */
export function metricsOfChecks(
  made: readonly MadeCheck[],
): { readonly metrics: Readonly<Record<string, number>> } | { readonly twice: string } {
  const metrics: Record<string, number> = {};
  for (const one of made) {
    for (const [name, value] of Object.entries(ownMetrics(one))) {
      if (Object.hasOwn(metrics, name)) return { twice: name };
      metrics[name] = value;
    }
  }
  return { metrics };
}

/** What a function measures beside the score of its check stands under the name of that. */
export function isMeasuredBy({ name, component }: BuiltCheck, metric: string): boolean {
  return component.type === 'function' && metric.startsWith(`${name}/`);
}

/** The score of a check, and what a function measured beside it. */
function ownMetrics({ check, result, metrics = {} }: MadeCheck): Readonly<Record<string, number>> {
  const isFunction = check.component.type === 'function';
  const further = isFunction ? Object.entries(metrics) : [];
  return {
    [result.name]: result.score,
    ...Object.fromEntries(further.map(([name, value]) => [`${result.name}/${name}`, value])),
  };
}

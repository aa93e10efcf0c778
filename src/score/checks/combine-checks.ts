import type { Row } from '../../prompt/values.ts';
import { passRate, unscored, unusableScores } from '../row-score.ts';
import type { CheckResult, RowScore, ScoreInput } from '../scorer.ts';
import {
  brokenCheck,
  type CheckOutcome,
  type MadeCheck,
  metricsOfChecks,
} from './check-results.ts';
import type { ChecksOfRows } from './judges-of-checks.ts';
import type { BuiltCheck } from './name-checks.ts';
import type { AnswerChanges } from './transform-answer.ts';

/** Several checks that count as one. */
export interface CheckSet {
  readonly threshold?: number | undefined;
  readonly weight?: number | undefined;
  readonly name?: string | undefined;
}

/** What holds for all checks together. */
export interface ChecksSettings extends AnswerChanges {
  readonly ofRows?: ChecksOfRows | undefined;
  /** The score from which a row passes, whichever of its checks fail; left out, all have to pass. */
  readonly threshold?: number | undefined;
  readonly thresholdColumn?: string | undefined;
  readonly sets?: ReadonlyMap<string, CheckSet> | undefined;
}

interface Combining {
  readonly input: ScoreInput;
  readonly settings: ChecksSettings;
  /** What is wrong with the checks of the row. */
  readonly ofRow?: string | undefined;
}

export function combine(
  outcomes: readonly CheckOutcome[],
  { input: { answer, row }, settings, ofRow }: Combining,
): RowScore {
  const verdicts = outcomes.flatMap((outcome) => outcome.verdicts ?? []);
  const asked = verdicts.length > 0 ? { verdicts } : {};
  const faulty = outcomes.find(({ fault }) => fault !== undefined);
  const made = outcomes.flatMap(({ check, result, metrics }): MadeCheck[] =>
    result ? [{ check, result, metrics }] : [],
  );
  const names = outcomes.flatMap(({ check, isSkipped }) => (isSkipped ? [check.name] : []));
  const skipped = names.length > 0 ? { skipped: names } : {};
  const measured = metricsOfChecks(made);
  const metrics = 'metrics' in measured ? measured.metrics : {};
  const fault = ofRow ?? faulty?.fault ?? ('twice' in measured ? sharedName(measured) : undefined);
  if (fault !== undefined) {
    // What the other checks found is kept; the row has no score of all of them.
    const found = made.length > 0 && { checks: made.map(({ result }) => result), metrics };
    return {
      ...unscored(fault, ofRow === undefined ? faulty?.faultDetail : undefined),
      ...found,
      ...skipped,
      ...asked,
    };
  }
  const counted = countedParts(made, settings);
  const value = weightedMean(counted);
  if (value === undefined) return { ...unscored(unusableScores.noChecks), ...skipped, ...asked };
  const threshold = thresholdOf(row, settings);
  const isGiven = threshold !== undefined;
  const passed = isGiven ? value >= threshold : counted.every(({ result }) => result.passed);
  const ofSets = counted.flatMap(({ isSet, result }) => (isSet ? [result] : []));
  const checks = [...made.map(({ result }) => result), ...ofSets];
  const failing = passed ? [] : checks.filter((one) => !one.passed);
  const extracted = answer.answer.trim();
  return {
    type: 'scored',
    value: Math.min(1, value),
    isRight: passed,
    extracted,
    compared: { got: extracted, want: '' },
    metrics: {
      [passRate]: Number(passed),
      ...metrics,
      ...Object.fromEntries(ofSets.map(({ name, score }) => [name, score])),
    },
    checks,
    ...(failing.length > 0 && {
      detail: failing.map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)).join('; '),
    }),
    ...skipped,
    ...asked,
  };
}

/** What a function measures stands under the name of its check, which another check may have. */
function sharedName({ twice }: { readonly twice: string }): string {
  return `${brokenCheck}\`${twice}\` is the name of a check and of a metric of a function; rename one`;
}

/** What counts for the score of a row: a check that is in no set, or a set. */
interface CountedPart {
  readonly result: CheckResult;
  readonly weight: number;
  readonly isSet: boolean;
}

function countedParts(
  made: readonly { readonly check: BuiltCheck; readonly result: CheckResult }[],
  { sets }: ChecksSettings,
): readonly CountedPart[] {
  const members = new Map<string, CountedPart[]>();
  const alone: CountedPart[] = [];
  for (const { check, result } of made) {
    const part = { result, weight: check.weight, isSet: false };
    if (check.set === undefined) alone.push(part);
    else members.set(check.set, [...(members.get(check.set) ?? []), part]);
  }
  const ofSets = Array.from(members, ([key, parts]): CountedPart => {
    const { threshold, weight = 1, name = key } = sets?.get(key) ?? {};
    const score = weightedMean(parts) ?? 0;
    const passed =
      threshold === undefined ? parts.every((one) => one.result.passed) : score >= threshold;
    const reason = `${Number(score.toFixed(4))} of 1${threshold === undefined ? '' : `, where ${threshold} is wanted`}`;
    return {
      result: { name, score, passed, ...(!passed && { reason }) },
      weight,
      isSet: true,
    };
  });
  return [...alone, ...ofSets];
}

function weightedMean(parts: readonly CountedPart[]): number | undefined {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return undefined;
  return parts.reduce((sum, { weight, result }) => sum + weight * result.score, 0) / weights;
}

function thresholdOf(row: Row, { threshold, thresholdColumn }: ChecksSettings): number | undefined {
  const own = thresholdColumn === undefined ? undefined : row[thresholdColumn];
  return own === undefined || own === null || own === '' ? threshold : Number(own);
}

export function setNames({ sets = new Map<string, CheckSet>() }: ChecksSettings): string[] {
  return Array.from(sets, ([key, { name = key }]) => name);
}

import { UsageError } from '../../base/usage-error.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import { boundsOf } from '../../run/store/run-file-parts.ts';
import { checksMetric } from '../../score/checks/name-checks.ts';
import { passRate } from '../../score/row-score.ts';
import type { DatasetMetric } from '../../score/scorer.ts';
import { type RecordedMeasure, recordedMeasure } from '../recorded-measure.ts';
import type { Scale } from './comparison.ts';
import type { EvaluationPair } from './pair-evaluations.ts';

/** How a task is measured. */
export interface TaskMetric {
  /** Of the mean of the rows' scores. */
  readonly scale: Scale;
  /** What each side calls it, where harnesses call it otherwise. */
  readonly names?: { readonly a: string; readonly b: string } | undefined;
  /** The metric of single rows that counts in place of their score. */
  readonly counts?: { readonly a?: string; readonly b?: string } | undefined;
  /** The scores that single rows can have. */
  readonly range: ScoreRange;
  /** If what counts is not that mean but a measure of all rows together. */
  readonly whole?: { readonly metric: DatasetMetric; readonly scale: Scale } | undefined;
}

/** How both tasks are measured, as the runs recorded it; it must be the same way. */
export async function metricOf(
  { name, a, b }: EvaluationPair,
  {
    isAcross,
    ...runs
  }: { readonly a: StoredRun; readonly b: StoredRun; readonly isAcross: boolean },
): Promise<TaskMetric> {
  const left = await recordedMeasure(runs.a, a);
  const right = await recordedMeasure(runs.b, b);
  const [ofA, ofB] = [describeMeasure(left), describeMeasure(right)];
  if (isAcross && ofA === passOfTests && ofB === checksMetric) return passing({ b: passRate });
  if (isAcross && ofA === checksMetric && ofB === passOfTests) return passing({ a: passRate });
  if (isAcross && isOneUnbounded(left, right)) {
    const range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    return { scale: scaleOf({ ...left.rows, range }), range };
  }
  if (ofA !== ofB && isAcross && isShare(left) && isShare(right)) {
    const scale = { metric: `${ofA} / ${ofB}`, direction: 'higher', isShare: true } as const;
    return { scale, range: [-1, 1], names: { a: ofA, b: ofB } };
  }
  if (ofA !== ofB) {
    throw new UsageError('compare.other_metric', `${name}: A has the metric ${ofA}, B has ${ofB}`, {
      hint: 'Rescore one of them like the other: `typecase score FOLDER --evaluator TYPE`.',
    });
  }
  const { rows, whole } = left;
  const range = boundsOf(rows);
  return {
    scale: scaleOf({ ...rows, range }),
    range,
    whole: whole && { metric: whole, scale: scaleOf(whole) },
  };
}

/** What results of promptfoo are measured by: whether a test passes. */
const passOfTests = 'pass';

/** The mean of checks is no measure of tests that pass: whether all checks of a row pass is. */
function passing(counts: { readonly a?: string; readonly b?: string }): TaskMetric {
  const names = { a: counts.a ?? passOfTests, b: counts.b ?? passOfTests };
  const scale = {
    metric: `${names.a} / ${names.b}`,
    direction: 'higher',
    isShare: true,
  } as const;
  return { scale, range: [-1, 1], names, counts };
}

function scaleOf({ name, direction, range }: Omit<DatasetMetric, 'type' | 'measure'>): Scale {
  return { metric: name, direction, isShare: range[0] >= -1 && range[1] <= 1 };
}

/** Whether one harness says of a metric how far it goes, and the other does not. */
function isOneUnbounded(left: RecordedMeasure, right: RecordedMeasure): boolean {
  const [one, other] = [left, right].map(({ rows }) => boundsOf(rows).every(Number.isFinite));
  const isSame = left.rows.name === right.rows.name && left.rows.direction === right.rows.direction;
  return (
    isSame && one !== other && ![left, right].some(({ whole, isUnknown }) => whole || isUnknown)
  );
}

/** Whether the mean of scores up to 1 counts, so that harnesses which name it otherwise compare. */
function isShare({ rows, whole, isUnknown }: RecordedMeasure): boolean {
  const [lowest, highest] = boundsOf(rows);
  return !whole && !isUnknown && rows.direction === 'higher' && lowest >= -1 && highest <= 1;
}

/** Numbers of one name on two scales are not one metric. */
function describeMeasure({ rows, whole }: RecordedMeasure): string {
  if (whole) return whole.name;
  const [lowest, highest] = boundsOf(rows);
  const isUsual = lowest >= -1 && highest <= 1;
  return isUsual ? rows.name : `${rows.name} from ${lowest} to ${highest}`;
}

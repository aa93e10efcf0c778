import { UsageError } from '../../base/usage-error.ts';
import { TypecaseError } from '../../errors.ts';
import { resultOf, type StoredRun } from '../../run/store/open-run.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import type { RecordedMetric } from '../../run/store/run-file.ts';
import { boundsOf, recordedMetric } from '../../run/store/run-file-parts.ts';
import type { DatasetMetric } from '../../score/scorer.ts';
import { recordedScorer } from '../recorded-scorer.ts';
import type { Scale } from './comparison.ts';
import type { EvaluationPair } from './pair-evaluations.ts';
import type { SideEvaluation } from './run-side.ts';

/** How a task is measured. */
export interface TaskMetric {
  /** Of the mean of the rows' scores. */
  readonly scale: Scale;
  /** The scores that single rows can have. */
  readonly range: ScoreRange;
  /** If what counts is not that mean but a measure of all rows together. */
  readonly whole?: { readonly metric: DatasetMetric; readonly scale: Scale } | undefined;
}

interface Measure {
  /** What a row has. */
  readonly rows: Omit<RecordedMetric, 'dataset'>;
  readonly whole?: DatasetMetric | undefined;
}

/** How both tasks are measured, as the runs recorded it; it must be the same way. */
export async function metricOf(
  { name, a, b }: EvaluationPair,
  runs: { readonly a: StoredRun; readonly b: StoredRun },
): Promise<TaskMetric> {
  const left = await measureOf(runs.a, a);
  const right = await measureOf(runs.b, b);
  const [ofA, ofB] = [describeMeasure(left), describeMeasure(right)];
  if (ofA !== ofB) {
    throw new UsageError('compare.other_metric', `${name}: A has the metric ${ofA}, B has ${ofB}`, {
      hint: 'Score one of them as the other: `typecase score FOLDER --evaluator TYPE`.',
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

function scaleOf({ name, direction, range }: Omit<DatasetMetric, 'type' | 'measure'>): Scale {
  return { metric: name, direction, isShare: range[0] >= -1 && range[1] <= 1 };
}

/** Numbers of one name on two scales are not one metric. */
function describeMeasure({ rows, whole }: Measure): string {
  if (whole) return whole.name;
  const [lowest, highest] = boundsOf(rows);
  const isUsual = lowest >= -1 && highest <= 1;
  return isUsual ? rows.name : `${rows.name} from ${lowest} to ${highest}`;
}

/** Scores are in the log: a scorer is made only where rows have to be put together by it. */
async function measureOf(run: StoredRun, task: SideEvaluation): Promise<Measure> {
  const recorded = run.file.metrics.find(({ dataset }) => dataset === task.dataset);
  if (recorded && recorded.headline === recorded.name) return { rows: recorded };
  try {
    const scorer = await recordedScorer(run.file, task);
    const { metric, datasetMetrics = [] } = scorer;
    return {
      rows: recorded ?? recordedMetric(task.dataset, scorer),
      whole: datasetMetrics.find(({ name }) => name === metric),
    };
  } catch (error) {
    const rows = recorded ?? summarizedMetric(run, task);
    // Functions are not recorded; older runs do not say what their scores are.
    if (!rows || !TypecaseError.isInstance(error)) throw error;
    return { rows };
  }
}

/** As much as the summary of a run says. */
function summarizedMetric(run: StoredRun, task: SideEvaluation): Measure['rows'] | undefined {
  const result = resultOf(run, task);
  if (!result) return undefined;
  const { metric: name, direction = 'higher', plain } = result;
  return { name, direction, range: plain ? [null, null] : [-1, 1] };
}

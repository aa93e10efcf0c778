import { TypecaseError } from '../errors.ts';
import { type EvaluationName, resultOf, type StoredRun } from '../run/store/open-run.ts';
import type { RecordedMetric } from '../run/store/run-file.ts';
import { recordedMetric } from '../run/store/run-file-parts.ts';
import { noScorer } from '../score/build-scorer.ts';
import type { DatasetMetric, ScorerMetrics } from '../score/scorer.ts';
import { recordedScorer } from './recorded-scorer.ts';

/** How the rows of a run were measured. */
export interface RecordedMeasure {
  /** What a row has. */
  readonly rows: Omit<RecordedMetric, 'dataset'>;
  /** If what counts is not the mean of that but a measure of all rows together. */
  readonly whole?: DatasetMetric | undefined;
  /** What a row without a score adds to that measure as a wrong one. */
  readonly ofNothing?: ScorerMetrics['ofNothing'];
  /** What counts is a measure of all rows that nothing on record says how to work out. */
  readonly isUnknown?: true;
  /** Nothing on record says what counts: an older run, or one without an evaluator. */
  readonly isGuessed?: true;
}

/** Scores are in the log: a scorer is made only where rows have to be put together by it. */
export async function recordedMeasure(
  run: StoredRun,
  task: EvaluationName,
): Promise<RecordedMeasure> {
  const recorded = run.file.metrics.find(({ dataset }) => dataset === task.dataset);
  if (recorded && recorded.headline === recorded.name) return { rows: recorded };
  try {
    const scorer = await recordedScorer(run.file, task);
    const { metric, datasetMetrics = [], ofNothing } = scorer;
    const rows = recorded ?? recordedMetric(task.dataset, scorer);
    const whole = datasetMetrics.find(({ name }) => name === metric);
    const isGuessed = recorded === undefined && metric === noScorer.metric;
    return { rows, whole, ofNothing, ...(isGuessed && { isGuessed }) };
  } catch (error) {
    const rows = recorded ?? summarizedMetric(run, task);
    // Functions are not recorded; older runs do not say what their scores are.
    if (!rows || !TypecaseError.isInstance(error)) throw error;
    const isUnknown = (recorded?.headline ?? rows.name) !== rows.name && (true as const);
    return {
      rows,
      ...(isUnknown && { isUnknown }),
      ...(recorded === undefined && { isGuessed: true as const }),
    };
  }
}

/** As much as the summary of a run says. */
function summarizedMetric(
  run: StoredRun,
  task: EvaluationName,
): RecordedMeasure['rows'] | undefined {
  const result = resultOf(run, task);
  if (!result) return undefined;
  const { metric: name, direction = 'higher', plain } = result;
  return { name, direction, range: plain ? [null, null] : [-1, 1] };
}

import { UsageError } from '../../base/usage-error.ts';
import { scorerOf } from '../../evaluation/scorer-of.ts';
import { suiteDatasetsOf } from '../../evaluation/suite-datasets.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import type { ScoreRange } from '../../run/store/record-fault.ts';
import { datasetOf, stampOf, suiteTypeOf } from '../../run/store/run-file-parts.ts';
import { prepareScorer } from '../../score/open-scorer.ts';
import { type DatasetMetric, rowTraits, type ScorerMetrics } from '../../score/scorer.ts';
import type { Scale } from './comparison.ts';
import type { EvaluationPair } from './pair-evaluations.ts';
import type { SideEvaluation } from './run-side.ts';

/** How a task is measured. */
export interface TaskMetric {
  readonly scale: Scale;
  /** The scores that single rows can have. */
  readonly range: ScoreRange;
  /** If the metric is not the mean of the rows' scores but a measure of all rows together. */
  readonly datasetMetric?: DatasetMetric | undefined;
}

/** How both tasks are measured; it must be the same way. */
export async function metricOf(
  { name, a, b }: EvaluationPair,
  runs: { readonly a: StoredRun; readonly b: StoredRun },
): Promise<TaskMetric> {
  const left = await scorerOfTask(runs.a, a);
  const right = await scorerOfTask(runs.b, b);
  if (left.metric !== right.metric) {
    throw new UsageError(
      'compare.other_metric',
      `${name}: A has the metric ${left.metric}, B has ${right.metric}`,
      { hint: 'Score one of them as the other: `typecase score FOLDER --evaluator TYPE`.' },
    );
  }
  const { metric, direction, range, datasetMetrics } = left;
  return {
    scale: { metric, direction, isShare: range[0] >= -1 && range[1] <= 1 },
    range: rowTraits(left).range,
    datasetMetric: datasetMetrics?.find((candidate) => candidate.name === metric),
  };
}

async function scorerOfTask(
  run: StoredRun,
  { model, dataset }: SideEvaluation,
): Promise<ScorerMetrics> {
  const suite = await suiteDatasetsOf(suiteTypeOf(run.file, dataset));
  const stamp = stampOf(run.file, dataset);
  if (suite && stamp) return suite.metricsOf(stamp.task);
  const { evalCfg, inferCfg } = datasetOf(run.file, dataset) ?? {};
  const compat = run.file.models.find(({ name }) => name === model)?.compat;
  await prepareScorer(evalCfg);
  // Nothing is judged here: the scores are in the log.
  const ask = () => Promise.reject(new TypeError('a judge of a run that is over'));
  return scorerOf(
    { evalCfg, inferencer: inferCfg?.inferencer?.type, compat },
    { judgeNamed: (name) => ({ name, ask }) },
  );
}

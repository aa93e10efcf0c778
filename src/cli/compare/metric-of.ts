import type { Scale } from '../../report/compare/comparison.ts';
import {
  compileScorer,
  perplexityScorer,
  prepareScorer,
  type Scorer,
  type Whole,
} from '../../score/index.ts';
import type { SavedRun } from '../score/recorded-run.ts';
import { UsageError } from '../usage-error.ts';
import type { TaskPair } from './choose-tasks.ts';
import { detailsOf } from './recorded-details.ts';
import type { RunTask } from './run-side.ts';

/** How a task is measured. */
export interface TaskMetric {
  readonly scale: Scale;
  /** If the metric is not the mean of the rows' scores but a measure of all rows together. */
  readonly whole?: Whole | undefined;
}

/** How both tasks are measured; it must be the same way. */
export async function metricOf(
  { name, a, b }: TaskPair,
  runs: { readonly a: SavedRun; readonly b: SavedRun },
): Promise<TaskMetric> {
  const left = await scorerOf(runs.a, a);
  const right = await scorerOf(runs.b, b);
  if (left.metric !== right.metric) {
    throw new UsageError(
      'compare.other_metric',
      `${name}: A has the metric ${left.metric}, B has ${right.metric}`,
      { hint: 'Score one of them as the other: `typecase score FOLDER --evaluator TYPE`.' },
    );
  }
  const { metric, direction, range, wholes } = left;
  return {
    scale: { metric, direction, isShare: range[0] >= -1 && range[1] <= 1 },
    whole: wholes?.find((whole) => whole.name === metric),
  };
}

async function scorerOf(saved: SavedRun, { model, dataset }: RunTask): Promise<Scorer> {
  const { evalCfg } = saved.recorded.datasets.find(({ abbr }) => abbr === dataset) ?? {};
  const compat = saved.recorded.models.find(({ name }) => name === model)?.compat;
  if (!evalCfg && measuresOnly(saved, dataset)) return perplexityScorer;
  await prepareScorer(evalCfg);
  return compileScorer(evalCfg, { compat });
}

/** Without an evaluator such tasks are scored by how likely the model finds the texts. */
function measuresOnly(saved: SavedRun, dataset: string): boolean {
  const { inferCfg } = detailsOf(saved).datasets?.find(({ abbr }) => abbr === dataset) ?? {};
  return inferCfg?.inferencer?.type === 'PPLOnlyInferencer';
}

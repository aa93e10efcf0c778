import type { EvalConfig } from '../../config/config.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { recordedMetric } from '../../run/store/run-file-parts.ts';
import type { ScorePlan } from './scored-evaluations.ts';

/** The record of a run with the `eval_cfg` that now counts. */
export function withEvaluators(
  file: RunFile,
  { tasks, evaluators }: Pick<ScorePlan, 'tasks' | 'evaluators'>,
): RunFile {
  const scored = new Map(tasks.map((task) => [task.dataset, task.scorer]));
  return {
    ...file,
    datasets: file.datasets.map((dataset) => {
      if (!evaluators.has(dataset.abbr)) return dataset;
      const { evalCfg: _, ...rest } = dataset;
      const evalCfg: EvalConfig | undefined = evaluators.get(dataset.abbr);
      return { ...rest, ...(evalCfg && { evalCfg }) };
    }),
    metrics: [
      ...file.metrics.filter(({ dataset }) => !scored.has(dataset)),
      ...Array.from(scored, ([dataset, scorer]) => recordedMetric(dataset, scorer)),
    ],
  };
}

import { scorerOf } from '../evaluation/scorer-of.ts';
import { suiteDatasetsOf } from '../evaluation/suite-datasets.ts';
import { isDialogue } from '../evaluation/task-prompts.ts';
import type { EvaluationName } from '../run/store/open-run.ts';
import type { RecordedDataset, RunFile } from '../run/store/run-file.ts';
import { datasetOf, stampOf, suiteTypeOf } from '../run/store/run-file-parts.ts';
import { prepareScorer } from '../score/open-scorer.ts';
import type { ScorerMetrics } from '../score/scorer.ts';

/** What the scores of an evaluation come to, by what the run recorded; functions are not recorded. */
export async function recordedScorer(
  file: RunFile,
  { model, dataset }: EvaluationName,
): Promise<ScorerMetrics> {
  const suite = await suiteDatasetsOf(suiteTypeOf(file, dataset));
  const stamp = stampOf(file, dataset);
  const recorded: Partial<RecordedDataset> = datasetOf(file, dataset) ?? {};
  const { evalCfg, inferCfg, lmEval } = recorded;
  if (suite && (stamp || lmEval !== undefined))
    return suite.metricsOf({ task: stamp?.task, lmEval });
  const compat = file.models.find(({ name }) => name === model)?.compat;
  await prepareScorer(evalCfg);
  // Nothing is judged here.
  const ask = () => Promise.reject(new TypeError('a judge of a run that is over'));
  return scorerOf(
    {
      ...{ evalCfg, inferencer: inferCfg?.inferencer?.type, compat },
      isInTurns: isDialogue({ compat, ...inferCfg }),
    },
    {
      judgeNamed: (name) => ({ name, ask }),
      embedWith: () => ask,
      onlyJudge: file.judges?.[0]?.name,
    },
  );
}

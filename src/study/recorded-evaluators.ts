import type { RecordedDataset, RunFile } from '../run/store/run-file.ts';
import type { Component } from '../score/component/component.ts';

/** The evaluators of a dataset as a run recorded them: one, or those of its checks. */
export function recordedEvaluators({
  evalCfg,
}: Pick<RecordedDataset, 'evalCfg'>): readonly Component[] {
  const { evaluator } = evalCfg ?? {};
  if (!evaluator) return [];
  const { checks } = evaluator;
  return evaluator.type === 'checks' && Array.isArray(checks) ? checks : [evaluator];
}

/** Whether a function gives scores, which runs do not record. */
export function isScoredByFunction(dataset: Pick<RecordedDataset, 'evalCfg'>): boolean {
  return hasType(dataset, /^(?:not-)?(?:function|javascript)$/);
}

/** Whether programs of answers are run. */
export function runsPrograms(dataset: Pick<RecordedDataset, 'evalCfg'>): boolean {
  return hasType(dataset, /^(?:not-)?code$/);
}

function hasType(dataset: Pick<RecordedDataset, 'evalCfg'>, pattern: RegExp): boolean {
  return recordedEvaluators(dataset).some(({ type }) => pattern.test(String(type)));
}

/** Who judged a dataset: the model that an evaluator names, or the only judge where none does. */
export function recordedJudge(
  { judges = [] }: Pick<RunFile, 'judges'>,
  dataset: Pick<RecordedDataset, 'evalCfg'>,
): NonNullable<RunFile['judges']>[number] | undefined {
  const evaluators = recordedEvaluators(dataset);
  const named = judges.find(({ name }) => evaluators.some(({ model }) => model === name));
  const isJudged = hasType(dataset, /^(?:not-)?(?:judge|llm-rubric)$/);
  return named ?? (isJudged && judges.length === 1 ? judges[0] : undefined);
}

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

/** Who judged a dataset: the models that evaluators name in their order, or the only judge where none does. */
export function recordedJudges(
  { judges = [] }: Pick<RunFile, 'judges'>,
  dataset: Pick<RecordedDataset, 'evalCfg'>,
): NonNullable<RunFile['judges']> {
  const names = new Set(recordedEvaluators(dataset).map(({ model }) => model));
  const named = [...names].flatMap((model) => judges.find(({ name }) => name === model) ?? []);
  if (named.length > 0) return named;
  const isJudged = hasType(dataset, /^(?:not-)?(?:judge|llm-rubric)$/);
  return isJudged && judges.length === 1 ? judges : [];
}

import type { Ability } from '../model/model.ts';
import type { Inference } from './inference.ts';
import type { PromptTask, TaskPrompts } from './prompt-task.ts';
import { clpInference, llInference, pplInference, pplOnlyInference } from './weigh-labels.ts';

type Build = (task: PromptTask, prompts: TaskPrompts) => Inference;

const likelihood: ReadonlyMap<string, Build> = new Map([
  ['PPLInferencer', pplInference],
  ['LLInferencer', llInference],
  ['CLPInferencer', clpInference],
  ['PPLOnlyInferencer', pplOnlyInference],
]);

/** How the rows of a task are asked about. */
export function inferenceOf(task: PromptTask, prompts: TaskPrompts): Inference {
  const build = likelihood.get(task.inferencer.type) ?? genInference;
  return build(task, prompts);
}

/** What a model must be able to do for an inferencer. */
export function abilityFor(inferencer: string): Ability {
  if (inferencer === 'CLPInferencer') return 'next-token';
  return likelihood.has(inferencer) ? 'loglikelihood' : 'generate';
}

function genInference(_task: PromptTask, { promptOf }: TaskPrompts): Inference {
  return {
    type: 'single',
    ask(query) {
      const { prompt, dropped } = promptOf(query);
      return { request: { type: 'generate', prompt }, dropped };
    },
  };
}

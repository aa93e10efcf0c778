import type { Ability } from '../model/model.ts';
import { givesShots } from '../retrieve/index.ts';
import type { Inference, SingleInference } from './inference.ts';
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
  if (prompts.dialogue) return prompts.dialogue;
  const build = likelihood.get(task.inferencer.type) ?? genInference;
  const inference = build(task, prompts);
  return givesShots(task.retriever) && inference.type === 'single'
    ? withLeaks(inference, prompts)
    : inference;
}

function withLeaks({ ask }: SingleInference, { leaksOf }: TaskPrompts): SingleInference {
  return {
    type: 'single',
    ask(query) {
      const asked = ask(query);
      const [leak] = leaksOf(query);
      return leak ? { ...asked, leak: leak.code } : asked;
    },
  };
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

import type { Ability } from '../model/model.ts';
import { untrace } from '../prompt/prompt.ts';
import { givesShots } from '../retrieve/create-retriever.ts';
import type { AskedRow, Inference, SingleInference } from './inference.ts';
import {
  clpInference,
  llInference,
  pplInference,
  pplOnlyInference,
} from './loglikelihood-inference.ts';
import type { PromptTask, TaskPrompts } from './prompt-task.ts';

type Build = (task: PromptTask, prompts: TaskPrompts) => SingleInference;

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
  return givesShots(task.retriever) ? withLeaks(inference, prompts) : inference;
}

function withLeaks({ ask, trace }: SingleInference, { leaksOf }: TaskPrompts): SingleInference {
  const add = <Asked extends AskedRow>(
    row: Parameters<SingleInference['ask']>[0],
    asked: Asked,
  ): Asked => {
    const [leak] = leaksOf(row, asked.shots);
    return leak ? { ...asked, leak: leak.code } : asked;
  };
  return {
    type: 'single',
    ask: (row) => add(row, ask(row)),
    trace: (row) => add(row, trace(row)),
  };
}

/** What a model must be able to do for an inferencer. */
export function abilityFor(inferencer: string): Ability {
  if (inferencer === 'CLPInferencer') return 'next-token';
  return likelihood.has(inferencer) ? 'loglikelihood' : 'generate';
}

function genInference(
  _task: PromptTask,
  { promptOf, traceOf, examplesAt }: TaskPrompts,
): SingleInference {
  return {
    type: 'single',
    ask(row) {
      const { prompt, shots, dropped } = promptOf(row);
      return { request: { type: 'generate', prompt }, shots, dropped };
    },
    trace(row) {
      const { shots, dropped } = promptOf(row);
      const text = traceOf(row, shots);
      return {
        request: { type: 'generate', prompt: untrace(text.prompt) },
        shots,
        dropped,
        texts: [text],
        examples: examplesAt(shots),
      };
    },
  };
}

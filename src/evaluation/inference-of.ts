import { untrace } from '../prompt/prompt.ts';
import { givesShots } from '../retrieve/retriever.ts';
import { type AskedRow, abilityFor, type Inference, type SingleInference } from './inference.ts';
import type { EvaluationPrompts, PromptSetup } from './prompt-setup.ts';
import type { RepeatedDataset, RepeatSetup } from './repeats.ts';

interface Repeats extends RepeatSetup {
  readonly dataset: RepeatedDataset;
}

/** How the rows of a task are asked about, once or as often as its dataset says. */
export async function inferenceOf(
  setup: PromptSetup,
  prompts: EvaluationPrompts,
  repeats?: Repeats,
): Promise<Inference> {
  const inference = await inferenceOnce(setup, prompts);
  if (!repeats) return inference;
  const { dataset } = repeats;
  const isRepeated =
    dataset.n !== undefined ||
    dataset.evalCfg?.circular !== undefined ||
    setup.inferencer.type === 'SCInferencer';
  if (!isRepeated) return inference;
  const { repeatInference } = await import('./repeats.ts');
  return repeatInference(inference, dataset, repeats);
}

async function inferenceOnce(task: PromptSetup, prompts: EvaluationPrompts): Promise<Inference> {
  if (prompts.dialogue) return prompts.dialogue;
  const inference =
    abilityFor(task.inferencer.type) === 'generate'
      ? genInference(prompts)
      : await loglikelihoodInference(task, prompts);
  return givesShots(task.retriever) ? withLeaks(inference, prompts) : inference;
}

async function loglikelihoodInference(
  task: PromptSetup,
  prompts: EvaluationPrompts,
): Promise<SingleInference> {
  const made = await import('./loglikelihood-inference.ts');
  switch (task.inferencer.type) {
    case 'CLPInferencer':
      return made.clpInference(task, prompts);
    case 'LLInferencer':
      return made.llInference(task, prompts);
    case 'PPLOnlyInferencer':
      return made.pplOnlyInference(task, prompts);
    default:
      return made.pplInference(task, prompts);
  }
}

function withLeaks(
  { ask, trace }: SingleInference,
  { leaksOf }: EvaluationPrompts,
): SingleInference {
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

function genInference({ promptOf, traceOf, examplesAt }: EvaluationPrompts): SingleInference {
  return {
    type: 'single',
    ask(row) {
      const { prompt, shots, dropped, tooLong } = promptOf(row);
      return { request: { type: 'generate', prompt }, shots, dropped, tooLong };
    },
    trace(row) {
      const { shots, dropped, tooLong } = promptOf(row);
      const text = traceOf(row, shots);
      return {
        request: { type: 'generate', prompt: untrace(text.prompt) },
        shots,
        dropped,
        tooLong,
        texts: [text],
        examples: examplesAt(shots),
      };
    },
  };
}

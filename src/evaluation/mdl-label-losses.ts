import { meanLossOf } from '../compat/scoring/mean-loss.ts';
import type { LoglikelihoodModel, LoglikelihoodText } from '../model/loglikelihood.ts';
import { loglikelihoodsOf } from '../model/loglikelihoods-of.ts';
import { withRetries } from '../model/with-retries.ts';
import type { PromptProgram } from '../prompt/program.ts';
import { type TracedPrompt, untrace } from '../prompt/prompt.ts';
import { tracePrompt } from '../prompt/render.ts';
import type { ShotPool } from '../prompt/shots.ts';
import type { NamedRow } from '../prompt/trace.ts';
import type { LabelLosses, Query } from '../retrieve/retriever.ts';
import { textOf } from './loglikelihood-inference.ts';
import type { PromptSetup } from './prompt-setup.ts';

/** The texts of a row's labels after some examples, from where they count. */
export type LabelTexts = (query: Query, shots: readonly number[]) => readonly LoglikelihoodText[];

/** How surprising the model finds a row with each of its labels. */
export function labelLosses(
  loglikelihoodModel: LoglikelihoodModel,
  textsOf: LabelTexts,
): LabelLosses {
  return async (query, shots, { signal }) => {
    const texts = textsOf(query, shots);
    const key = texts[0]?.text ?? '';
    const measure = () => loglikelihoodModel.measure({ texts }, { signal });
    const { logprobs } = await withRetries(measure, { key, signal });
    return loglikelihoodsOf(texts, logprobs).map(meanLossOf(undefined).ofPart);
  };
}

interface LabelProgram {
  readonly program: PromptProgram;
  readonly pool: ShotPool | undefined;
}

/** The label prompts of a task; what stands in the examples does not count. */
export function labelTexts(task: PromptSetup, programs: readonly LabelProgram[]): LabelTexts {
  const asking = { ...task, inferencer: { type: task.retriever.type } };
  return (query: NamedRow, shots) =>
    programs.map(({ program, pool }) => {
      const prompt = tracePrompt(program, query, pool?.take(shots));
      return { text: textOf(asking, untrace(prompt)), from: endOfShots(prompt) };
    });
}

function endOfShots(prompt: TracedPrompt): number {
  if (prompt.type !== 'text') return 0;
  let end = 0;
  let position = 0;
  for (const { text, origin } of prompt.spans) {
    position += text.length;
    if ('shot' in origin && origin.shot !== undefined) end = position;
  }
  return end;
}

import type { ConfigPath } from '../../errors.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import type { DialogueSoFar } from '../scorer.ts';
import { compileJudgePrompt, type JudgePrompt } from './judge-prompt.ts';

/** What a judge is asked about some answers. */
export interface PromptCase {
  readonly template: TemplateConfig;
  /** Only this turn of a dialogue, counted from 1. */
  readonly turn?: number | undefined;
  /** Only answers with a reference, or only those without. */
  readonly reference?: boolean | undefined;
  /** Where the template stands in the config. */
  readonly path?: ConfigPath | undefined;
}

/** An answer, as far as it decides what the judge is asked. */
export interface JudgedCase {
  readonly hasReference: boolean;
  readonly dialogue?: DialogueSoFar | undefined;
}

/** What a judge is asked about answers, by what is known of them. */
export interface PromptChoice {
  readonly prompts: readonly JudgePrompt[];
  /** Nothing where no prompt is meant for such an answer. */
  readonly promptFor: (judged: JudgedCase) => JudgePrompt | undefined;
}

/** The first case that an answer falls under. */
export function choosePrompt(
  cases: readonly PromptCase[],
  format: ModelFormat | undefined,
): PromptChoice {
  const compiled = cases.map(({ template, path, ...meant }) => ({
    ...meant,
    prompt: compileJudgePrompt({ promptTemplate: template, format, path }),
  }));
  return {
    prompts: compiled.map(({ prompt }) => prompt),
    promptFor: ({ hasReference, dialogue }) => {
      const current = (dialogue?.before.length ?? 0) + 1;
      return compiled.find(
        ({ turn = current, reference = hasReference }) =>
          turn === current && reference === hasReference,
      )?.prompt;
    },
  };
}

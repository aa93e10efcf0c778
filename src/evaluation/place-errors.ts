import { atPlace, type ConfigPath, TemplateError } from '../errors.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';

/** The same prompts, whose errors say where the template stands if they do not say more. */
export function placeErrors(prompts: EvaluationPrompts, path: ConfigPath): EvaluationPrompts {
  const { promptOf, traceOf, labelPromptsOf, labelListOf, checkRow, turnsOf, dialogue } = prompts;
  return {
    ...prompts,
    promptOf: (row) => placed(path, () => promptOf(row)),
    traceOf: (row, shots) => placed(path, () => traceOf(row, shots)),
    labelPromptsOf: (row) => placed(path, () => labelPromptsOf(row)),
    labelListOf: (row, label) => placed(path, () => labelListOf(row, label)),
    checkRow: (row) => placed(path, () => checkRow(row)),
    turnsOf: turnsOf && ((row) => placed(path, () => turnsOf(row))),
    dialogue: dialogue && {
      ...dialogue,
      identityOf: (row) => placed(path, () => dialogue.identityOf(row)),
      next: (row, answers) => placed(path, () => dialogue.next(row, answers)),
      traceNext: (row, answers) => placed(path, () => dialogue.traceNext(row, answers)),
    },
  };
}

/** Runs a step; an error of templates that has no place gets this one. */
export function placed<Result>(path: ConfigPath, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof TemplateError) || error.path || error.at) throw error;
    throw atPlace(error, { path });
  }
}

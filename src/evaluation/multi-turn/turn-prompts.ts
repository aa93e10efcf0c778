import type { PositionedRow } from '../../prompt/trace.ts';
import type { EvaluationPrompts, PromptSetup } from '../prompt-setup.ts';
import { compatDialogue } from './compat-dialogue.ts';
import { multiTurnDialogue } from './multi-turn-inference.ts';

/** The prompts of a task whose rows are dialogues: one for each turn. */
export function turnPrompts(task: PromptSetup): EvaluationPrompts {
  const { inference, promptsOf, showsMedia, leadOf } = task.compat
    ? compatDialogue(task)
    : multiTurnDialogue(task);
  const asTurns = ({ id }: PositionedRow) =>
    new TypeError(`row ${id} is a dialogue, and is asked turn by turn`);
  return {
    prepare: undefined,
    mode: 'gen',
    labels: undefined,
    diagnostics: [],
    dialogue: inference,
    turnsOf: promptsOf,
    showsMedia,
    leadOf,
    promptOf: (row) => {
      throw asTurns(row);
    },
    traceOf: (row) => {
      throw asTurns(row);
    },
    labelListOf: (row) => {
      throw asTurns(row);
    },
    labelPromptsOf: () => ({ labels: [], shots: [], dropped: 0, tooLong: false }),
    examplesAt: () => [],
    checkRow: () => [],
    leaksOf: () => [],
  };
}

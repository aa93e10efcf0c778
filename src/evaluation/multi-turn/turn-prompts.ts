import type { PositionedRow } from '../../prompt/trace.ts';
import type { EvaluationPrompts, PromptData, PromptSetup } from '../prompt-setup.ts';
import { chatDialogue } from './chat-dialogue.ts';
import { compatDialogue } from './compat-dialogue.ts';
import { type DialogueTurns, multiTurnDialogue } from './multi-turn-inference.ts';

/** The prompts of a task whose rows are dialogues: one for each turn. */
export function turnPrompts(task: PromptSetup, data: PromptData): EvaluationPrompts {
  const { inference, promptsOf, showsMedia, diagnostics = [] } = dialogueOf(task, data);
  const asTurns = ({ id }: PositionedRow) =>
    new TypeError(`row ${id} is a dialogue, and is asked turn by turn`);
  return {
    prepare: undefined,
    mode: 'gen',
    labels: undefined,
    diagnostics,
    dialogue: inference,
    turnsOf: promptsOf,
    showsMedia,
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

function dialogueOf(task: PromptSetup, data: PromptData): DialogueTurns {
  if (task.compat) return compatDialogue(task);
  return task.inferencer.type === 'ChatInferencer'
    ? chatDialogue(task, data)
    : multiTurnDialogue(task);
}

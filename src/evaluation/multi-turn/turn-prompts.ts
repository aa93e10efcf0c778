import type { PositionedRow } from '../../prompt/trace.ts';
import type { Retriever } from '../../retrieve/retriever.ts';
import { compatDiagnostics } from '../compat-diagnostics.ts';
import { askedRow, shotAt } from '../compat-prompts.ts';
import type { EvaluationPrompts, PromptData, PromptSetup } from '../prompt-setup.ts';
import { chatDialogue } from './chat-dialogue.ts';
import { isOfTurns } from './chat-of-row.ts';
import { compatDialogue } from './compat-dialogue.ts';
import { type DialogueTurns, multiTurnDialogue } from './multi-turn-inference.ts';

/** The prompts of a task whose rows are dialogues: one for each turn. */
export function turnPrompts(
  task: PromptSetup,
  data: PromptData,
  retriever?: Retriever,
): EvaluationPrompts {
  const dialogue = dialogueOf(task, data, retriever);
  const { inference, promptsOf, showsMedia, leadOf, diagnostics = [] } = dialogue;
  const asTurns = ({ id }: PositionedRow) =>
    new TypeError(`row ${id} is a dialogue and is asked turn by turn`);
  return {
    prepare: retriever?.prepare,
    mode: 'gen',
    labels: undefined,
    diagnostics,
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
    checkRow: dialogue.checkRow ?? (() => []),
    leaksOf: () => [],
  };
}

function dialogueOf(task: PromptSetup, data: PromptData, retriever?: Retriever): DialogueTurns {
  if (task.compat) {
    const dialogue = compatDialogue(task, {
      askedOf: askedRow(task, data),
      shotsOf: (query) => (retriever?.(query) ?? []).map((id) => shotAt(data, id, task)),
    });
    return { ...dialogue, diagnostics: compatDiagnostics(task, data) };
  }
  const isChat = task.inferencer.type === 'ChatInferencer' && !isOfTurns(task, data);
  return isChat ? chatDialogue(task, data) : multiTurnDialogue(task, data);
}

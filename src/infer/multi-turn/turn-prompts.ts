import { type PromptTask, rowAt, type TaskData, type TaskPrompts } from '../prompt-task.ts';
import { compatDialogue } from './compat-dialogue.ts';
import { multiTurnDialogue } from './multi-turn-inference.ts';

/** The prompts of a task whose rows are dialogues: one for each turn. */
export function turnPrompts(task: PromptTask, data: TaskData): TaskPrompts {
  const dialogue = task.compat ? compatDialogue(task) : multiTurnDialogue(task);
  const queryAt = (index: number) => ({ ...rowAt(data, index), index });
  return {
    prepare: undefined,
    mode: 'gen',
    labels: undefined,
    diagnostics: [],
    dialogue: dialogue.inference,
    turnsOf: dialogue.promptsOf,
    showsMedia: dialogue.showsMedia,
    shotsOf: () => [],
    promptOf: (query) => {
      const [prompt] = dialogue.promptsOf(query);
      if (!prompt) throw new RangeError(`row ${query.id} has no turns`);
      return { prompt, dropped: 0 };
    },
    labelPromptsOf: () => ({ labels: [], dropped: 0 }),
    fill: (index) => dialogue.promptsOf(queryAt(index)),
    trace: (index) => dialogue.traceOf(queryAt(index)),
    checkRow: () => [],
    leaksOf: () => [],
  };
}

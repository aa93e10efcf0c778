import type { Prompt } from '../../prompt/prompt.ts';
import type { Row } from '../../prompt/values.ts';
import { isTooLong } from '../fit-context.ts';
import type { TurnRequest } from '../inference.ts';
import type { PromptSetup } from '../prompt-setup.ts';

interface AskedTurn {
  readonly turn: number;
  readonly prompt: Prompt;
  readonly row: Row;
  /** Whether later turns show what the model said in earlier ones. */
  readonly followsModel: boolean;
}

/** What a turn of a dialogue is asked, with the limit of its own if turns have several. */
export function turnRequest(
  { inferencer: { maxOutLens }, context }: Pick<PromptSetup, 'inferencer' | 'context'>,
  { turn, prompt, row, followsModel }: AskedTurn,
): Omit<TurnRequest, 'row' | 'gold' | 'dialogue'> {
  return {
    kind: 'turn',
    name: turn + 1,
    followsAnswers: followsModel && turn > 0,
    shots: [],
    request: {
      type: 'generate',
      prompt,
      maxOutLen: maxOutLens?.[Math.min(turn, maxOutLens.length - 1)],
    },
    dropped: 0,
    tooLong: isTooLong(prompt, { row, context }),
  };
}

import type { Flip, FlipSide, FlipTurn } from '../../study/compare/comparison.ts';

/** A text of a changed row, as both runs have it. */
export interface FlipText {
  readonly title: string;
  readonly a: string;
  readonly b: string;
}

/** What a changed row was asked and answered; of a dialogue turn by turn. */
export function flipTexts({ a, b }: Flip): FlipText[] {
  const [left, right] = [turnsOf(a), turnsOf(b)];
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names]
    .sort((one, other) => one - other)
    .flatMap((name) => {
      const [ofA, ofB] = [left.get(name), right.get(name)];
      const of = name === whole ? '' : ` of turn ${name}`;
      // Of later prompts what is new is shown, and not what was said before.
      const after = name > 1 ? ` after turn ${name - 1}` : '';
      // A prompt that is not known is not shown as an empty one.
      const isKnown = [ofA, ofB].every((turn) => !turn || turn.prompt !== undefined);
      return [
        ...(isKnown
          ? [{ title: `Prompt${of}${after}`, a: ofA?.prompt ?? '', b: ofB?.prompt ?? '' }]
          : []),
        { title: `Answer${of}`, a: ofA?.answer ?? '', b: ofB?.answer ?? '' },
      ];
    });
}

const whole = 0;

/** The turns of a row by their numbers; a row that is none has one. */
function turnsOf({
  prompt,
  answer,
  turns,
}: FlipSide): Map<number, Pick<FlipTurn, 'prompt' | 'answer'>> {
  if (!turns) return new Map([[whole, { prompt, answer }]]);
  return new Map(turns.map((turn) => [turn.name, turn]));
}

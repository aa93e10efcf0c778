import type { Row } from '../../prompt/values.ts';
import type { ScoreInput, Scorer } from '../../score/scorer.ts';

/**
 * A judge whose prompt may stand in the rows: OpenCompass fills columns that hold places for answers,
 * such as `{prediction_r1}`, with them.
 */
export function refilledJudge(scorer: Scorer): Scorer {
  const { scoreLater } = scorer;
  if (!scoreLater || !scorer.judge) return scorer;
  return {
    ...scorer,
    scoreLater: (input, signal, stop) =>
      scoreLater({ ...input, row: refilled(input) }, signal, stop),
  };
}

const place = /\{prediction(?:_r(\d+))?\}/g;

function refilled({ row, dialogue, answer }: ScoreInput): Row {
  const said = [...(dialogue?.before ?? []).map((turn) => turn.answer), answer.answer];
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string'
        ? value.replace(place, (written, turn?: string) =>
            turn === undefined ? answer.answer : (said[Number(turn) - 1] ?? written),
          )
        : value,
    ]),
  );
}

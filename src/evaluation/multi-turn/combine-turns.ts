import { isRight, type RowScore } from '../../score/scorer.ts';
import type { CombinedRow, ScoredPart } from '../inference.ts';

/**
 * The score of a dialogue: the mean over its turns. A turn that could not be scored leaves the
 * dialogue unscored. Beside it stand the score of each turn, and whether all turns are right.
 */
export function combineTurns(parts: readonly ScoredPart[]): CombinedRow {
  const text = parts.at(-1)?.text ?? '';
  return { text, score: scoreOf(parts) };
}

function scoreOf(parts: readonly ScoredPart[]): RowScore {
  const metrics: Record<string, number> = {};
  let sum = 0;
  for (const { name, score } of parts) {
    if (score.type === 'unscored') return { ...score, reason: `turn ${name}: ${score.reason}` };
    metrics[`turn_${name}`] = score.value;
    sum += score.value;
  }
  const value = sum / parts.length;
  metrics.all_turns = Number(parts.every(({ score }) => score.type === 'scored' && isRight(score)));
  const last = parts.at(-1)?.score;
  return {
    type: 'scored',
    value,
    extracted: last?.type === 'scored' ? last.extracted : '',
    compared: last?.type === 'scored' ? last.compared : { got: '', want: '' },
    metrics,
  };
}

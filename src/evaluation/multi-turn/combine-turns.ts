import { meanMetrics } from '../../score/repeats/mean-metrics.ts';
import { joinTurns } from '../../score/repeats/pool-turns.ts';
import { isGrade, isRight, isScoredWithLast } from '../../score/row-score.ts';
import type { RowScore, Scored } from '../../score/scorer.ts';
import type { CombinedRow, ScoredPart } from '../inference.ts';

/**
 * The score of a dialogue: the mean over its turns, or that of the last turn where it is judged as a
 * whole. A turn that could not be scored leaves the dialogue unscored; the scores of its other turns
 * stand. Beside the score of a dialogue stand those of its turns, whether all turns are right where all are asked, and
 * the means of what else was measured. Measures of the whole dataset take every turn as a row.
 */
export function turnCombiner(
  inferencer: DialogueInferencer,
): (parts: readonly ScoredPart[]) => CombinedRow {
  const asked = turnsAsked(inferencer);
  return (parts) => ({ text: parts.at(-1)?.text ?? '', score: scoreOf(parts, asked) });
}

export interface DialogueInferencer {
  readonly type?: string | undefined;
  readonly inferMode?: string | undefined;
}

/** The originals' own defaults. */
export function inferModeOf({ type, inferMode }: DialogueInferencer): string {
  return inferMode ?? (type === 'ChatInferencer' ? 'last' : 'every');
}

/** Whether all turns of a dialogue are asked, or the last one alone. */
export function turnsAsked(inferencer: DialogueInferencer): 'every' | 'last' {
  return inferModeOf(inferencer) === 'last' ? 'last' : 'every';
}

function scoreOf(parts: readonly ScoredPart[], asked: 'every' | 'last'): RowScore {
  const isWhole = parts.some(({ score }) => isScoredWithLast(score) || score.ofWhole);
  const turns: Record<string, number> = {};
  const scored: Scored[] = [];
  let unscored: Extract<RowScore, { type: 'unscored' }> | undefined;
  for (const { name, score } of parts) {
    if (isScoredWithLast(score)) continue;
    if (score.type === 'unscored') {
      unscored ??= { ...score, reason: `turn ${name}: ${score.reason}` };
      continue;
    }
    turns[`turn_${name}`] = score.value;
    scored.push(score);
  }
  if (unscored) return { ...unscored, ...(!isWhole && { metrics: turns }) };
  const areRight = scored.some(isGrade) ? null : scored.every(isRight);
  const last = scored.at(-1);
  return {
    type: 'scored',
    value: scored.reduce((sum, { value }) => sum + value, 0) / scored.length,
    isRight: areRight,
    extracted: last?.extracted ?? '',
    compared: last?.compared ?? { got: '', want: '' },
    ...joinTurns(scored),
    metrics: {
      ...(!isWhole && turns),
      ...(!isWhole && asked === 'every' && areRight !== null && { all_turns: Number(areRight) }),
      ...meanMetrics(scored),
    },
  };
}

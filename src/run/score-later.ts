import { CostLimitError, JudgeError } from '../errors.ts';
import { judgeFailed } from '../score/row-score.ts';
import type { RowScore, Scorer } from '../score/scorer.ts';
import { ownTurn } from './own-turn.ts';
import { inputOf, type Judged, scorerFailed, scoreWhole } from './score-answer.ts';
import { BoundValue } from './scoring-process/packed.ts';

/** What ends scoring that is waited for. */
export interface ScoringSignals {
  /** Ends requests to judges. */
  readonly signal: AbortSignal;
  /** Ends what is scored in another process, or by functions: the next run does it again. */
  readonly stop: AbortSignal;
  /** Whether answers are kept without being scored, so that a stop is heeded soon. */
  readonly hurries?: () => boolean;
}

/**
 * The score of an answer that has to be waited for: for a judge, a program or another process. Fails
 * where a judge cannot be asked, and where a signal ends it.
 */
export async function scoreReplyLater(
  scorer: Scorer,
  judged: Judged,
  { signal, stop }: ScoringSignals,
): Promise<RowScore> {
  const { scoreLater, recipe } = scorer;
  try {
    if (scoreLater) {
      await ownTurn();
      signal.throwIfAborted();
      return await scoreLater(inputOf(judged), signal, stop);
    }
    stop.throwIfAborted();
    if (!recipe) return scoreWhole(scorer, judged);
    const { scoreApart } = await import('./scoring-process/score-apart.ts');
    return await scoreApart({ recipe, judged }, stop);
  } catch (error) {
    (scoreLater ? signal : stop).throwIfAborted();
    if (stop.aborted && error === stop.reason) throw error;
    if (error instanceof CostLimitError) throw error;
    // What a library's caller put into a row may belong to this process alone.
    if (error instanceof BoundValue) return scoreWhole(scorer, judged);
    if (!(error instanceof JudgeError)) return scorerFailed(error);
    if (error.endsRun) throw error;
    return judgeFailed(error);
  }
}

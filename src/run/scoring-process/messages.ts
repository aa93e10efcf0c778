import type { RowScore, Scorer } from '../../score/scorer.ts';
import type { Judged } from '../score-answer.ts';

/** An answer, and what the scorer is made of. */
export interface ScoringTask {
  readonly recipe: NonNullable<Scorer['recipe']>;
  readonly judged: Judged;
}

/** What the process says of it. */
export interface ScoringNotice {
  readonly score: RowScore;
}

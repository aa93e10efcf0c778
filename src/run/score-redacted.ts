import type { Evaluation } from '../evaluation/evaluation.ts';
import type { RowRequest } from '../evaluation/inference.ts';
import { type Unredacted, unredacted } from '../model/model.ts';
import type { RowScore } from '../score/scorer.ts';
import type { FoundAnswer } from './make-record.ts';
import { type Judged, readReply, scoreReply } from './score-answer.ts';
import { type ScoringSignals, scoreReplyLater } from './score-later.ts';

/** Why an answer has no score that was kept without a secret that it holds. */
export const secretNotKept = 'the answer contains a secret, which is not saved';

interface Scoring extends Pick<Evaluation, 'scorer'> {
  readonly asked: RowRequest;
}

interface RedactedAnswer {
  readonly judged: Judged;
  readonly found: FoundAnswer;
  readonly signals: ScoringSignals;
}

/**
 * The score of an answer that secrets were taken out of: that of the whole answer, if it is still known.
 * Judges and programs are given what is kept.
 */
export async function scoreRedacted(
  { scorer, asked }: Scoring,
  { judged, found: { result }, signals }: RedactedAnswer,
): Promise<RowScore> {
  if (scorer.scoreLater) return scoreReplyLater(scorer, judged, signals);
  const whole = unredacted in result ? result[unredacted]?.() : undefined;
  if (!whole || !('text' in result)) return { type: 'unscored', reason: secretNotKept };
  const { text, reasoning, hide }: Unredacted = whole;
  const reply = readReply(asked, { ...result, text, reasoning }, judged.thinking);
  const said = { ...judged, reply };
  return hide(scoreReply(scorer, said) ?? (await scoreReplyLater(scorer, said, signals)));
}

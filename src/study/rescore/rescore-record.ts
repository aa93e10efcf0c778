import type { Price } from '../../config/config.ts';
import { JudgeError } from '../../errors.ts';
import type { Evaluation, PlannedRequest, RowPlan } from '../../evaluation/evaluation.ts';
import type { CombinedRow, CompositeInference, ScoredPart } from '../../evaluation/inference.ts';
import { rowHash } from '../../evaluation/key.ts';
import type { Row } from '../../prompt/values.ts';
import { factsOf, recordedReply, recordedResult, wholeRecord } from '../../run/make-record.ts';
import { RowCase, turnScores, withVerdicts } from '../../run/row-case.ts';
import {
  isJudgeFailure,
  isScorerFailure,
  type Judged,
  scoredFields,
  scoreReply,
  spokenText,
  toJson,
  withEnding,
} from '../../run/score-answer.ts';
import { scoreReplyLater } from '../../run/score-later.ts';
import { secretNotKept } from '../../run/score-redacted.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RowScore, ScoreInput, Scorer } from '../../score/scorer.ts';
import type { Thinking } from '../../score/split-thought.ts';

/** How the records of an evaluation are scored again. */
export interface Rescoring {
  readonly scorer: Scorer;
  /** The hash of what a record is now scored by; nothing where that is not known. */
  readonly scoringOf: (
    record: RowRecord,
    gold: unknown,
    row: Row | undefined,
  ) => string | undefined;
  /** How a row of several parts is scored where nothing but the record is known. */
  readonly combine?: CompositeInference['combine'] | undefined;
  /** What the judge said of an answer, where it is not to be asked; nothing where it said nothing. */
  readonly repliesTo?: ((record: RowRecord) => Promise<ScoreInput['replies']>) | undefined;
  /** How the model thinks. */
  readonly thinking?: Thinking | undefined;
  /** What its tokens cost. */
  readonly price?: Price | undefined;
  readonly parts: PartLines;
}

/** The lines of the parts of a row. */
export interface PartLines {
  readonly read: (id: number, key: string) => Promise<RowRecord | undefined>;
  readonly write: (record: RowRecord) => void;
}

/** What is known of a row besides its record. */
export interface RescoredRow {
  readonly gold: unknown;
  /** What the row is asked; left out where nothing but the record is known. */
  readonly asked?: { readonly evaluation: Evaluation; readonly plan: RowPlan } | undefined;
}

/**
 * The record with a new score for its answer; nothing if a part of the answer is not in the log any
 * more. A row that failed has no answer, and stays, but for the scores of turns that were answered.
 */
export async function rescoreRecord(
  record: RowRecord,
  { gold, asked }: RescoredRow,
  rescoring: Rescoring,
): Promise<RowRecord | undefined> {
  if (record.outcome === 'failed' && record.parts && record.parts.length > 0)
    return { ...record, metrics: await rescoreTurns(record, asked, rescoring) };
  if (record.outcome === 'failed' || record.answer === undefined) return record;
  const row = asked?.plan.row;
  if (!record.parts) {
    const [planned] = asked?.plan.requests ?? [];
    return rescoreAnswer(record, { gold, row, planned }, rescoring).then(lineOf);
  }
  const whole =
    asked?.evaluation.type === 'composite'
      ? await rescoreCase(new RowCase(asked.evaluation, asked.plan), record, rescoring)
      : await rescoreParts(record, rescoring);
  if (!whole) return undefined;
  const { score, text } = whole;
  const prompt = asked?.plan.promptHash ?? record.prompt;
  return withScore({ ...record, prompt, answer: text }, { score, gold, row }, rescoring);
}

/** The record of a row of several requests whose answers a run kept, and was ended before it wrote the row. */
export async function recordKept(
  { evaluation, plan }: NonNullable<RescoredRow['asked']>,
  rescoring: Rescoring,
): Promise<RowRecord | undefined> {
  if (plan.requests.length === 0) return undefined;
  const whole = new RowCase(evaluation, plan);
  const kept = await takeAgain(whole, { id: whole.id, keyOf: (_, { key }) => key }, rescoring);
  return kept ? wholeRecord(whole, evaluation) : undefined;
}

interface NewScore {
  readonly score: RowScore;
  readonly gold: unknown;
  /** Left out where it is as the record says. */
  readonly row: Row | undefined;
}

function withScore(
  record: RowRecord,
  { score, gold, row }: NewScore,
  { scoringOf }: Rescoring,
): RowRecord {
  const read = row ? { ...record, row: rowHash(row) } : record;
  const scoring = isScorerFailure(score) ? undefined : scoringOf(read, gold, row);
  // The parts of a row end each in its own way.
  const finish = read.parts ? undefined : read.finish;
  return { ...read, ...scoredFields(score, gold, finish), scoring };
}

interface AskedAnswer extends Omit<NewScore, 'score'>, Pick<ScoreInput, 'dialogue'> {
  /** What the answer is an answer to, where that is known. */
  readonly planned?: Pick<PlannedRequest, 'asked' | 'promptHash'> | undefined;
}

interface RescoredAnswer {
  readonly record: RowRecord;
  readonly score: RowScore;
}

const lineOf = ({ record }: RescoredAnswer): RowRecord => record;

/** A line with a score of its own: a row of one request, or a part of one. */
async function rescoreAnswer(
  record: RowRecord,
  { gold, row, planned, dialogue }: AskedAnswer,
  rescoring: Rescoring,
): Promise<RescoredAnswer> {
  const { scorer, repliesTo, thinking } = rescoring;
  const replies = await repliesTo?.(record);
  if (repliesTo && !replies) return { record, score: loggedScore(record) };
  if (record.redacted && !scorer.scoreLater) return keepScore(record, { gold, row }, rescoring);
  const reply = recordedReply(record, planned?.asked, thinking);
  const result = scorer.readsFacts ? recordedResult(record) : undefined;
  const facts = result && factsOf(result, { asked: planned?.asked, price: rescoring.price });
  const known = { row: row ?? {}, gold, replies, dialogue, thinking, facts };
  const rescored = await rescore(scorer, { reply, ...known });
  const score = row ? rescored : withPart(rescored, record, scorer);
  const { text: answer, opened, prefix, label, ties, loglikelihoods } = reply;
  const prompt = planned?.promptHash ?? record.prompt;
  const said = { answer, opened, prefix, label: toJson(label), ties, loglikelihoods };
  const read = { ...record, prompt, ...said };
  return { score, record: withScore(read, { score, gold, row }, rescoring) };
}

/** What a secret was taken out of has the score that it got before that, or none. */
function keepScore(
  record: RowRecord,
  { gold, row }: Omit<NewScore, 'score'>,
  rescoring: Rescoring,
): RescoredAnswer {
  const scoring = rescoring.scoringOf(record, gold, row);
  if (scoring !== undefined && scoring === record.scoring)
    return { record, score: loggedScore(record) };
  const score: RowScore = { type: 'unscored', reason: secretNotKept };
  return { score, record: withScore(record, { score, gold, row }, rescoring) };
}

/** The column that tells which rows have a mean of their own is not known here; the record says which. */
function withPart(score: RowScore, { metrics = {} }: RowRecord, { by }: Scorer): RowScore {
  if (by === undefined || score.type === 'unscored') return score;
  const names = Object.keys(metrics).filter((name) => name.startsWith(`${by}=`));
  const parts = Object.fromEntries(names.map((name) => [name, score.value]));
  return { ...score, metrics: { ...score.metrics, ...parts } };
}

async function rescoreCase(
  whole: RowCase,
  record: RowRecord,
  rescoring: Rescoring,
): Promise<CombinedRow | undefined> {
  return (await takeAgain(whole, answersOf(record), rescoring)) ? whole.combine() : undefined;
}

/** The scores of the turns that a dialogue has answers to, which failed then. */
async function rescoreTurns(
  record: RowRecord,
  asked: RescoredRow['asked'],
  rescoring: Rescoring,
): Promise<RowRecord['metrics']> {
  if (asked?.evaluation.type !== 'composite') {
    const { combine } = rescoring;
    const { parts } = await scoreParts(record, rescoring);
    return combine && parts.length > 0 ? turnScores(combine(parts, record)) : undefined;
  }
  const whole = new RowCase(asked.evaluation, asked.plan);
  if (whole.partAt(0).part?.kind !== 'turn') return undefined;
  await takeAgain(whole, answersOf(record), rescoring);
  return whole.turnScores;
}

const answersOf = ({ id, parts = [] }: RowRecord): TakenRow => ({
  id,
  keyOf: (index) => parts[index],
});

interface TakenRow extends Pick<RowRecord, 'id'> {
  readonly keyOf: (index: number, planned: PlannedRequest) => string | undefined;
}

/** Gives a row its answers with new scores, up to one that the log does not have. Whether it has all. */
async function takeAgain(
  whole: RowCase,
  { id, keyOf }: TakenRow,
  rescoring: Rescoring,
): Promise<boolean> {
  const { parts } = rescoring;
  for (let ready = whole.takeReady(); ready.length > 0; ready = whole.takeReady()) {
    for (const { index, planned } of ready) {
      const key = keyOf(index, planned);
      const line = key === undefined ? undefined : await parts.read(id, key);
      if (!line) return false;
      const { row, gold, dialogue } = planned;
      const known = { row, gold, planned, dialogue };
      const { record, score } = await rescoreAnswer(line, known, rescoring);
      if (record.id === id) parts.write({ ...record, part: whole.nameAt(index) });
      const { answer = '', opened, prefix, finish, ties, redacted, tokens, ms, from } = record;
      const text = spokenText({ text: answer, prefix });
      const spent = from || record.id !== id ? {} : { tokens, ms, isAsked: true };
      const taken = { text, opened, score, key: line.key, finish, ties, redacted, ...spent };
      await whole.take(index, taken);
    }
  }
  return true;
}

/** The same from the lines of the parts alone. */
async function rescoreParts(
  record: RowRecord,
  rescoring: Rescoring,
): Promise<CombinedRow | undefined> {
  const { combine } = rescoring;
  if (!combine) return undefined;
  const { parts, isWhole } = await scoreParts(record, rescoring);
  return isWhole ? withVerdicts(parts, combine(parts, record)) : undefined;
}

/** The parts of a row with new scores, up to one that the log does not have. */
async function scoreParts(
  { id, parts: keys = [] }: RowRecord,
  rescoring: Rescoring,
): Promise<{ readonly parts: readonly ScoredPart[]; readonly isWhole: boolean }> {
  const { parts: lines } = rescoring;
  const parts: ScoredPart[] = [];
  for (const [index, key] of keys.entries()) {
    const line = await lines.read(id, key);
    if (!line) return { parts, isWhole: false };
    const known = { gold: line.gold, row: undefined };
    const { record, score } = await rescoreAnswer(line, known, rescoring);
    if (record.id === id) lines.write(record);
    const text = spokenText({ text: record.answer ?? '', prefix: record.prefix });
    parts.push({
      name: Number(line.part ?? index + 1),
      text,
      score: withEnding(score, line.finish),
    });
  }
  return { parts, isWhole: true };
}

/** The score that a line holds already. */
function loggedScore(record: RowRecord): RowScore {
  const { outcome, score = 0, reason = '', extracted, gold, compared, detail, verdicts } = record;
  if (outcome !== 'scored') return { type: 'unscored', reason, verdicts };
  const [got, want] = compared ?? [String(extracted ?? ''), String(gold ?? '')];
  const { metrics, checks, cell, counts } = record;
  return {
    type: 'scored',
    value: score,
    extracted: String(extracted ?? ''),
    compared: { got, want },
    metrics,
    checks,
    cell,
    counts,
    detail,
    verdicts,
  };
}

async function rescore(scorer: Scorer, judged: Judged): Promise<RowScore> {
  const scored = scoreReply(scorer, judged);
  if (scored) return scored;
  const { signal } = new AbortController();
  const score = await scoreReplyLater(scorer, judged, { signal, stop: signal });
  if (score.type === 'scored' || !isJudgeFailure(score.reason)) return score;
  throw new JudgeError('judge.failed', `Nothing was rescored: ${score.reason}`, {
    endsRun: true,
    hint: 'The folder is unchanged. Rescore once the judge answers.',
  });
}

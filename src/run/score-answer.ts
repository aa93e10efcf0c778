import { chargeWork, doLittleWork, isHeavyWork } from '../base/heavy-work.ts';
import type { MeasuredLabel, RowRequest } from '../evaluation/inference.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import { loglikelihoodsOf } from '../model/loglikelihoods-of.ts';
import type { GenerateResult } from '../model/model.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { Float, formatValue, type Row } from '../prompt/values.ts';
import { isNoLabel } from '../score/create-scorer.ts';
import { begunStatement } from '../score/extract/marked-answer.ts';
import { withLooser } from '../score/looser-reading.ts';
import {
  isRight,
  isScoredWithLast,
  judgeFailure,
  slowPattern,
  thrownText,
} from '../score/row-score.ts';
import type { Measures, RowScore, ScoreInput, Scorer } from '../score/scorer.ts';
import {
  openedThought,
  repeatedPrefix,
  type Stretch,
  splitAnswer,
  type Thinking,
  without,
} from '../score/split-thought.ts';
import type { LoggedLoglikelihood, RowRecord } from './store/row-record.ts';

/** What a model's answer comes down to: a text, or a label that was chosen by loglikelihood. */
export interface Reply {
  readonly text: string;
  readonly reasoning?: string | undefined;
  /** Whether `***` stands in them for a secret. */
  readonly redacted?: true | undefined;
  /** The mark of the thought that was open where the text starts. */
  readonly opened?: string | undefined;
  /** The statement that the prompt ends with, from which the text goes on: `The answer is`. */
  readonly begun?: string | undefined;
  /** Where the text says again what the prompt had it begin with: no part of the answer. */
  readonly prefix?: Stretch | undefined;
  readonly finish?: string | undefined;
  readonly label?: unknown;
  readonly ties?: readonly unknown[] | undefined;
  /** What the label was chosen among. */
  readonly labels?: readonly unknown[] | undefined;
  readonly loglikelihoods?: readonly LoggedLoglikelihood[] | undefined;
  readonly measures?: Measures | undefined;
}

/** Reads an answer as an answer to this request. */
export function readReply(
  asked: RowRequest,
  result: GenerateResult | LoglikelihoodResult,
  thinking?: Thinking,
): Reply {
  if ('text' in result) {
    const { text, reasoning, redacted, finishReason } = result;
    const finish = finishReason === 'stop' ? undefined : finishReason;
    const opened = openedFor(asked, reasoning, thinking);
    const prefix = prefixIn({ text, opened, finish }, asked, thinking);
    return { text, reasoning, redacted, opened, begun: begunFor(asked), prefix, finish };
  }
  if (asked.type !== 'loglikelihood') throw new TypeError('loglikelihoods for a prompt');
  const read = loglikelihoodsOf(asked.texts, result.logprobs);
  const { label, labels, ties, measures } = asked.choose(read);
  return {
    text: label === undefined ? '' : formatValue(label),
    label,
    ties: ties?.map(toJson),
    labels: asked.labels,
    measures,
    loglikelihoods: read.map(({ logprob, tokens, spanning }, index) => ({
      label: toJson(labels[index]?.label),
      value: finiteOrNull(labels[index]?.value ?? Number.NaN),
      log: logOf(labels[index]),
      logprob: finiteOrNull(logprob),
      tokens,
      spanning,
    })),
  };
}

/** A server that sends thoughts apart has ended the one that was open. */
export function openedFor(
  asked: RowRequest,
  reasoning: string | undefined,
  thinking: Thinking | undefined,
): string | undefined {
  if (asked.type !== 'generate' || (reasoning !== undefined && reasoning !== '')) return undefined;
  return openedThought(asked.prompt, thinking, sentPrefix(asked.prompt));
}

/** The statement of an answer that the prompt has begun. */
export function begunFor(asked: RowRequest): string | undefined {
  return asked.type === 'generate' ? begunStatement(asked.prompt) : undefined;
}

/** Some servers, and models, say again what the prompt had the answer begin with. */
export function prefixIn(
  { text, opened, finish }: Pick<Reply, 'text' | 'opened' | 'finish'>,
  asked: RowRequest,
  thinking: Thinking | undefined,
): Stretch | undefined {
  const prefix = asked.type === 'generate' ? sentPrefix(asked.prompt) : undefined;
  if (prefix === undefined) return undefined;
  return repeatedPrefix(text, prefix, { thinking, opened, isCut: finish === 'length' });
}

/** What the prompt ends with that the answer is to go on from. */
export function sentPrefix(prompt: Prompt): string | undefined {
  const { answerPrefix } = prompt;
  const isSent =
    prompt.type === 'text' || prompt.isOpen || prompt.messages.at(-1)?.role === 'assistant';
  return isSent ? answerPrefix : undefined;
}

/** What the model said, but for what the prompt had said already. */
export function spokenText({ text, prefix }: Pick<Reply, 'text' | 'prefix'>): string {
  return without(text, prefix);
}

function logOf({ log }: MeasuredLabel = { value: Number.NaN }): number | null | undefined {
  return log === undefined ? undefined : finiteOrNull(log);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export interface Judged {
  readonly reply: Reply;
  readonly gold: unknown;
  readonly row: Row;
  /** What the judge said of it before. */
  readonly replies?: ScoreInput['replies'];
  readonly dialogue?: ScoreInput['dialogue'];
  readonly facts?: ScoreInput['facts'];
  /** How the model thinks. */
  readonly thinking?: Thinking | undefined;
}

/** What a scorer is given. */
export function inputOf(judged: Judged): ScoreInput {
  const { reply, gold, row, replies, dialogue, thinking, facts } = judged;
  const { reasoning, opened, begun, finish, label, measures, loglikelihoods } = reply;
  const text = spokenText(reply);
  const logprobs = loglikelihoods
    ?.filter(({ label }) => label !== undefined)
    .map(({ log, logprob }) => (log === undefined ? logprob : log) ?? Number.NEGATIVE_INFINITY);
  return {
    answer: splitAnswer(text, reasoning, { thinking, opened, isCut: finish === 'length' }),
    thinking,
    begun,
    gold,
    row,
    label,
    unmeasured: label === undefined ? unmeasuredOf(loglikelihoods) : undefined,
    measures,
    logprobs,
    replies,
    dialogue,
    facts,
  };
}

/** The first label without a token; a text that it is compared with stands after it. */
function unmeasuredOf(loglikelihoods: Reply['loglikelihoods'] = []): unknown {
  let last: unknown;
  for (const { label = last, tokens } of loglikelihoods) {
    if (tokens === 0) return label;
    last = label;
  }
  return undefined;
}

/** Reading a text takes this long at most, in nanoseconds for each character of it. */
const readingNs = 1000;

/** The score of an answer; nothing if it has to be waited for: for a judge, or because it is heavy work. */
export function scoreReply(scorer: Scorer, judged: Judged): RowScore | undefined {
  if (scorer.scoreLater) return undefined;
  if (!scorer.recipe) return scoreWhole(scorer, judged);
  try {
    return doLittleWork(() => {
      chargeWork(readingNs * (judged.reply.text.length + sizeOf(judged.gold)));
      return scoreWhole(scorer, judged);
    });
  } catch (error) {
    if (isHeavyWork(error)) return undefined;
    throw error;
  }
}

function sizeOf(gold: unknown): number {
  if (typeof gold === 'string') return gold.length;
  return Array.isArray(gold) ? gold.reduce<number>((sum, one) => sum + sizeOf(one), 0) : 0;
}

/** The score of an answer, however long that takes. A scorer that fails leaves the row unscored. */
export function scoreWhole(scorer: Scorer, judged: Judged): RowScore {
  try {
    const input = inputOf(judged);
    const score = withLooser(scorer, input, scorer.score(input));
    return withNotALabel(scorer, judged, score);
  } catch (error) {
    if (isHeavyWork(error)) throw error;
    return scorerFailed(error);
  }
}

/** The score, marked if no other label would have got credit either. */
function withNotALabel(scorer: Scorer, { reply, gold, row }: Judged, score: RowScore): RowScore {
  const { labels } = reply;
  if (!labels || score.type !== 'scored' || isRight(score)) return score;
  return isNoLabel(scorer, { gold, row, labels }) ? { ...score, notALabel: true } : score;
}

const failure = 'the scorer failed: ';

/** The score of a row whose scorer failed. */
export function scorerFailed(error: unknown): RowScore {
  return { type: 'unscored', reason: `${failure}${thrownText(error)}` };
}

/** Whether a row has no score because its scorer or its judge failed: the next run scores it again. */
export function isScorerFailure(score: RowScore): boolean {
  return score.type === 'unscored' && saysScorerFailed(score.reason);
}

/** Whether this is why a row has no score. */
export function saysScorerFailed(reason: string): boolean {
  return reason.includes(failure) || reason.includes(slowPattern) || isJudgeFailure(reason);
}

/** Whether rows of this reason wait for their judge. */
export function isJudgeFailure(reason: string): boolean {
  return reason.includes(judgeFailure);
}

export type ScoredFields = Pick<
  RowRecord,
  | 'outcome'
  | 'score'
  | 'extracted'
  | 'reason'
  | 'detail'
  | 'metrics'
  | 'checks'
  | 'skipped'
  | 'cell'
  | 'counts'
  | 'rounds'
  | 'samples'
  | 'unnamed'
  | 'looser'
  | 'insideWord'
  | 'notALabel'
  | 'gold'
  | 'compared'
  | 'verdicts'
>;

/** What a record says of a score. */
export function scoredFields(score: RowScore, gold: unknown, finish?: string): ScoredFields {
  const isScored = score.type === 'scored';
  // Written out: records are made for every row, and copying by spread would be felt.
  return {
    outcome: score.type,
    score: isScored ? score.value : undefined,
    extracted: isScored ? score.extracted : undefined,
    reason: isScored ? undefined : reasonOf(score.reason, finish),
    detail: score.detail,
    metrics: score.metrics,
    checks: score.checks,
    skipped: score.skipped,
    cell: isScored ? score.cell : undefined,
    counts: isScored ? score.counts : undefined,
    rounds: isScored ? score.rounds : undefined,
    samples: isScored ? score.samples : undefined,
    unnamed: isScored ? score.unnamed : undefined,
    looser: score.looser,
    insideWord: isScored ? score.insideWord : undefined,
    notALabel: isScored ? score.notALabel : undefined,
    gold: toJson(gold),
    compared: isScored && !score.checks ? comparedOf(score, gold) : undefined,
    verdicts: score.verdicts,
  };
}

const endings: ReadonlyMap<string, string> = new Map([
  ['length', 'cut off at the length limit'],
  ['content_filter', 'stopped by a content filter'],
  ['error', 'stopped by a server error'],
]);

/** An answer that was cut off may lack what was looked for. */
function reasonOf(reason: string, finish: string | undefined): string {
  const ending = finish === undefined ? undefined : endings.get(finish);
  return ending === undefined || reason.endsWith(ending) ? reason : `${reason}, ${ending}`;
}

/** The score of a part of a row, whose own answer may have been cut off. */
export function withEnding(score: RowScore, finish: string | undefined): RowScore {
  if (score.type === 'scored' || isScoredWithLast(score)) return score;
  return { ...score, reason: reasonOf(score.reason, finish) };
}

function comparedOf(
  { extracted, compared: { got, want } }: Extract<RowScore, { type: 'scored' }>,
  gold: unknown,
): RowRecord['compared'] {
  const isCompared = got !== '' || want !== '';
  if (!isCompared) return undefined;
  const written = typeof gold === 'string' ? gold : gold === undefined ? '' : formatValue(gold);
  return got === extracted && want === written ? undefined : [got, want];
}

/** What JSON has no form for is logged as the text that a prompt would show. */
export function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  return typeof value === 'bigint' || value instanceof Float || value instanceof Map
    ? formatValue(value)
    : value;
}

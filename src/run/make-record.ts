import type { Price } from '../config/config.ts';
import { type Evaluation, goldOf, type PlannedRequest } from '../evaluation/evaluation.ts';
import type { RowRequest } from '../evaluation/inference.ts';
import { rowHash, scoringOf } from '../evaluation/key.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import type { AnswerFacts, RowScore } from '../score/scorer.ts';
import type { Thinking } from '../score/split-thought.ts';
import { clusterOf } from './cluster-of.ts';
import { costOf } from './cost.ts';
import type { Job } from './job.ts';
import type { RowCase } from './row-case.ts';
import {
  begunFor,
  isScorerFailure,
  openedFor,
  prefixIn,
  type Reply,
  readReply,
  scoredFields,
  toJson,
} from './score-answer.ts';
import { labelsIn, type RecordedTokens, type RowRecord } from './store/row-record.ts';
import { restoreLogprobs, storeLogprobs } from './store/stored-logprobs.ts';

/** An answer, and where it comes from if it was not asked for. */
export interface FoundAnswer {
  readonly result: GenerateResult | LoglikelihoodResult;
  readonly from?: RowRecord['from'];
  /** The folder had it before this start. */
  readonly isKept?: true;
}

/** An answer that was read and scored. */
export interface ScoredReply {
  readonly reply: Reply;
  readonly gold: unknown;
  readonly score: RowScore;
}

interface RecordedReply extends ScoredReply, Pick<RowRecord, 'cluster'> {
  readonly scoring: string | undefined;
  readonly shown: ShownExamples;
  /** What the server called the model, if that is to be noted. */
  readonly served?: string | undefined;
}

/** What the log says of the examples in a prompt. */
export type ShownExamples = Pick<RowRecord, 'examples' | 'dropped' | 'tooLong'>;

const noExamples: ShownExamples = {};

/** Which examples a request shows; nothing where there is nothing to say. */
export function shownExamples(
  { shots, dropped, tooLong }: Pick<PlannedRequest, 'shots' | 'dropped' | 'tooLong'>,
  { examplesAt }: Pick<Evaluation, 'examplesAt'>,
): ShownExamples {
  if (shots.length === 0 && dropped === 0 && !tooLong) return noExamples;
  return {
    examples: shots.length > 0 ? examplesAt(shots).map(({ id }) => id) : undefined,
    dropped: dropped > 0 ? dropped : undefined,
    tooLong: tooLong || undefined,
  };
}

/** What the log says of an answer to a request. */
export function recordOf(
  job: Job,
  { result, from }: FoundAnswer,
  { reply, score, gold, scoring, shown, cluster, served }: RecordedReply,
): RowRecord {
  const { usage, totalMs } = result;
  const { id, key, promptHash, row, leak } = job.planned;
  const scored = scoredFields(score, gold, reply.finish);
  // Written out: records are made for every row, and copying by spread would be felt.
  return {
    id,
    key,
    prompt: promptHash,
    outcome: scored.outcome,
    score: scored.score,
    reason: scored.reason,
    detail: scored.detail,
    extracted: scored.extracted,
    metrics: scored.metrics,
    checks: scored.checks,
    skipped: scored.skipped,
    cell: scored.cell,
    counts: scored.counts,
    unnamed: scored.unnamed,
    looser: scored.looser,
    insideWord: scored.insideWord,
    notALabel: scored.notALabel,
    answer: reply.text,
    object: 'text' in result ? result.object : undefined,
    reasoning: reply.reasoning,
    redacted: reply.redacted,
    toolCalls: 'text' in result ? result.toolCalls : undefined,
    steps: 'text' in result ? result.steps : undefined,
    opened: reply.opened,
    begun: reply.begun,
    prefix: reply.prefix,
    label: toJson(reply.label),
    ties: reply.ties,
    loglikelihoods: reply.loglikelihoods,
    logprobs: 'logprobs' in result ? storeLogprobs(result.logprobs) : undefined,
    finish: reply.finish,
    served,
    gold: scored.gold,
    compared: scored.compared,
    verdicts: scored.verdicts,
    row: rowHash(row),
    cluster,
    scoring,
    tokens: usage && tokensOf(usage),
    ms: Math.round(totalMs),
    firstMs: firstMsOf(result),
    attempts: job.attempts > 1 ? job.attempts : undefined,
    from,
    examples: shown.examples,
    dropped: shown.dropped,
    tooLong: shown.tooLong,
    leak,
  };
}

function firstMsOf(result: GenerateResult | LoglikelihoodResult): number | undefined {
  if (!('text' in result) || result.firstTokenMs === undefined) return undefined;
  return Math.round(result.firstTokenMs);
}

/** The log record of a row that took several requests, and has answers to all of them. */
export function wholeRecord(whole: RowCase, evaluation: Evaluation): RowRecord {
  const { score, text } = whole.combine();
  const { row, key, promptHash } = whole.plan;
  const gold = goldOf(evaluation.task, row);
  return {
    id: whole.id,
    key,
    prompt: promptHash,
    history: whole.history,
    ...scoredFields(score, gold),
    answer: text,
    redacted: whole.redacted,
    ties: whole.ties,
    finish: whole.finish,
    finishes: whole.finishes,
    parts: whole.keys,
    tokens: whole.tokens,
    untold: whole.untold,
    ms: whole.ms,
    ...shownExamples(whole.fitted, evaluation),
    row: rowHash(row),
    cluster: clusterOf(row, evaluation.task.clusterBy),
    scoring: isScorerFailure(score) ? undefined : scoringOf(evaluation, whole.plan, gold),
  };
}

/** What a scorer may read of an answer beside its text. */
export function factsOf(
  result: GenerateResult | LoglikelihoodResult,
  { asked, price }: { readonly asked?: RowRequest | undefined; readonly price?: Price | undefined },
): AnswerFacts {
  const { usage, totalMs } = result;
  const {
    object,
    toolCalls = [],
    finishReason = 'stop',
  }: Partial<GenerateResult> = 'text' in result ? result : {};
  const [input, output] = [usage?.inputTokens ?? null, usage?.outputTokens ?? null];
  const cost = input === null || output === null ? undefined : costOf({ input, output }, price);
  return {
    messages: asked?.type === 'generate' ? messagesOf(asked.prompt) : [],
    ...(object && { object }),
    toolCalls,
    finish: finishReason,
    tokens: { input, output },
    latencyMs: Math.round(totalMs),
    cost: cost ?? null,
  };
}

/** What a judge may be shown of an answer that is not there yet: what was asked. */
export function factsBefore(asked: RowRequest): AnswerFacts {
  return factsOf({ text: '', finishReason: 'stop', totalMs: 0 }, { asked });
}

/** A prompt as messages: a text is what the user says. */
function messagesOf(prompt: Prompt): readonly Message[] {
  return prompt.type === 'messages' ? prompt.messages : [{ role: 'user', content: prompt.text }];
}

function tokensOf({
  inputTokens = null,
  outputTokens = null,
  cachedTokens,
}: Nullable<Usage>): RecordedTokens {
  return cachedTokens === undefined || cachedTokens === null
    ? [inputTokens, outputTokens]
    : [inputTokens, outputTokens, cachedTokens];
}

type Nullable<Type> = { readonly [Key in keyof Type]: Type[Key] | null };

/** What was sent for a part that is a turn of a dialogue. */
export function sentMessages({ planned: { asked } }: Job): unknown {
  return asked.type === 'generate' && asked.prompt.type === 'messages'
    ? asked.prompt.messages
    : undefined;
}

/**
 * The answer that a record holds, as the model gave it. Records of earlier versions hold what a row
 * made of loglikelihoods and not what the model said, which is no answer.
 */
export function recordedResult(
  record: RowRecord,
): GenerateResult | LoglikelihoodResult | undefined {
  const { answer, reasoning, finish = 'stop', tokens, ms: totalMs = 0, loglikelihoods } = record;
  const { served } = record;
  const raw = served === undefined ? undefined : { raw: { model: served } };
  const usage = tokens && {
    inputTokens: tokens[0] ?? undefined,
    outputTokens: tokens[1] ?? undefined,
    cachedTokens: tokens[2],
  };
  if (loglikelihoods) {
    const logprobs = restoreLogprobs(record.logprobs);
    return logprobs && { logprobs, ...(usage && { usage }), ...raw, totalMs };
  }
  if (answer === undefined) return undefined;
  const finishReason = finish as GenerateResult['finishReason'];
  return {
    text: answer,
    ...(record.object && { object: true }),
    reasoning,
    ...(record.redacted && { redacted: true }),
    finishReason,
    ...(record.toolCalls && { toolCalls: record.toolCalls }),
    ...(record.steps && { steps: record.steps }),
    ...(usage && { usage }),
    ...raw,
    totalMs,
  };
}

/**
 * What a recorded answer comes down to, as an answer to this request. What a model said of texts is
 * read anew; where it is not kept, or nothing is known of the request, the record has the say.
 */
export function recordedReply(record: RowRecord, asked?: RowRequest, thinking?: Thinking): Reply {
  const said = asked?.type === 'loglikelihood' ? recordedResult(record) : undefined;
  if (asked && said) return readReply(asked, said);
  const { answer: text = '', reasoning, finish, label, ties, loglikelihoods } = record;
  const { metrics, counts } = record;
  const opened = asked ? openedFor(asked, reasoning, thinking) : record.opened;
  const prefix = asked ? prefixIn({ text, opened, finish }, asked, thinking) : record.prefix;
  const begun = asked ? begunFor(asked) : record.begun;
  const [measured] = label === undefined ? (loglikelihoods ?? []) : [];
  const nll = measured?.value ?? Number.POSITIVE_INFINITY;
  const measures = measured && { nll, tokens: measured.tokens, metrics, counts };
  const labels = label === undefined ? undefined : labelsIn(record);
  const { redacted } = record;
  return {
    text,
    reasoning,
    redacted,
    opened,
    begun,
    prefix,
    finish,
    label,
    labels,
    ties,
    loglikelihoods,
    measures,
  };
}

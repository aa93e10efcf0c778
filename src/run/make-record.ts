import { rowHash } from '../evaluation/key.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import type { RowScore } from '../score/scorer.ts';
import type { Job } from './job.ts';
import { type Reply, scoredFields, toJson } from './score-answer.ts';
import type { RowRecord } from './store/row-record.ts';

/** An answer, and where it comes from if it was not asked for. */
export interface FoundAnswer {
  readonly result: GenerateResult | LoglikelihoodResult;
  readonly from?: RowRecord['from'];
}

/** An answer that was read and scored. */
export interface ScoredReply {
  readonly reply: Reply;
  readonly gold: unknown;
  readonly score: RowScore;
}

/** What the log says of an answer to a request. */
export function recordOf(
  job: Job,
  { result, from }: FoundAnswer,
  { reply, score, gold, scoring }: ScoredReply & { readonly scoring: string | undefined },
): RowRecord {
  const { usage, totalMs } = result;
  const { id, key, promptHash, row, dropped, leak } = job.planned;
  const scored = scoredFields(score, gold);
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
    cell: scored.cell,
    counts: scored.counts,
    answer: reply.text,
    reasoning: reply.reasoning,
    label: toJson(reply.label),
    weights: reply.weights,
    finish: reply.finish,
    gold: scored.gold,
    compared: scored.compared,
    verdicts: scored.verdicts,
    row: rowHash(row),
    scoring,
    tokens: usage && [usage.inputTokens, usage.outputTokens],
    ms: Math.round(totalMs),
    attempts: job.attempts > 1 ? job.attempts : undefined,
    from,
    dropped: dropped > 0 ? dropped : undefined,
    leak,
  };
}

/** What was sent for a part that is a turn of a dialogue. */
export function sentMessages({ planned: { asked } }: Job): unknown {
  return asked.type === 'generate' && asked.prompt.type === 'messages'
    ? asked.prompt.messages
    : undefined;
}

/** The answer that a record holds, as the model gave it. */
export function recordedResult(
  record: RowRecord,
): GenerateResult | LoglikelihoodResult | undefined {
  const { answer, reasoning, finish = 'stop', tokens, ms: totalMs = 0, weights } = record;
  const usage = tokens && { inputTokens: tokens[0], outputTokens: tokens[1] };
  if (weights) {
    return {
      weights: weights.map(({ logprob, tokens, spanning }) => ({
        logprob: logprob ?? Number.NEGATIVE_INFINITY,
        tokens,
        spanning,
      })),
      ...(usage && { usage }),
      totalMs,
    };
  }
  if (answer === undefined) return undefined;
  const finishReason = finish as GenerateResult['finishReason'];
  return { text: answer, reasoning, finishReason, ...(usage && { usage }), totalMs };
}

import { contentHash } from '../base/content-hash.ts';
import { JudgeError, ModelError, NotSentError } from '../errors.ts';
import type { JudgeDetails } from '../evaluation/judges.ts';
import { requestKey } from '../evaluation/key.ts';
import type { GenerateRequest, GenerateResult, Model } from '../model/model.ts';
import { waitToRetry } from '../model/with-retries.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Ask } from '../score/judge/judge-scorer.ts';
import type { AskedVerdict, JudgeReply } from '../score/scorer.ts';
import {
  type AnswerParts,
  openedThought,
  repeatedPrefix,
  splitAnswer,
  type Thinking,
  without,
} from '../score/split-thought.ts';
import { isHopeless } from './hopeless.ts';
import { ownTurn } from './own-turn.ts';
import { PacedLine } from './paced-line.ts';
import { sentPrefix } from './score-answer.ts';

/** What a judge said before, by the key of the request. */
export interface VerdictMemory {
  readonly find: (key: string) => Promise<KeptVerdict | undefined>;
  readonly keep: (key: string, result: GenerateResult) => void;
  /** Takes note of a request that goes out. */
  readonly noteSent?: (() => void) | undefined;
}

/** A reply that was there, and whether another run had asked for it. */
export interface KeptVerdict {
  readonly result: GenerateResult;
  readonly from?: 'cache' | undefined;
}

/**
 * Asks a model beside a run, as a judge: at its own pace, each prompt until it is answered, equal
 * ones once. Once it is plain that the judge cannot be asked, it is not asked any more.
 */
export function askJudge(
  model: Model,
  { name, pace, thinking }: JudgeDetails,
  memory: VerdictMemory,
): Ask {
  const identity = contentHash(model.identity);
  const line = new PacedLine(pace);
  const inFlight = new Map<string, { reply: Promise<JudgeReply>; signal: AbortSignal }>();
  const progress = { answered: 0, reused: 0, failed: 0 };
  let ended: JudgeError | undefined;

  const send = async (request: GenerateRequest & { key: string }, signal: AbortSignal) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await line.send(async () => {
          if (ended) throw ended;
          memory.noteSent?.();
          return model.generate(request, { signal });
        }, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof JudgeError || error instanceof NotSentError) throw error;
        const problem = error instanceof ModelError ? error : undefined;
        if (!problem?.retryable || attempt >= pace.maxAttempts) throw failed(error);
        await waitToRetry(problem, { key: request.key, attempt, signal });
      }
    }
  };
  const failed = (error: unknown): JudgeError => {
    progress.failed += 1;
    const endsRun = error instanceof ModelError && isHopeless(error, progress);
    const failure = judgeFailure(name, error, endsRun);
    if (endsRun) ended ??= failure;
    return failure;
  };
  const answer = async (request: GenerateRequest & { key: string }, signal: AbortSignal) => {
    const { key } = request;
    const kept = await memory.find(key);
    if (kept) {
      progress.reused += 1;
      await ownTurn();
      return replyOf(request, kept, thinking);
    }
    const result = await send(request, signal);
    progress.answered += 1;
    memory.keep(key, result);
    await ownTurn();
    return replyOf(request, { result }, thinking);
  };
  return async (prompt, signal) => {
    const body = model.encode({ prompt });
    const key = requestKey(body, identity);
    for (;;) {
      const same = inFlight.get(key);
      if (!same) break;
      try {
        return await same.reply;
      } catch (error) {
        signal.throwIfAborted();
        // Whoever asked for it gave up; that is not the judge's failure.
        if (!same.signal.aborted) throw error;
      }
    }
    const reply = answer({ prompt, body, key }, signal);
    inFlight.set(key, { reply, signal });
    return reply.finally(() => inFlight.delete(key));
  };
}

function replyOf(
  { key, prompt }: GenerateRequest & { key: string },
  { result, from }: KeptVerdict,
  thinking: Thinking | undefined,
): JudgeReply {
  const { text, usage, finishReason } = result;
  const isCut = finishReason === 'length';
  const begun = sentPrefix(prompt);
  const parts = partsOf(prompt, result, thinking);
  const tokens = usage && ([usage.inputTokens ?? null, usage.outputTokens ?? null] as const);
  return {
    text,
    ...(parts && { parts }),
    ...(begun !== undefined && { begun }),
    ...(isCut && { isCut }),
    asked: {
      key,
      ...(tokens && !from && { tokens }),
      ...(from && { from }),
      sent: sentOf(prompt),
      said: text,
      ...(parts && { answer: parts.answer }),
      ...(parts?.unfinishedReasoning && { unfinished: true }),
      ...(begun !== undefined && { begun }),
      ...(isCut && { cut: true }),
    },
  };
}

/** What the judge thought and what it said, where its text alone would be read in another way. */
function partsOf(
  prompt: Prompt,
  { text, reasoning, finishReason }: GenerateResult,
  thinking: Thinking | undefined,
): AnswerParts | undefined {
  const prefix = sentPrefix(prompt) ?? '';
  const opened = openedThought(prompt, thinking, prefix);
  const context = { thinking, opened, isCut: finishReason === 'length' };
  const said = without(text, repeatedPrefix(text, prefix, context));
  const parts = splitAnswer(said, reasoning, context);
  const plain = splitAnswer(text);
  const isSame =
    parts.answer === plain.answer && parts.unfinishedReasoning === plain.unfinishedReasoning;
  return isSame ? undefined : parts;
}

/** A prompt for the log: media are named, not held. */
function sentOf(prompt: Prompt): AskedVerdict['sent'] {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages.map(({ role, content }) => ({ role, content: contentText(content) }));
}

function judgeFailure(name: string, cause: unknown, endsRun: boolean): JudgeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new JudgeError(
    endsRun ? 'judge.unreachable' : 'judge.failed',
    endsRun ? `The judge \`${name}\` cannot be asked: ${reason}` : reason,
    {
      cause,
      endsRun,
      hint: 'The answers are saved; run the same command to judge the rest.',
    },
  );
}

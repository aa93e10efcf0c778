import { randomUUID } from 'node:crypto';
import { checkLength } from '../../model/local/prompt-tokens.ts';
import { writeAnswer } from '../../model/local/write-answer.ts';
import { AnswerTokens } from './answer-tokens.ts';
import { type ChatBody, isContinued } from './bodies.ts';
import { eventStream } from './event-stream.ts';
import { chatLogprobs, type TokenLogprob } from './logprobs.ts';
import { answerSettings, nowSeconds, type ServedModel, usageOf } from './served-model.ts';

/** Answers a request for chat completions. */
export async function answerChat(
  served: ServedModel,
  body: ChatBody,
  signal: AbortSignal,
): Promise<Response> {
  const { messages } = body;
  const open = isContinued(body) && { isOpen: true as const };
  const ids = served.prompts.idsOf({ type: 'messages', messages, ...open });
  checkLength(ids, { contextLength: served.parts.contextLength, room: 1 });
  const settings = answerSettings(body);
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    created: nowSeconds(),
    model: served.name,
  };
  if (!body.stream) {
    const { choices, usage } = await answerAll({ served, body, ids, settings, signal });
    return Response.json({ ...head, object: 'chat.completion', choices, usage });
  }
  return eventStream(async (send, signal) => {
    const isCounted = body.stream_options?.include_usage;
    const chunk = { ...head, object: 'chat.completion.chunk', ...(isCounted && { usage: null }) };
    const sendPiece = (piece: Piece) => send({ ...chunk, choices: [piece] });
    const { usage } = await answerAll({ served, body, ids, settings, signal, send: sendPiece });
    if (isCounted) send({ ...chunk, choices: [], usage });
  }, signal);
}

interface Piece {
  readonly index: number;
  readonly delta: { readonly role?: string; readonly content?: string };
  readonly logprobs: ReturnType<typeof chatLogprobs> | null;
  readonly finish_reason: string | null;
}

interface Task {
  readonly served: ServedModel;
  readonly body: ChatBody;
  readonly ids: Int32Array;
  readonly settings: ReturnType<typeof answerSettings>;
  readonly signal: AbortSignal;
  /** Sends a piece of an answer as soon as it is there. */
  readonly send?: (piece: Piece) => void;
}

async function answerAll(task: Task) {
  const { body, ids } = task;
  const answers = await Promise.all(
    Array.from({ length: body.n ?? 1 }, (_, index) => answerOne(index, task)),
  );
  return {
    choices: answers.map(({ choice }) => choice),
    usage: usageOf(ids.length, answers),
  };
}

async function answerOne(index: number, task: Task) {
  const { served, body, ids, settings, signal, send } = task;
  const { stop, max_completion_tokens, max_tokens, logprobs, top_logprobs = 0 } = body;
  const { pieces } = served.parts.tokenizer;
  const describe = (tokens: readonly TokenLogprob[]) =>
    logprobs ? chatLogprobs(pieces, tokens) : null;
  const sendDelta = (delta: Piece['delta'], tokens: readonly TokenLogprob[] = []) =>
    send?.({ index, delta, logprobs: describe(tokens), finish_reason: null });
  const answerTokens = new AnswerTokens(served.parts, 0);
  const tokens: TokenLogprob[] = [];
  sendDelta({ role: 'assistant', content: '' });
  const { text, finishReason, usage } = await writeAnswer(
    served.parts,
    {
      ids,
      maxTokens: max_completion_tokens ?? max_tokens,
      stop,
      settings,
      choice: index,
      top: logprobs ? top_logprobs : undefined,
    },
    {
      signal,
      onText: (content, written) => {
        const added = answerTokens.take(content, written);
        tokens.push(...added);
        if (content !== '') sendDelta({ content }, added);
      },
    },
  );
  const rest = answerTokens.rest();
  send?.({
    index,
    delta: {},
    logprobs: rest.length > 0 ? describe(rest) : null,
    finish_reason: finishReason,
  });
  return {
    choice: {
      index,
      message: { role: 'assistant', content: text, refusal: null },
      logprobs: describe([...tokens, ...rest]),
      finish_reason: finishReason,
    },
    tokens: usage?.outputTokens ?? 0,
    cached: usage?.cachedTokens ?? 0,
  };
}

import { randomUUID } from 'node:crypto';
import { checkLength } from '../../model/local/prompt-tokens.ts';
import { writeAnswer } from '../../model/local/write-answer.ts';
import { AnswerTokens } from './answer-tokens.ts';
import { type ChatBody, isContinued } from './bodies.ts';
import { eventStream } from './event-stream.ts';
import { chatLogprobs, type TokenLogprob } from './logprobs.ts';
import { checkAnswers, checkTokens } from './request-limits.ts';
import {
  type Asker,
  answerSettings,
  nowSeconds,
  type ServedModel,
  usageOf,
} from './served-model.ts';

/** Answers a request for chat completions. */
export async function answerChat(
  served: ServedModel,
  body: ChatBody,
  asker: Asker,
): Promise<Response> {
  const { n: answers = 1, max_completion_tokens, max_tokens, logprobs, top_logprobs } = body;
  checkAnswers(answers, served.limits, 'n');
  const messages = body.messages.map((message) =>
    message.role === 'developer' ? { ...message, role: 'system' } : message,
  );
  const { contextLength } = served.parts;
  const open = isContinued(body) && { isOpen: true as const };
  const ids = served.prompts.idsOf({ type: 'messages', messages, ...open });
  checkLength(ids, { contextLength, room: 1 });
  const most = max_completion_tokens ?? max_tokens ?? contextLength;
  const answerTokens = Math.min(most, contextLength - ids.length);
  const top = logprobs ? top_logprobs : undefined;
  checkTokens({ answers, promptTokens: ids.length, answerTokens, top }, served.limits);
  const settings = answerSettings(body);
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    created: nowSeconds(),
    model: served.name,
  };
  if (!body.stream) {
    const { choices, usage } = await answerAll({ served, body, ids, settings, asker });
    return Response.json({ ...head, object: 'chat.completion', choices, usage });
  }
  return eventStream(async (send, signal) => {
    const isCounted = body.stream_options?.include_usage;
    const chunk = { ...head, object: 'chat.completion.chunk', ...(isCounted && { usage: null }) };
    const sendPiece = (piece: Piece) => send({ ...chunk, choices: [piece] });
    const own = { ...asker, signal };
    const { usage } = await answerAll({ served, body, ids, settings, asker: own, send: sendPiece });
    if (isCounted) send({ ...chunk, choices: [], usage });
  }, asker.signal);
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
  readonly asker: Asker;
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
  const { served, body, ids, settings, asker, send } = task;
  const { stop, max_completion_tokens, max_tokens, logprobs, top_logprobs = 0 } = body;
  const { pieces } = served.parts.tokenizer;
  const describe = (tokens: readonly TokenLogprob[]) =>
    logprobs ? chatLogprobs(pieces, tokens) : null;
  const sendDelta = (delta: Piece['delta'], tokens: readonly TokenLogprob[] = []) =>
    send?.({ index, delta, logprobs: describe(tokens), finish_reason: null });
  const answerTokens = new AnswerTokens(served.parts, 0);
  const tokens: TokenLogprob[] = [];
  sendDelta({ role: 'assistant', content: '' });
  const { text, finishReason, usage } = await served.queue.use(asker, () =>
    writeAnswer(
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
        signal: asker.signal,
        onText: (content, written) => {
          const added = answerTokens.take(content, written);
          tokens.push(...added);
          if (content !== '') sendDelta({ content }, added);
        },
      },
    ),
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

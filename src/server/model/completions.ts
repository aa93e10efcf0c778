import { randomUUID } from 'node:crypto';
import { checkLength } from '../../model/local/prompt-tokens.ts';
import { writeAnswer } from '../../model/local/write-answer.ts';
import { AnswerTokens } from './answer-tokens.ts';
import type { CompletionBody } from './bodies.ts';
import { echoPrompts } from './echo-prompts.ts';
import { eventStream } from './event-stream.ts';
import { completionLogprobs, type PositionedToken } from './logprobs.ts';
import { promptCount, type ReadPrompt, readPrompts } from './read-prompts.ts';
import { checkAnswers, checkTokens } from './request-limits.ts';
import {
  type Asker,
  answerSettings,
  nowSeconds,
  type ServedModel,
  usageOf,
} from './served-model.ts';
import { characters } from './token-text.ts';

/** Answers a request for text completions. */
export async function answerCompletions(
  served: ServedModel,
  body: CompletionBody,
  asker: Asker,
): Promise<Response> {
  const { n = 1, max_tokens: maxTokens = defaultMaxTokens, logprobs: top } = body;
  checkAnswers(promptCount(body.prompt) * n, served.limits, 'prompt');
  const prompts = readPrompts(served, body.prompt);
  const { contextLength } = served.parts;
  const room = body.max_tokens === 0 ? 0 : 1;
  for (const { ids } of prompts) checkLength(ids, { contextLength, room });
  const promptTokens = prompts.reduce((sum, { ids }) => sum + ids.length, 0);
  const answerTokens = Math.min(maxTokens, contextLength);
  const answers = prompts.length * n;
  checkTokens({ answers, promptTokens, answerTokens, top }, served.limits);
  const settings = answerSettings(body);
  const head = {
    id: `cmpl-${randomUUID()}`,
    object: 'text_completion',
    created: nowSeconds(),
    model: served.name,
  };
  if (!body.stream) {
    const task = { served, body, settings, asker };
    return Response.json({ ...head, ...(await complete(prompts, task)) });
  }
  return eventStream(async (send, signal) => {
    const isCounted = body.stream_options?.include_usage;
    const chunk = { ...head, ...(isCounted && { usage: null }) };
    const sendChoice = (choice: Choice) => send({ ...chunk, choices: [choice] });
    const task = { served, body, settings, asker: { ...asker, signal }, send: sendChoice };
    const { usage } = await complete(prompts, task);
    if (isCounted) send({ ...head, choices: [], usage });
  }, asker.signal);
}

interface Choice {
  readonly index: number;
  readonly text: string;
  readonly logprobs: ReturnType<typeof completionLogprobs> | null;
  readonly finish_reason: string | null;
}

interface Task {
  readonly served: ServedModel;
  readonly body: CompletionBody;
  readonly settings: ReturnType<typeof answerSettings>;
  readonly asker: Asker;
  /** Sends a piece of a choice as soon as it is there. */
  readonly send?: (choice: Choice) => void;
}

async function complete(prompts: readonly ReadPrompt[], task: Task) {
  const { served, body, asker } = task;
  const { n: count = 1, echo, logprobs: top } = body;
  const echoes =
    echo && top !== undefined ? await echoPrompts(served, prompts, { top, ...asker }) : [];
  const answers = await Promise.all(
    prompts.flatMap((prompt, position) =>
      Array.from({ length: count }, (_, choice) =>
        answerOne(
          { prompt, echo: echoes[position] ?? [], choice, index: position * count + choice },
          task,
        ),
      ),
    ),
  );
  const promptTokens = prompts.reduce((sum, { ids }) => sum + ids.length, 0);
  return { choices: answers.map(({ choice }) => choice), usage: usageOf(promptTokens, answers) };
}

interface OneChoice {
  readonly prompt: ReadPrompt;
  readonly echo: readonly PositionedToken[];
  readonly choice: number;
  readonly index: number;
}

const defaultMaxTokens = 16;

async function answerOne({ prompt, echo, choice, index }: OneChoice, task: Task) {
  const { served, body, settings, asker, send } = task;
  const { stop, logprobs: top, max_tokens: maxTokens = defaultMaxTokens } = body;
  const { pieces } = served.parts.tokenizer;
  const describe = (tokens: readonly PositionedToken[]) =>
    top === undefined ? null : completionLogprobs(pieces, tokens);
  const before = body.echo ? prompt.text : '';
  const answerTokens = new AnswerTokens(served.parts, characters(prompt.text));
  const tokens: PositionedToken[] = [];
  if (body.echo) send?.({ index, text: before, logprobs: describe(echo), finish_reason: null });
  const { text, finishReason, usage } = await served.queue.use(asker, () =>
    writeAnswer(
      served.parts,
      { ids: prompt.ids, maxTokens, stop, settings, choice, top },
      {
        signal: asker.signal,
        onText: (text, written) => {
          const added = answerTokens.take(text, written);
          tokens.push(...added);
          if (text !== '') send?.({ index, text, logprobs: describe(added), finish_reason: null });
        },
      },
    ),
  );
  const rest = answerTokens.rest();
  send?.({
    index,
    text: '',
    logprobs: rest.length > 0 ? describe(rest) : null,
    finish_reason: finishReason,
  });
  return {
    choice: {
      index,
      text: before + text,
      logprobs: describe([...echo, ...tokens, ...rest]),
      finish_reason: finishReason,
    },
    tokens: usage?.outputTokens ?? 0,
    cached: usage?.cachedTokens ?? 0,
  };
}

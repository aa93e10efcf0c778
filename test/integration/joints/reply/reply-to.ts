import { echoChoices } from './echo-choices.ts';
import { replyAsJudge } from './reply-as-judge.ts';
import { numberOf, type WireBody } from './wire-body.ts';

interface Reply {
  readonly type: string;
  readonly text: string;
}

interface Form {
  readonly object: string;
  readonly piece: (text: string) => object;
  readonly whole: (text: string) => object;
}

const chat: Form = {
  object: 'chat.completion',
  piece: (content) => ({ delta: { content } }),
  whole: (content) => ({ message: { role: 'assistant', content } }),
};
const text: Form = {
  object: 'text_completion',
  piece: (piece) => ({ text: piece }),
  whole: (whole) => ({ text: whole }),
};

/** The answer of a chat endpoint. */
export function replyToChat(body: WireBody): Reply {
  return reply(body, chat);
}

/** The answer of a completions endpoint: a text, or the likelihood of those that it was sent. */
export function replyToText(body: WireBody): Reply {
  if (!body.echo) return reply(body, text);
  const choices = echoChoices(body);
  return json({ ...envelope(body, text), choices, usage: usageOf(body, choices.length) });
}

function reply(body: WireBody, form: Form): Reply {
  const pieces = answerTo(body).split(/(?<= )/);
  if (body.stream) return events(body, form, pieces);
  const choice = { index: 0, ...form.whole(pieces.join('')), finish_reason: 'stop' };
  return json({ ...envelope(body, form), choices: [choice], usage: usageOf(body, pieces.length) });
}

/** Every request has an answer of its own, and the same one each time. */
function answerTo(body: WireBody): string {
  if (body.model === 'judge-model') return replyAsJudge(body);
  const number = numberOf(JSON.stringify(body));
  return `The answer is ${'ABCD'[number % 4]}, as ${number} shows.`;
}

function events(body: WireBody, form: Form, pieces: readonly string[]): Reply {
  const event = (part: object) =>
    `data: ${JSON.stringify({ ...envelope(body, form), ...part })}\n\n`;
  const choice = (piece: string, finish_reason: string | null) =>
    event({ choices: [{ index: 0, ...form.piece(piece), finish_reason }] });
  const lines = [
    ...pieces.map((piece) => choice(piece, null)),
    choice('', 'stop'),
    ...(body.stream_options?.include_usage
      ? [event({ choices: [], usage: usageOf(body, pieces.length) })]
      : []),
    'data: [DONE]\n\n',
  ];
  return { type: 'text/event-stream', text: lines.join('') };
}

function envelope({ model }: WireBody, { object }: Form) {
  return { id: 'cmpl-0', object, created: 0, model };
}

function usageOf(body: WireBody, output: number) {
  const input = Math.ceil(JSON.stringify(body.messages ?? body.prompt).length / 4);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function json(value: unknown): Reply {
  return { type: 'application/json', text: JSON.stringify(value) };
}

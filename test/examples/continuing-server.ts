import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { echoChoices } from '../integration/joints/reply/echo-choices.ts';
import type { WireBody } from '../integration/joints/reply/wire-body.ts';

/** What is known of the rows: a question and its answer. */
export type Solved = ReadonlyMap<string, string>;

/** What a judge says, by what is last in its prompt. */
export type Verdicts = ReadonlyMap<string, string>;

interface ContinueBody extends WireBody {
  readonly stop?: readonly string[] | string;
  readonly max_tokens?: number;
}

export interface ContinuingServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Plays a base model that goes on as its prompt does, and a chat model that says the answer. It
 * ends where a stop is, as real servers do: before the answer, if that is where the stop stands.
 */
export async function startContinuingServer(
  solved: Solved,
  verdicts: Verdicts,
): Promise<ContinuingServer> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const body = (await json(request)) as ContinueBody;
    const choices = body.echo ? echoChoices(body) : [answerTo(body, solved, verdicts)];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: '0', object: 'completion', model: body.model, choices }));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(
  { messages, prompt, stop = [] }: ContinueBody,
  solved: Solved,
  verdicts: Verdicts,
) {
  const asked = messages ? textOf(messages.at(-1)?.content) : String(prompt);
  const written = messages
    ? (verdictOn(asked, verdicts) ?? lastQuestion(asked, solved)?.answer ?? '')
    : continuationOf(asked, solved);
  const ends = [stop].flat().map((end) => written.indexOf(end));
  const text = written.slice(0, Math.min(written.length, ...ends.filter((end) => end >= 0)));
  const choice = messages ? { message: { role: 'assistant', content: text } } : { text };
  return { index: 0, ...choice, finish_reason: 'stop' };
}

/** As in the examples of the prompt: what stands between a question and its answer, the answer, and what follows it. */
function continuationOf(prompt: string, solved: Solved): string {
  const asked = lastQuestion(prompt, solved);
  if (!asked) return '';
  const tail = prompt.slice(asked.end);
  const shown = [...solved].find(
    ([question]) => prompt.indexOf(question) < asked.start && prompt.includes(question),
  );
  if (!shown) return `${/\s$/.test(tail) ? '' : ' '}${asked.answer}`;
  const [question, answer] = shown;
  const from = prompt.indexOf(question) + question.length;
  const answered = prompt.indexOf(answer, from);
  const next = [...solved.keys()]
    .map((other) => prompt.indexOf(other, answered))
    .filter((start) => start > 0);
  const before = prompt.slice(from, answered);
  const after = prompt.slice(answered + answer.length, Math.min(...next));
  if (!before.startsWith(tail))
    throw new Error(
      `the prompt ends in ${JSON.stringify(tail)}, its examples have ${JSON.stringify(before)}`,
    );
  return `${before.slice(tail.length)}${asked.answer}${after}${question}`;
}

function verdictOn(prompt: string, verdicts: Verdicts): string | undefined {
  const lastLine = prompt.slice(prompt.lastIndexOf('\n') + 1);
  return [...verdicts].find(([mark]) => lastLine.startsWith(mark) || prompt.startsWith(mark))?.[1];
}

function lastQuestion(text: string, solved: Solved) {
  const found = [...solved].map(([question, answer]) => {
    const start = text.lastIndexOf(question);
    return { start, end: start + question.length, answer };
  });
  return found.filter(({ start }) => start >= 0).sort((a, b) => b.end - a.end)[0];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = content as readonly { readonly text?: string }[];
  return parts.map(({ text = '' }) => text).join('\n');
}

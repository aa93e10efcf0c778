import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { numberOf } from './joints/reply/wire-body.ts';

/** What came in: whom it was for, and all of it. */
export interface AskedBody {
  readonly model: string;
  readonly [key: string]: unknown;
}

type Answer = (body: AskedBody, text: string) => string | { readonly status: number } | Said;

/** An answer that ends otherwise, or comes with thoughts. */
export interface Said {
  readonly content: string;
  readonly finish?: string;
  readonly thoughts?: Readonly<Record<string, string>>;
}

/** A chat endpoint for models and judges, which can go away and come back at the same address. */
export interface JudgeServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: AskedBody[];
  /** How it answers; by default each body has an answer of its own, the same each time. */
  answer: Answer;
  /** Closes the port until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startJudgeServer(): Promise<JudgeServer> {
  let port = 0;
  let server: Server | undefined;
  const listen = async () => {
    server = createServer((request, response) => {
      json(request).then((value) => {
        const body = value as AskedBody;
        judge.asked.push(body);
        const answer = judge.answer(body, JSON.stringify(body.messages ?? body.prompt));
        const failed = typeof answer !== 'string' && 'status' in answer;
        const said = typeof answer === 'string' ? { content: answer } : (answer as Said);
        response.writeHead(failed ? answer.status : 200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(
            failed
              ? { error: { message: 'no verdict today' } }
              : {
                  choices: [
                    {
                      message: { role: 'assistant', content: said.content, ...said.thoughts },
                      text: said.content,
                      finish_reason: said.finish ?? 'stop',
                    },
                  ],
                  usage: { prompt_tokens: 7, completion_tokens: 2 },
                },
          ),
        );
      });
    });
    server.keepAliveTimeout = 0;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const goAway = async () => {
    if (!server) return;
    const closed = once(server, 'close');
    server.closeAllConnections();
    server.close();
    server = undefined;
    await closed;
  };
  const judge: JudgeServer = {
    get url() {
      return `http://127.0.0.1:${port}/v1`;
    },
    asked: [],
    answer: answerByHash,
    goAway,
    comeBack: listen,
    [Symbol.asyncDispose]: goAway,
  };
  await listen();
  return judge;
}

/** Verdicts and answers of all kinds, some of which cannot be read. */
export function answerByHash(body: AskedBody, text: string): string {
  const number = numberOf(JSON.stringify(body));
  if (body.model !== 'judge-model') return `It is ${'ABCD'[number % 4]}, or ${number % 3}.`;
  if (number % 7 === 0) return 'I would rather not say.';
  const reason = `because ${number % 5}`;
  if (/a number from/.test(text)) return JSON.stringify({ reason, grade: 1 + (number % 10) });
  if (/tie/.test(text)) return JSON.stringify({ reason, verdict: ['1', '2', 'tie'][number % 3] });
  return JSON.stringify({ reason, verdict: 'AB'[number % 2] });
}

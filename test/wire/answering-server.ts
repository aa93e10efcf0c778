import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SentBody {
  readonly prompt?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly [setting: string]: unknown;
}

export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  /** What it was sent, in the order in which it came. */
  readonly bodies: SentBody[];
}

/** Starts a server that answers chat and text completions as told, and keeps what it was sent. */
export async function startAnsweringServer(
  answerTo: (body: SentBody) => string,
): Promise<AnsweringServer> {
  const bodies: SentBody[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    const body = (await json(request)) as SentBody;
    bodies.push(body);
    const content = answerTo(body);
    const said = body.messages ? { message: { role: 'assistant', content } } : { text: content };
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const choices = [{ index: 0, ...said, finish_reason: 'stop' }];
    response.end(JSON.stringify({ id: '1', choices, usage }));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

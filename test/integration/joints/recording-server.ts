import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { embedTexts } from './reply/embed-texts.ts';
import { replyToChat, replyToText } from './reply/reply-to.ts';
import type { WireBody } from './reply/wire-body.ts';

/** A request as it came in: the path, and the bytes of the body as text. */
export interface RecordedRequest {
  readonly path: string;
  readonly body: string;
}

export interface RecordingServer extends AsyncDisposable {
  readonly url: string;
  /** What was asked of models, in the order in which it came. */
  readonly requests: readonly RecordedRequest[];
  /** Forgets what was asked. */
  clear(): void;
}

type Reply = (body: WireBody) => { readonly type: string; readonly text: string };

const replies: Readonly<Record<string, Reply>> = {
  '/v1/chat/completions': replyToChat,
  '/v1/completions': replyToText,
  '/v1/embeddings': embedTexts,
};

/** Starts a server that plays OpenAI-compatible models, and keeps what it was sent. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  // Otherwise an idle connection may be closed just as a request is sent on it.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    clear: () => requests.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: RecordedRequest[],
): Promise<void> {
  const path = request.url ?? '';
  const bytes = await buffer(request);
  const reply = Object.hasOwn(replies, path) ? replies[path] : undefined;
  if (!reply || request.method !== 'POST') {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `no such path: ${path}` } }));
    return;
  }
  const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (path !== '/v1/embeddings') requests.push({ path, body });
  const { type, text } = reply(JSON.parse(body));
  response.writeHead(200, { 'content-type': type });
  response.end(text);
}

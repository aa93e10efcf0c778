import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describeParts, type WireMessage } from './describe-parts.ts';

export interface VisionServer extends AsyncDisposable {
  readonly url: string;
  /** What was said in each request: the role and the parts of every message. */
  readonly received: (readonly [string, ...string[]])[][];
}

/** A chat endpoint that sees: it answers with what the last message shows, part by part. */
export async function startVisionServer(): Promise<VisionServer> {
  const received: VisionServer['received'] = [];
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as { messages: WireMessage[] };
    try {
      const seen = messages.map(({ role, content }) => [role, ...describeParts(content)] as const);
      received.push(seen);
      const content = (seen.at(-1) ?? ['']).slice(1).join(' | ');
      const message = { role: 'assistant', content };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: String(error) } }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

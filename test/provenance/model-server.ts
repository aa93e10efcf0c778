import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface ModelServer {
  readonly url: string;
  /** What was sent, in the order in which it came. */
  readonly bodies: readonly string[];
}

type Answer = (body: Readonly<Record<string, unknown>>) => {
  readonly text: string | null;
  readonly usage?: object;
  /** Why the answer ends; `stop` by default. */
  readonly finish?: string;
  /** Of the response; 200 by default. */
  readonly status?: number;
};

/** A model on loopback that keeps what it is sent, for as long as the test runs. */
export async function startModelServer(
  answer: Answer = () => ({ text: '42' }),
): Promise<ModelServer> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const { text: content, usage, status = 200, finish = 'stop' } = answer(JSON.parse(body));
    const choice = { index: 0, message: { role: 'assistant', content }, text: content };
    const choices = [{ ...choice, finish_reason: finish }];
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'x', model: 'served', choices, usage }));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bodies };
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { LocalParts } from '../../model/local/open-local.ts';
import { modelApp } from './model-app.ts';
import { type ServingSettings, servedModel } from './served-model.ts';

export interface ModelServerSettings extends ServingSettings {
  readonly host: string;
  /** Any free one for zero. */
  readonly port: number;
  /** How long a request may take to arrive as a whole; half a minute by default. */
  readonly arrivalMs?: number | undefined;
}

export interface ModelServer {
  readonly url: string;
  /** Takes no more requests, answers those in flight, then lets go of the model. */
  close(): Promise<void>;
}

/** A request that arrives as its connection is closed for being idle is lost: longer than clients keep theirs. */
const idleMs = 65_000;

/** Serves a local model in the way of OpenAI's API. */
export async function startModelServer(
  parts: LocalParts,
  { host, port, arrivalMs = 30_000, ...serving }: ModelServerSettings,
): Promise<ModelServer> {
  const app = modelApp(servedModel(parts, serving), host);
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: arrivalMs,
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: arrivalMs / 4,
      keepAliveTimeout: idleMs,
    },
  }) as Server;
  const endUnfinished = followConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      endUnfinished();
      // Connections of requests in flight would else stay for some seconds after the answer.
      server.keepAliveTimeout = 1;
      await closed;
      await parts.engine.close();
    },
  };
}

/** Gives what ends the connections that have no whole request in flight: nobody waits for their rest. */
function followConnections(server: Server): () => void {
  const open = new Map<Socket, IncomingMessage | undefined>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    open.set(request.socket, request);
    response.once('close', () => {
      if (open.has(request.socket)) open.set(request.socket, undefined);
    });
  });
  return () => {
    for (const [socket, request] of open) if (!request?.complete) socket.destroy();
  };
}

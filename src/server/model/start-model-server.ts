import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { LocalParts } from '../../model/local/open-local.ts';
import { modelApp } from './model-app.ts';
import { type ServingSettings, servedModel } from './served-model.ts';

export interface ModelServerSettings extends ServingSettings {
  readonly host: string;
  /** Any free one for zero. */
  readonly port: number;
}

export interface ModelServer {
  readonly url: string;
  /** Takes no more requests, answers those in flight, then lets go of the model. */
  close(): Promise<void>;
}

/** Serves a local model in the way of OpenAI's API. */
export async function startModelServer(
  parts: LocalParts,
  { host, port, ...serving }: ModelServerSettings,
): Promise<ModelServer> {
  const app = modelApp(servedModel(parts, serving), host);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Connections of requests in flight would else stay for some seconds after the answer.
      server.keepAliveTimeout = 1;
      await closed;
      await parts.engine.close();
    },
  };
}

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { isLoopback } from '../own-names.ts';
import { ServedRuns } from './served-runs.ts';
import { viewerApp } from './viewer-app.ts';

export interface ViewerSettings {
  readonly folders: readonly string[];
  readonly host: string;
  /** Any free one for zero. */
  readonly port: number;
}

export interface Viewer {
  /** The address to open, with the token where one is needed. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the pages of the viewer. Where other machines can reach it, its address holds a token. */
export async function startViewer({ folders, host, port }: ViewerSettings): Promise<Viewer> {
  const pageToken = randomBytes(24).toString('hex');
  const accessToken = isLoopback(host) ? undefined : randomBytes(24).toString('hex');
  const { app, close } = viewerApp(new ServedRuns(folders), { host, pageToken, accessToken });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, port: actual, family } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${name}:${actual}/${accessToken === undefined ? '' : `?token=${accessToken}`}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await close();
    },
  };
}

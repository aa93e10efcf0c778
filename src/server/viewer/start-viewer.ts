import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { isLoopback } from '../own-names.ts';

export interface ViewerSettings {
  readonly folders: readonly string[];
  /** Configs for the workbench. */
  readonly configs?: readonly string[] | undefined;
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
export async function startViewer({
  folders,
  configs = [],
  host,
  port,
}: ViewerSettings): Promise<Viewer> {
  const pageToken = randomBytes(24).toString('hex');
  const accessToken = isLoopback(host) ? undefined : randomBytes(24).toString('hex');
  // The address is there at once; what answers is loaded while somebody opens it.
  const load = async () => {
    const { getRequestListener } = await import('@hono/node-server');
    const { viewerApp } = await import('./viewer-app.ts');
    const { ServedRuns } = await import('./served-runs.ts');
    const { app, close } = viewerApp(new ServedRuns(folders), {
      ...{ host, pageToken, accessToken },
      configs: configs.map((file) => resolve(file)),
    });
    return { listener: getRequestListener(app.fetch), close };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const server = createServer((request, reply) => {
    loaded ??= load();
    loaded.then(
      ({ listener }) => listener(request, reply),
      (error: Error) => reply.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  setTimeout(() => {
    loaded ??= load();
  }, 0).unref();
  const { address, port: actual, family } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${name}:${actual}/${accessToken === undefined ? '' : `?token=${accessToken}`}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await (await loaded)?.close();
    },
  };
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FaultServer, FaultServerStats, PlainFaultServerOptions } from './options.ts';

/** Starts the server in a process of its own, so that it does not share the client's thread. */
export async function startFaultServerProcess(
  options: PlainFaultServerOptions = {},
): Promise<FaultServer> {
  const file = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async stats() {
      child.send('stats');
      const [stats] = (await once(child, 'message')) as [FaultServerStats];
      return stats;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

import { UsageError } from '../base/usage-error.ts';

/** Starts a server, and says so in plain words if its address is taken. */
export async function listenAt<Server>(
  start: () => Promise<Server>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  try {
    return await start();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    throw new UsageError('serve.cannot_listen', `Cannot listen on ${host}:${port} (${code})`, {
      cause,
      hint:
        code === 'EADDRINUSE'
          ? 'Another program uses this port. Choose another --port.'
          : undefined,
    });
  }
}

/** Waits for the first signal to stop; a second one ends the process as usual. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = () => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

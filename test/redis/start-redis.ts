import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Whether this machine has a server to test with; Debian's package is `redis-server`. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

if (!hasRedis) {
  process.stderr.write(
    'Tests of queues are skipped: there is no `redis-server` on this machine.\n',
  );
}

export interface RedisServer extends AsyncDisposable {
  readonly address: string;
  readonly client: Redis;
  /** Kills the server and starts it again with what it kept. */
  restart(): Promise<void>;
}

/** Starts a server of its own on a free port, with what it keeps in a folder of its own. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-redis-'));
  const port = await freePort();
  const [password] = settings.slice(settings.indexOf('--requirepass') + 1);
  const isOpen = !settings.includes('--requirepass') || password === undefined;
  const connection = {
    ...{ host: '127.0.0.1', port, maxRetriesPerRequest: null },
    ...(!isOpen && { password }),
  };
  const client = new Redis({ ...connection, lazyConnect: true });
  client.on('error', () => undefined);
  let child = await start();
  await client.connect().catch(() => undefined);
  return {
    address: `redis://127.0.0.1:${port}`,
    client,
    async restart() {
      await end(child, 'SIGKILL');
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await end(child, 'SIGKILL');
      await rm(folder, { recursive: true });
    },
  };

  async function start(): Promise<ChildProcess> {
    const server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...settings],
      { stdio: 'ignore' },
    );
    const probe = new Redis({ ...connection, retryStrategy: () => 20 });
    probe.on('error', () => undefined);
    while (probe.status !== 'ready' && server.exitCode === null) await sleep(10);
    probe.disconnect();
    return server;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

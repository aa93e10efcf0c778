import type { Redis } from 'ioredis';
import { requirePackage } from '../base/optional-package.ts';
import { UsageError } from '../base/usage-error.ts';

/** BullMQ needs what came with it. */
const oldestVersion = [6, 2] as const;

const connectTimeoutMs = 5000;
const longestPauseMs = 2000;

/** The address of a server without its password, to be shown. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return '***';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Connects to Redis or Valkey, and refuses a server that a queue cannot rely on. */
export async function openRedis(
  address: string,
  { name: connectionName }: { readonly name?: string } = {},
): Promise<Redis> {
  requireAddress(address);
  for (const name of ['bullmq', 'ioredis'] as const) {
    requirePackage({
      name,
      version: name === 'bullmq' ? '6.7.0' : '6.0.0',
      purpose: 'Queues',
      code: 'queue.package_missing',
    });
  }
  const { Redis } = await import('ioredis');
  let isOpen = false;
  const redis = new Redis(address, {
    ...(connectionName !== undefined && { connectionName }),
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: null,
    // Once it was there, it is waited for: it may be restarted.
    retryStrategy: (times) => (isOpen ? Math.min(times * 100, longestPauseMs) : null),
    replyMapping: 'legacy',
  });
  let problem: Error | undefined;
  redis.on('error', (error: Error) => {
    problem = error;
  });
  try {
    await redis.connect();
    // Left to itself, the client goes on with database 0 if there is no such one.
    const { db = 0 } = redis.options;
    if (db !== 0) await redis.select(db);
    requireServer(await redis.info(), address);
  } catch (error) {
    redis.disconnect();
    throw error instanceof UsageError ? error : unreachable(address, problem ?? error);
  }
  isOpen = true;
  return redis;
}

/** The time at the server, in milliseconds: the clocks of those who meet there may differ. */
export async function serverTime(redis: Redis): Promise<number> {
  const [seconds] = await redis.time();
  return Number(seconds) * 1000;
}

function requireAddress(address: string): void {
  const isRedis = URL.canParse(address) && /^rediss?:$/.test(new URL(address).protocol);
  const isDatabase = isRedis && /^\/?\d*$/.test(new URL(address).pathname);
  if (isDatabase && new URL(address).hostname !== '') return;
  throw new UsageError('queue.bad_address', '`--queue` is not a Redis address', {
    hint: 'Write it as redis://127.0.0.1:6379, or rediss://user:password@host:6379/0 with TLS.',
  });
}

function unreachable(address: string, cause: unknown): UsageError {
  const shown = shownAddress(address);
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/DB index is out of range/.test(reason)) {
    return new UsageError('queue.no_database', `${shown}: the server has no such database`, {
      hint: 'Leave the number after the port out, or raise `databases` in the configuration of Redis.',
    });
  }
  if (/NOPERM/.test(reason)) {
    return new UsageError('queue.forbidden', `${shown}: ${plain(reason)}`, {
      hint: 'Allow the user INFO, and all commands on keys that begin with `typecase`.',
    });
  }
  if (/WRONGPASS|NOAUTH|invalid password/i.test(reason)) {
    return new UsageError('queue.unauthorized', `${shown} does not accept the user or password`, {
      hint: 'Put them in the address: redis://user:password@host:6379. Set TYPECASE_QUEUE to keep it off the command line.',
    });
  }
  return new UsageError('queue.unreachable', `${shown} cannot be reached: ${plain(reason)}`, {
    hint: shown.startsWith('rediss:')
      ? 'Does it offer TLS on that port (redis:// is without), with a certificate that this machine trusts (NODE_EXTRA_CA_CERTS adds one)?'
      : 'Is Redis or Valkey running there, without TLS (rediss:// is with it)? `redis-server` starts one on this machine.',
  });
}

function plain(reason: string): string {
  return reason.replace(/^connect\s+/, '');
}

/** What `INFO` says of a server, by name. */
function requireServer(info: string, address: string): void {
  const facts = new Map(
    info.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  const shown = shownAddress(address);
  const version = facts.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestVersion;
  if (major < oldMajor || (major === oldMajor && minor < oldMinor)) {
    throw new UsageError('queue.too_old', `${shown} is Redis ${version}; queues need 6.2`, {
      hint: 'Use a newer Redis, or Valkey.',
    });
  }
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') return;
  throw new UsageError(
    'queue.evicts',
    `${shown} drops keys when memory is short (maxmemory-policy ${policy}): requests would be lost`,
    { hint: 'Set it: `redis-cli config set maxmemory-policy noeviction`.' },
  );
}

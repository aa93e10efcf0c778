import type { Pool as WholePool } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { ConfigPath } from '../errors.ts';
import { AbortWatch, TimeLimit } from './abort-watch.ts';
import { type EndpointPath, endpointAddress } from './endpoint-address.ts';
import type { Endpoint } from './http-errors.ts';
import { gatherSecrets, headerSecret, readApiKey, type Secrets } from './secrets.ts';

/** How an endpoint is reached. */
export interface ConnectionSettings {
  /** With or without `/v1`, or the address of the endpoint itself. */
  readonly baseUrl: string;
  /** Name of the environment variable that holds the API key. */
  readonly apiKeyEnv?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The most connections, and so the most requests in flight at once; 64 by default. */
  readonly connections?: number | undefined;
  /** Time limit of a request from its start to the end of the answer; 10 minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Longer answers are refused; 64 MB by default. */
  readonly maxAnswerBytes?: number | undefined;
  readonly source: ConfigPath;
}

/** An endpoint that can be asked. */
export interface Connection extends Endpoint, Secrets {
  readonly pool: Pick<WholePool, 'dispatch' | 'close'>;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly timeLimit: TimeLimit;
  readonly maxAnswerBytes: number;
  readonly aborts: AbortWatch;
}

const maxConnectMs = 10_000;

/** Opens the connections to an endpoint; none is made before the first request. */
export function connect(settings: ConnectionSettings, endpoint: EndpointPath): Connection {
  const { connections = 64, timeoutMs = 600_000, maxAnswerBytes = 64_000_000 } = settings;
  const address = endpointAddress(settings, endpoint);
  const { origin, path, url } = address;
  const keyPath = [...settings.source, 'api_key_env'];
  const key =
    settings.apiKeyEnv === undefined ? undefined : readApiKey(settings.apiKeyEnv, keyPath);
  const authorization = key === undefined ? address.authorization : `Bearer ${key}`;
  const extra = Object.entries(settings.headers ?? {});
  return {
    path,
    url,
    timeLimit: new TimeLimit(timeoutMs),
    maxAnswerBytes,
    aborts: new AbortWatch(),
    ...gatherSecrets([
      ...address.secrets.map((value) => ({ value })),
      ...(key === undefined ? [] : [{ value: key }]),
      ...extra.map(headerSecret),
    ]),
    headers: {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...Object.fromEntries(extra.map(([name, value]) => [name.toLowerCase(), value])),
    },
    pool: new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: Math.min(timeoutMs, maxConnectMs) },
      // Every exchange has a time limit of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  };
}

import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';

/** Where requests to an endpoint go. */
export interface EndpointAddress {
  readonly origin: string;
  /** Path and parameters as they are sent. */
  readonly path: string;
  /** The whole address, fit to be shown. */
  readonly url: string;
  /** The header that stands for a user name and password in the address. */
  readonly authorization?: string | undefined;
  /** What must never be shown. */
  readonly secrets: readonly string[];
}

export type EndpointPath =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'models'
  | 'files'
  | 'batches';

/** Takes a base URL apart and completes it with `/v1` and the path of the endpoint. */
export function endpointAddress(
  { baseUrl, source }: { readonly baseUrl: string; readonly source: ConfigPath },
  endpoint: EndpointPath,
): EndpointAddress {
  const parsed = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const path = [...source, 'base_url'];
    throw new ConfigError('model.bad_base_url', `${formatPath(path)} is not a web address`, {
      path,
      hint: 'Write it in full, such as `http://127.0.0.1:8000/v1`.',
    });
  }
  const { origin, search, username, password } = parsed;
  const pathname = completePath(parsed.pathname, endpoint);
  const credentials = `${decode(username)}:${decode(password)}`;
  const encoded = Buffer.from(credentials).toString('base64');
  return {
    origin,
    path: pathname + search,
    url: origin + pathname + shownSearch(parsed),
    ...(credentials !== ':' && { authorization: `Basic ${encoded}` }),
    secrets: [
      ...(credentials === ':' ? [] : [encoded, password, decode(password)]),
      // Some services take a key in place of the user name.
      ...(password === '' ? [username, decode(username)] : []),
      ...hiddenParameters(parsed).flatMap(([, value]) => [value, encodeURIComponent(value)]),
    ].filter((secret) => secret !== ''),
  };
}

/** An address without user name, password and the values of parameters that may be secret. */
export function shownUrl(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const parsed = new URL(address);
  return parsed.origin + parsed.pathname + shownSearch(parsed);
}

/** A base that is the address of an endpoint itself stays, or gives way to the one beside it. */
function completePath(basePath: string, endpoint: EndpointPath): string {
  const path = basePath.replace(/\/+$/, '');
  if (path.endsWith('/completions') && endpoint.endsWith('completions')) return path;
  const base = path.replace(/\/(?:(?:chat\/)?completions|embeddings)$/, '');
  const isComplete = base !== path || /\/v\d\w*(\/|$)/.test(base);
  return `${base}${isComplete ? '' : '/v1'}/${endpoint}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hiddenParameters({ searchParams }: URL): [string, string][] {
  return [...searchParams].filter(([name]) => !/^(api-)?version$/i.test(name));
}

function shownSearch(parsed: URL): string {
  const shown = new URLSearchParams(parsed.searchParams);
  for (const [name] of hiddenParameters(parsed)) shown.set(name, '***');
  return shown.size === 0 ? '' : `?${shown}`;
}

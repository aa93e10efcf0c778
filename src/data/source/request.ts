import { DataError } from '../../errors.ts';

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches an address; anything but success, or 304 for a conditional request, is an error. */
export async function request(
  url: string,
  { headers = {}, signal }: RequestOptions = {},
): Promise<Response> {
  const { address, login } = splitLogin(url);
  const allHeaders = { ...login, ...headers };
  const response = await fetch(address, { headers: allHeaders, signal: signal ?? null }).catch(
    (cause) => {
      signal?.throwIfAborted();
      throw networkError(url, cause);
    },
  );
  if (response.ok || response.status === 304) return response;
  await response.body?.cancel();
  throw statusError(url, response.status);
}

/** Fetch takes no user and password in the address. */
function splitLogin(url: string): { address: URL; login: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address, login: {} };
  address.username = '';
  address.password = '';
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address, login: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } };
}

/** The bytes of an answer; a connection that ends too early is an error. */
export async function* readBody(
  url: string,
  response: Response,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  try {
    for await (const chunk of response.body) yield chunk;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    throw new DataError('data.incomplete', `${publicUrl(url)}: the download was interrupted`, {
      hint: 'Try again; the partial file was deleted.',
      cause,
    });
  }
}

/** An address without user, password and query, any of which may be secret. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const hints: Readonly<Record<number, string>> = {
  401: 'Access needs a token: set HF_TOKEN for the hub.',
  403: 'The token does not give access. Have you accepted the terms of the dataset?',
  404: 'Check the address.',
  429: 'The server is limiting requests: try again later.',
};

function statusError(url: string, status: number): DataError {
  const code = status === 404 ? 'data.not_found' : 'data.http_status';
  const fallback = status >= 500 ? 'The server failed: try again later.' : undefined;
  return new DataError(code, `${publicUrl(url)}: the server answered ${status}`, {
    hint: hints[status] ?? fallback,
  });
}

const certificateProblem = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/;

function networkError(url: string, cause: unknown): DataError {
  const reason = reasonOf(cause);
  if (certificateProblem.test(reason)) {
    return new DataError(
      'data.bad_certificate',
      `${publicUrl(url)}: the server's certificate is not trusted (${reason})`,
      { hint: 'Set NODE_EXTRA_CA_CERTS to the file of your certificate authority.', cause },
    );
  }
  return new DataError('data.unreachable', `${publicUrl(url)}: no connection (${reason})`, {
    hint: 'Check the network and the name of the server.',
    cause,
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

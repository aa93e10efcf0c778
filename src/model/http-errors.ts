import { STATUS_CODES } from 'node:http';
import { codeOf } from '../base/files.ts';
import { ModelError } from '../errors.ts';
import { type Headers, retryAfterMs } from './retry-after-header.ts';
import { redact } from './secrets.ts';
import { serverMessage } from './server-message.ts';

/** What errors may say of an endpoint, and what they must not. */
export interface Endpoint {
  readonly url: string;
  readonly secrets: readonly string[];
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The error for an answer that is not a success. */
export function statusError(endpoint: Endpoint, response: ErrorResponse): ModelError {
  const { status, headers, body } = response;
  const { url, secrets } = endpoint;
  const message = serverMessage(body, secrets);
  const phrase = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return new ModelError(
    statusCode(response),
    `${url} answered ${phrase}${message && `: ${message}`}`,
    {
      status,
      url,
      retryable: isRetryable(status) && !isOutOfQuota(body),
      retryAfterMs: retryAfterMs(headers),
      hint: redact(statusHint(response, url), secrets),
    },
  );
}

/** Whether a request that was answered with this status may succeed later. */
export function isRetryable(status: number): boolean {
  return status >= 500 || status === 429 || status === 408 || status === 409 || status === 425;
}

function isOutOfQuota(body: string): boolean {
  return body.includes('insufficient_quota');
}

const filtered = /content[_ -]?(?:filter|policy|management)|ResponsibleAI/i;
const tooLong =
  /context.{0,20}(?:length|size|window)|too long|too many tokens|number of tokens.{0,40}(?:exceed|limit)|tokens? count.{0,40}exceed/i;

function statusCode({ status, body }: ErrorResponse): string {
  if (status < 400) return 'model.redirected';
  if (status === 404) return 'model.not_found';
  if (status === 429) return 'model.rate_limited';
  if (isRetryable(status)) return 'model.server_error';
  if (filtered.test(body)) return 'model.content_filter';
  if (status === 401 || status === 403) return 'model.unauthorized';
  return status === 413 || tooLong.test(body) ? 'model.too_long' : 'model.request_refused';
}

function statusHint(response: ErrorResponse, url: string): string {
  const { headers, body } = response;
  switch (statusCode(response)) {
    case 'model.redirected':
      return redirectHint(url, headers.location);
    case 'model.unauthorized':
      return 'Check the key in the environment variable named by `api_key_env`.';
    case 'model.not_found':
      return 'Check `base_url` and the model name.';
    case 'model.rate_limited':
      if (isOutOfQuota(body)) return 'The account has no quota left.';
      return 'Lower `batch_size`: fewer requests at once.';
    case 'model.server_error':
      return 'The server failed or is overloaded: see its log.';
    case 'model.too_long':
      return 'Use fewer examples, or set `max_seq_len` to drop examples that do not fit.';
    case 'model.content_filter':
      return 'The server blocks such texts; `typecase view` shows what is sent.';
    default:
      return '`typecase view` shows the exact request.';
  }
}

/** A redirect is not followed: it would take the key and the texts to wherever it says. */
function redirectHint(url: string, location: Headers[string]): string {
  const [target] = [location ?? ''].flat();
  const advice = 'Nothing was sent there. If that is the right address, use it as `base_url`.';
  if (target === undefined || target === '' || !URL.canParse(target, url)) {
    return 'It does not say where. Check `base_url`.';
  }
  const { protocol, host, pathname } = new URL(target, url);
  return `The server redirects to ${protocol}//${host}${pathname}. ${advice}`;
}

interface Failure {
  readonly code: string;
  readonly what: string;
  readonly hint: string;
  readonly retryable: boolean;
}

const lost: Failure = {
  code: 'model.connection_lost',
  what: 'closed the connection before the answer was complete',
  hint: 'The server may have crashed or restarted: see its log.',
  retryable: true,
};
const tooSlow: Failure = {
  code: 'model.timeout',
  what: 'did not accept a connection in time',
  hint: 'Check `base_url` and the network.',
  retryable: true,
};
const closed: Failure = {
  code: 'model.closed',
  what: 'was not asked: the model has been closed',
  hint: 'Close a model after its last request.',
  retryable: false,
};

const failures: Readonly<Record<string, Failure>> = {
  ECONNRESET: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: lost,
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  UND_ERR_CLOSED: closed,
  UND_ERR_DESTROYED: closed,
  ECONNREFUSED: {
    code: 'model.connection_refused',
    what: 'refuses connections',
    hint: 'Is the server running, and is the port in `base_url` right?',
    retryable: true,
  },
  ENOTFOUND: {
    code: 'model.unknown_host',
    what: 'cannot be reached: no such host',
    hint: 'Check the host name in `base_url`.',
    retryable: false,
  },
  UND_ERR_INVALID_ARG: {
    code: 'model.bad_request',
    what: 'cannot be asked',
    hint: 'Check `headers` and the API key: they may contain characters that are not allowed in headers.',
    retryable: false,
  },
};

/** The error for a request that got no whole answer. */
export function transportError({ url, secrets }: Endpoint, error: Error): ModelError {
  const code = codeOf(error) ?? '';
  const failure = failures[code] ?? failureLike(error, code);
  const details = redact([code, error.message].filter((part) => part !== '').join(': '), secrets);
  const { what, hint, retryable } = failure ?? {
    what: 'could not be reached',
    hint: 'Check `base_url` and the network.',
    retryable: true,
  };
  return new ModelError(failure?.code ?? 'model.connection_failed', `${url} ${what} (${details})`, {
    url,
    hint,
    retryable,
  });
}

function failureLike({ name, message }: Error, code: string): Failure | undefined {
  if (isTlsCode(code)) return tlsFailure;
  if (name === 'HTTPParserError') return protocolFailure;
  return /out of memory/i.test(message) ? memoryFailure : undefined;
}

const memoryFailure: Failure = {
  code: 'model.out_of_memory',
  what: 'could not be reached: this process has no memory left to send requests',
  hint: 'Free memory, or raise the memory limit of the process (`ulimit -v`, or that of the container).',
  retryable: false,
};

const protocolFailure: Failure = {
  code: 'model.connection_failed',
  what: 'answered with something that is not HTTP',
  hint: 'Check host and port in `base_url`: should it be `https://`, or is another program listening there?',
  retryable: true,
};

const tlsFailure: Failure = {
  code: 'model.certificate',
  what: 'cannot be trusted or does not speak TLS',
  hint: 'Set NODE_EXTRA_CA_CERTS to the file of the certificate authority, or use `http://` if the server has no TLS.',
  retryable: false,
};

function isTlsCode(code: string): boolean {
  return /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_|_SSL_|EPROTO/.test(code);
}

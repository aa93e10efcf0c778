import { ModelError } from '../errors.ts';
import { type Endpoint, isRetryable } from './http-errors.ts';
import { asObject } from './json-value.ts';
import { redact } from './secrets.ts';
import { isWebPage, serverMessage } from './server-message.ts';

/** The error for a successful response that holds no readable answer. */
export function unreadableAnswer(
  { url, secrets }: Endpoint,
  body: string,
  wanted = 'completion',
): ModelError {
  const message = serverMessage(redact(body, secrets).slice(0, 4096), secrets);
  return new ModelError(
    'model.unreadable_answer',
    body === ''
      ? `${url} sent an empty response`
      : `${url} sent a response without a ${wanted}: ${message}`,
    {
      url,
      retryable: true,
      hint: isWebPage(body)
        ? 'Does `base_url` point to the model, rather than to a website or login page?'
        : 'Is the endpoint OpenAI-compatible? See the log of the server.',
    },
  );
}

/** The error for a response whose bytes are no text. */
export function garbledAnswer({ url }: Endpoint): ModelError {
  return new ModelError('model.garbled_answer', `${url} sent a response that is not UTF-8`, {
    url,
    retryable: true,
    hint: 'Something between here and the model damages responses or uses another encoding.',
  });
}

/** The error that a server reports inside a response that began as a success. */
export function reportedError({ url, secrets }: Endpoint, error: unknown): ModelError {
  const code = Number(asObject(error)?.code);
  const status = code >= 400 && code < 600 ? code : undefined;
  return new ModelError(
    'model.reported_error',
    `${url} stopped with an error: ${serverMessage(JSON.stringify({ error }), secrets)}`,
    {
      url,
      status,
      retryable: status === undefined || isRetryable(status),
      hint: 'See the log of the server.',
    },
  );
}

/** The error for a stream that ended before the answer did. */
export function unfinishedAnswer({ url }: Endpoint): ModelError {
  return new ModelError(
    'model.unfinished_answer',
    `${url} ended the stream before the answer was complete`,
    { url, retryable: true, hint: 'The server may have crashed or restarted: see its log.' },
  );
}

/** The error for a response that says of itself that it is a part of one. */
export function partialAnswer({ url }: Endpoint): ModelError {
  return new ModelError(
    'model.unfinished_answer',
    `${url} sent only a part of its answer (206 Partial Content)`,
    { url, retryable: true, hint: 'Something between here and the model cuts responses.' },
  );
}

export function tooLargeAnswer({ url }: Endpoint, maxBytes: number): ModelError {
  return new ModelError(
    'model.answer_too_large',
    `${url} sent a response of more than ${maxBytes.toLocaleString('en')} bytes`,
    { url, retryable: false, hint: 'Limit the answers with `max_out_len`.' },
  );
}

export function slowAnswer({ url }: Endpoint, timeoutMs: number): ModelError {
  return new ModelError(
    'model.timeout',
    `${url} did not finish its answer within ${timeoutMs / 1000} s`,
    { url, retryable: true, hint: 'Raise the time limit, or limit answers with `max_out_len`.' },
  );
}

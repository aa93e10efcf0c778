import { ModelError } from '../errors.ts';
import { unreadableAnswer } from './answer-errors.ts';
import { shownUrl } from './endpoint-address.ts';
import { type Endpoint, statusError, transportError } from './http-errors.ts';
import { asCount, asObject, asText, type JsonObject } from './json-value.ts';
import { redact } from './secrets.ts';

/** The error for a call to a model of the AI SDK that failed. */
export function sdkError({ url, secrets }: Endpoint, thrown: unknown): ModelError {
  const details = asObject(thrown) ?? {};
  const address = asText(details.url);
  const endpoint = { url: address === undefined ? url : shownUrl(address), secrets };
  const status = asCount(details.statusCode);
  const lost = findTransportError(thrown);
  if (lost) return transportError(endpoint, lost);
  if (status === undefined) return providerError(endpoint, details);
  const body = asText(details.responseBody) ?? asText(details.message) ?? '';
  if (status < 300) return unreadableAnswer(endpoint, body);
  return statusError(endpoint, { status, headers: readHeaders(details.responseHeaders), body });
}

function providerError({ url, secrets }: Endpoint, details: JsonObject): ModelError {
  const reason = redact(asText(details.message) ?? 'no reason given', secrets);
  return new ModelError('model.provider_failed', `${url} could not be asked: ${reason}`, {
    url,
    retryable: details.isRetryable === true,
    hint: 'Check the options of the provider package.',
  });
}

/** The network error among the causes of an error. */
function findTransportError(thrown: unknown): Error | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error;
  }
  return undefined;
}

function readHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries(asObject(headers) ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

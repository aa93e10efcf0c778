import { expect, it } from 'vitest';
import { DataError, ModelError } from '../errors.ts';
import { failureKind, lastingKinds } from './failure-kind.ts';
import { statusError } from './http-errors.ts';

const endpoint = { url: 'http://h/v1', secrets: [] };

it.each([
  [400, 'unknown field', 'refused'],
  [422, 'n must be 1', 'refused'],
  [413, '', 'too_long'],
  [
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000",
    'too_long',
  ],
  [400, 'the request exceeds the available context size (4096 tokens)', 'too_long'],
  [400, 'prompt is too long: 214315 tokens > 200000 maximum', 'too_long'],
  [400, 'The input token count (300000) exceeds the maximum number of tokens allowed', 'too_long'],
  [400, '{"error":{"code":"content_filter","message":"filtered"}}', 'content_filter'],
  [400, "The response was filtered due to Azure's content management policy", 'content_filter'],
  [403, 'flagged by our content policy', 'content_filter'],
  [401, 'wrong key', 'auth'],
  [403, 'not yours', 'auth'],
  [404, 'no such model', 'not_found'],
  [429, 'slow down', 'rate_limit'],
  [429, 'insufficient_quota', 'rate_limit'],
  [500, 'content_filter crashed', 'server_error'],
  [503, 'too long a queue', 'server_error'],
  [302, '', 'not_found'],
] as const)('%i %j is %s', (status, body, kind) => {
  expect(failureKind(statusError(endpoint, { status, headers: {}, body }))).toBe(kind);
});

it.each([
  [new ModelError('model.reported_error', '', { retryable: true, status: 429 }), 'rate_limit'],
  [new ModelError('model.reported_error', '', { retryable: true, status: 500 }), 'server_error'],
  [new ModelError('model.reported_error', '', { retryable: true }), 'server_error'],
  [new ModelError('model.reported_error', '', { retryable: false, status: 400 }), 'refused'],
  [new ModelError('model.garbled_answer', '', { retryable: true }), 'bad_response'],
  [new ModelError('model.unheard_of', '', { retryable: true }), 'other'],
  [new DataError('data.missing_column', ''), 'data'],
  [new TypeError(''), 'other'],
  ['thrown', 'other'],
] as const)('%s is %s', (error, kind) => {
  expect(failureKind(error)).toBe(kind);
  expect(lastingKinds.has(failureKind(error))).toBe(kind === 'refused');
});

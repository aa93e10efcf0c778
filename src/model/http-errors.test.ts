import { expect, test } from 'vitest';
import { statusError, transportError } from './http-errors.ts';

const endpoint = { url: 'http://h/v1/completions', secrets: ['s3cret'] };

test.each([
  [301, 'model.redirected', false],
  [400, 'model.request_refused', false],
  [401, 'model.unauthorized', false],
  [403, 'model.unauthorized', false],
  [404, 'model.not_found', false],
  [408, 'model.server_error', true],
  [409, 'model.server_error', true],
  [413, 'model.too_long', false],
  [422, 'model.request_refused', false],
  [425, 'model.server_error', true],
  [429, 'model.rate_limited', true],
  [500, 'model.server_error', true],
  [503, 'model.server_error', true],
  [529, 'model.server_error', true],
])('status %i is %s, retryable: %j', (status, code, retryable) => {
  const error = statusError(endpoint, { status, headers: {}, body: '{"error":"why s3cret"}' });
  expect(error).toMatchObject({ code, retryable, status, url: endpoint.url });
  expect(error.message).toMatch(`http://h/v1/completions answered ${status}`);
  expect(error.message).toMatch(/: why \*\*\*$/);
  expect(error.hint).toBeTruthy();
});

test.each([
  [429, '{"error":{"message":"pay","code":"insufficient_quota"}}', {}, 'no quota', false],
  [400, '{"message":"maximum context length is 2048 tokens"}', {}, 'fewer examples', false],
  [
    308,
    '',
    { location: 'https://h/s3cret' },
    'redirects to https://h/***. Nothing was sent',
    false,
  ],
  [307, '', { location: 'https://u:pw@x.org:81/v2?token=t#t' }, 'to https://x.org:81/v2. ', false],
  [302, '', { location: '/login?next=t' }, 'to http://h/login. ', false],
  [302, '', {}, 'does not say where', false],
])('the hint for %i %s', (status, body, headers, hint, retryable) => {
  const error = statusError(endpoint, { status, headers, body });
  expect(error.hint).toContain(hint);
  expect(error.retryable).toBe(retryable);
});

test.each([
  ['ECONNRESET', 'model.connection_lost', true],
  ['UND_ERR_SOCKET', 'model.connection_lost', true],
  ['ECONNREFUSED', 'model.connection_refused', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'model.timeout', true],
  ['EAI_AGAIN', 'model.connection_failed', true],
  ['HPE_INVALID_CONSTANT', 'model.connection_failed', true],
  ['ENOTFOUND', 'model.unknown_host', false],
  ['CERT_HAS_EXPIRED', 'model.certificate', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'model.certificate', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'model.certificate', false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'model.certificate', false],
  ['UND_ERR_INVALID_ARG', 'model.bad_request', false],
])('%s is %s, retryable: %j', (systemCode, code, retryable) => {
  const cause = Object.assign(new Error('at s3cret'), { code: systemCode });
  const error = transportError(endpoint, cause);
  expect(error).toMatchObject({ code, retryable, url: endpoint.url });
  expect(error.message).toContain(`(${systemCode}: at ***)`);
  expect(error.hint).toBeTruthy();
});

test('a process without memory is not a connection that failed', () => {
  const cause = new RangeError(
    'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory',
  );
  const { code, message, retryable } = transportError(endpoint, cause);
  expect([code, retryable]).toEqual(['model.out_of_memory', false]);
  expect(message).toContain('no memory left');
});

test('an answer that is not HTTP is told as such', () => {
  const error = Object.assign(new Error('Expected HTTP/'), { code: undefined });
  error.name = 'HTTPParserError';
  expect(transportError(endpoint, error).message).toBe(
    'http://h/v1/completions answered with something that is not HTTP (Expected HTTP/)',
  );
});

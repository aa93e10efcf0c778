import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { type EndpointPath, endpointAddress, shownUrl } from './endpoint-address.ts';

const addressOf = (baseUrl: string, endpoint: EndpointPath = 'chat/completions') =>
  endpointAddress({ baseUrl, source: ['models', 0] }, endpoint);

test.each([
  ['http://h:8000', 'http://h:8000/v1/chat/completions'],
  ['http://h:8000/', 'http://h:8000/v1/chat/completions'],
  ['http://h:8000/v1', 'http://h:8000/v1/chat/completions'],
  ['http://h:8000/v1///', 'http://h:8000/v1/chat/completions'],
  ['https://h/api/paas/v4', 'https://h/api/paas/v4/chat/completions'],
  ['https://h/v1beta/openai/', 'https://h/v1beta/openai/chat/completions'],
  ['https://h/proxy', 'https://h/proxy/v1/chat/completions'],
  ['https://h/own/chat/completions', 'https://h/own/chat/completions'],
  ['https://h/v1?api-version=2', 'https://h/v1/chat/completions?api-version=2'],
])('%s leads to %s', (baseUrl, url) => {
  expect(addressOf(baseUrl).url).toBe(url);
  expect(addressOf(baseUrl)).toMatchObject({ secrets: [] });
});

test.each([
  ['http://h/v1', 'completions', 'http://h/v1/completions'],
  ['http://h/v1', 'embeddings', 'http://h/v1/embeddings'],
  ['http://h', 'embeddings', 'http://h/v1/embeddings'],
  ['http://h/v1/embeddings/?key=1', 'embeddings', 'http://h/v1/embeddings?key=***'],
  ['http://h/own/embeddings', 'embeddings', 'http://h/own/embeddings'],
  ['http://h/v1/completions', 'embeddings', 'http://h/v1/embeddings'],
  ['http://h', 'models', 'http://h/v1/models'],
  ['http://h/own/chat/completions', 'models', 'http://h/own/models'],
  ['http://h/own/completions', 'models', 'http://h/own/models'],
] as const)('%s for %s leads to %s', (baseUrl, endpoint, url) => {
  expect(addressOf(baseUrl, endpoint).url).toBe(url);
});

test('secrets in the address are sent but not shown', () => {
  const address = addressOf('https://me:p%40ss@h/v1?api-version=2&key=s%2Fcret');
  expect(address.url).toBe('https://h/v1/chat/completions?api-version=2&key=***');
  expect(address.origin).toBe('https://h');
  expect(address.path).toBe('/v1/chat/completions?api-version=2&key=s%2Fcret');
  expect(address.authorization).toBe(`Basic ${btoa('me:p@ss')}`);
  for (const secret of [btoa('me:p@ss'), 'p%40ss', 'p@ss', 's/cret', 's%2Fcret']) {
    expect(address.secrets).toContain(secret);
  }
});

test('a user name that is no valid encoding is sent as it stands', () => {
  expect(addressOf('http://100%@h').authorization).toBe(`Basic ${btoa('100%:')}`);
});

test.each(['localhost:8000', 'h/v1', 'ftp://h/s3cret', ''])('%j is refused', (baseUrl) => {
  const refused = () => addressOf(baseUrl);
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(
    expect.objectContaining({
      code: 'model.bad_base_url',
      message: 'models[0].base_url is not a web address',
    }),
  );
});

test.each([
  ['https://me:pass@h/v1?token=abc', 'https://h/v1?token=***'],
  ['qwen:latest', 'qwen:latest'],
])('%s is shown as %s', (address, shown) => {
  expect(shownUrl(address)).toBe(shown);
});

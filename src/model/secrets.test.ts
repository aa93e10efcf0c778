import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { type Fault, startFaultServer } from '../../test/fault-server/index.ts';
import { TypecaseError } from '../errors.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import type { Model } from './model.ts';
import { openAiModel } from './openai-model.ts';

const key = 'sk-planted-4f9a81';
const header = 'header-secret-77';
const password = 'pass-secret-88';
const query = 'query/secret-99';
const inAddress = [password, btoa(`me:${password}`), query, encodeURIComponent(query)];
const { signal } = new AbortController();
const request = { prompt: { type: 'text', text: 'x' } } as const;

afterEach(() => vi.unstubAllEnvs());

/** Everything that can be seen of a value, hidden properties and causes included. */
function lookAt(value: unknown): string {
  const shown = inspect(value, { depth: 20, showHidden: true, getters: true });
  const error = value instanceof TypecaseError ? [value.message, value.stack, value.hint] : [];
  return [shown, JSON.stringify(value), ...error].join('\n');
}

const echo = (status: number): Fault => ({
  type: 'status',
  status,
  message: `refused ${[key, header, ...inAddress].join(' and ')}`,
  headers: { location: `https://me:${password}@h/?key=${encodeURIComponent(query)}&k=${key}` },
});
const faults: Fault[] = [
  ...[302, 400, 401, 404, 429, 500].map(echo),
  { type: 'status', status: 500, body: `${'x'.repeat(2040)}${key}${header}${query}` },
  { type: 'late-error', message: `told ${key}` },
  { type: 'reset' },
  { type: 'half-body' },
  { type: 'web-page' },
];

/** Has a model fail, and looks for the secrets it was given in all that can be seen of it. */
async function expectSilence(model: Model, secrets: readonly string[]): Promise<void> {
  const error = await model.generate(request, { signal }).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'ModelError' });
  const seen = [model, model.identity, error].map(lookAt).join('\n');
  for (const secret of secrets) expect(seen).not.toContain(secret);
  await model.close();
}

test.each(faults)('no secret leaks through an endpoint: %j', async (fault) => {
  vi.stubEnv('PLANTED_KEY', key);
  await using server = await startFaultServer({ rules: [{ fault }] });
  const { url } = server;
  const endpoint = { takes: 'messages', model: 'fault', source: [] } as const;
  const withKey = { ...endpoint, apiKeyEnv: 'PLANTED_KEY', headers: { 'X-Extra': header } };
  await expectSilence(openAiModel({ ...withKey, baseUrl: url }), [key, header]);
  await expectSilence(openAiModel({ ...withKey, baseUrl: url, stream: true }), [key, header]);
  const baseUrl = `${url.replace('//', `//me:${password}@`)}/v1?key=${encodeURIComponent(query)}`;
  await expectSilence(openAiModel({ ...endpoint, baseUrl }), inAddress);
});

test.each(faults)('no secret leaks through a provider package: %j', async (fault) => {
  vi.stubEnv('PLANTED_KEY', key);
  await using server = await startFaultServer({ rules: [{ fault }] });
  const model = await aiSdkModel({
    package: '@ai-sdk/openai-compatible',
    model: 'fault',
    apiKeyEnv: 'PLANTED_KEY',
    options: {
      name: 'fault',
      baseURL: `${server.url}/v1`,
      headers: { 'X-Extra': header },
      queryParams: { key: query },
    },
  });
  await expectSilence(model, [key, header, query]);
});

test('the key is sent, and a wrong one is named as the reason without being shown', async () => {
  vi.stubEnv('PLANTED_KEY', ` ${key}\n`);
  await using right = await startFaultServer({ apiKey: key });
  await using wrong = await startFaultServer({ apiKey: 'another' });
  const settings = { takes: 'messages', model: 'm', apiKeyEnv: 'PLANTED_KEY', source: [] } as const;
  const accepted = openAiModel({ ...settings, baseUrl: right.url });
  await expect(accepted.generate(request, { signal })).resolves.toMatchObject({
    finishReason: 'stop',
  });
  const refused = openAiModel({ ...settings, baseUrl: wrong.url });
  await expect(refused.generate(request, { signal })).rejects.toMatchObject({
    code: 'model.unauthorized',
    status: 401,
    retryable: false,
    message: expect.stringMatching(/Incorrect API key provided: Bearer \*\*\*$/),
    hint: expect.stringContaining('api_key_env'),
  });
  await Promise.all([accepted.close(), refused.close()]);
});

test('user name, password and extra headers are sent', async () => {
  await using server = await startFaultServer({ record: true });
  const model = openAiModel({
    takes: 'messages',
    model: 'm',
    baseUrl: server.url.replace('//', '//me:pass@'),
    headers: { 'X-Extra': 'yes' },
    source: [],
  });
  await model.generate(request, { signal });
  expect((await server.stats()).recorded[0]?.headers).toMatchObject({
    authorization: `Basic ${btoa('me:pass')}`,
    'x-extra': 'yes',
  });
  await model.close();
});

test.each(['', '  '])('a key variable that is %j is refused before anything is sent', (value) => {
  vi.stubEnv('PLANTED_KEY', value);
  const settings = { takes: 'text', baseUrl: 'http://h', model: 'm', source: [] } as const;
  expect(() => openAiModel({ ...settings, apiKeyEnv: 'PLANTED_KEY' })).toThrow(
    expect.objectContaining({
      code: 'model.no_api_key',
      message: expect.stringContaining('PLANTED_KEY'),
      hint: expect.stringContaining('export PLANTED_KEY='),
    }),
  );
});

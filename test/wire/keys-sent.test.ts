import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { evaluate } from '../../src/index.ts';

const scratch = await mkdtemp(join(tmpdir(), 'typecase-keys-'));
/** What was asked with which key, by path. */
const asked: [path: string, authorization: string | undefined][] = [];
const server = createServer(async (request, response) => {
  await request.toArray();
  const { pathname } = new URL(request.url ?? '', 'http://h');
  asked.push([pathname, request.headers.authorization]);
  response.setHeader('content-type', 'application/json');
  const message = { role: 'assistant', content: '{"verdict": "CORRECT"}' };
  const answer = { choices: [{ message, finish_reason: 'stop' }], data: [{ id: 'listed' }] };
  response.end(JSON.stringify(answer));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  vi.unstubAllEnvs();
  await rm(scratch, { recursive: true });
});
beforeEach(() => {
  asked.length = 0;
  vi.stubEnv('KEY_ONE', 'key-of-one-1111');
  vi.stubEnv('KEY_TWO', 'key-of-two-2222');
});

const plain = `http://${host}/v1`;
const withPassword = `http://me:pass@${host}/v1`;
const basic = `Basic ${btoa('me:pass')}`;

let folders = 0;
async function run(models: readonly object[], evaluator: object = { type: 'exact' }) {
  const config = {
    models,
    datasets: [
      {
        abbr: 'd',
        rows: [{ q: '1+1', a: '2' }],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator },
      },
    ],
  } as unknown as ConfigInput;
  await evaluate(config, { out: join(scratch, String(folders++)) });
  return asked;
}

const model = { abbr: 'm', type: 'OpenAI', model: 'x', base_url: plain };
const chat = '/v1/chat/completions';

test.each<[string, object, string | undefined]>([
  ['no key', {}, undefined],
  ['a key', { api_key_env: 'KEY_ONE' }, 'Bearer key-of-one-1111'],
  ['a password', { base_url: withPassword }, basic],
  [
    'a key and a password: the key',
    { base_url: withPassword, api_key_env: 'KEY_ONE' },
    'Bearer key-of-one-1111',
  ],
  [
    'a key and a header: the header',
    { api_key_env: 'KEY_ONE', headers: { Authorization: 'Token abcdefgh-123' } },
    'Token abcdefgh-123',
  ],
])('%s', async (_, settings, authorization) => {
  expect(await run([{ ...model, ...settings }])).toEqual([[chat, authorization]]);
});

test.each<[string, object, string | undefined]>([
  ['no key', {}, undefined],
  ['a key', { api_key_env: 'KEY_ONE' }, 'Bearer key-of-one-1111'],
  ['a password', { base_url: withPassword }, basic],
  [
    'a key and a password: the key',
    { base_url: withPassword, api_key_env: 'KEY_ONE' },
    'Bearer key-of-one-1111',
  ],
])('a model is looked up as it is asked: %s', async (_, settings, authorization) => {
  const { model: __, ...unnamed } = model;
  const found = await run([{ ...unnamed, ...settings }]);
  expect(found).toEqual([
    ['/v1/models', authorization],
    [chat, authorization],
  ]);
});

test('models and judges have their own keys', async () => {
  const found = await run(
    [
      { ...model, api_key_env: 'KEY_ONE' },
      { ...model, abbr: 'n', model: 'y', api_key_env: 'KEY_TWO' },
      { ...model, abbr: 'j', model: 'z', judge: true, base_url: `${plain}/judge/v1` },
    ],
    { type: 'judge', model: 'j', question_column: 'q' },
  );
  expect(
    found
      .filter(([path]) => path === chat)
      .map(([, key]) => key)
      .toSorted(),
  ).toEqual(['Bearer key-of-one-1111', 'Bearer key-of-two-2222']);
  const ofJudge = found.filter(([path]) => path.includes('judge'));
  expect(new Set(ofJudge.map(([, key]) => key))).toEqual(new Set([undefined]));
});

test('a provider package is given the key', async () => {
  const sdk = {
    abbr: 'm',
    type: 'AISDK',
    package: '@ai-sdk/openai-compatible',
    model: 'x',
    options: { baseURL: plain, name: 'own' },
    api_key_env: 'KEY_TWO',
  };
  expect(await run([sdk])).toEqual([[chat, 'Bearer key-of-two-2222']]);
});

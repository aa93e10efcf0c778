import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fault, type FaultServer, startFaultServer } from '../../test/fault-server/index.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { type AiSdkModelSettings, aiSdkModel } from './ai-sdk-model.ts';

const { signal } = new AbortController();
const prompt: Prompt = { type: 'text', text: '6 * 7' };

function modelAt({ url }: FaultServer, settings: Partial<AiSdkModelSettings> = {}) {
  return aiSdkModel({
    package: '@ai-sdk/openai-compatible',
    model: 'fault',
    options: { name: 'local', baseURL: `${url}/v1`, apiKey: 'sk-none' },
    ...settings,
  });
}

test('answers, with thoughts, tokens and times', async () => {
  const reasoning = { field: 'reasoning_content', text: '6 sevens' } as const;
  await using server = await startFaultServer({ reasoning });
  const model = await modelAt(server);
  const result = await model.generate({ prompt }, { signal });
  expect(result).toMatchObject({
    text: '42',
    reasoning: '6 sevens',
    finishReason: 'stop',
    usage: { inputTokens: 2, outputTokens: 1, cachedTokens: 1 },
    raw: { id: 'cmpl-5', model: 'fault' },
  });
  expect(result.totalMs).toBeGreaterThan(0);
  expect(model.identity).toEqual({
    type: 'ai-sdk',
    package: '@ai-sdk/openai-compatible',
    model: 'fault',
    options: { name: 'local', baseURL: `${server.url}/v1` },
  });
  await model.close();
});

test('messages and settings arrive, those the SDK does not know included', async () => {
  await using server = await startFaultServer({ record: true });
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '1 + 1' },
    { role: 'assistant', content: '2' },
    { role: 'user', content: '2 + 2' },
  ];
  const model = await modelAt(server, {
    maxOutLen: 9,
    generationKwargs: { top_p: 0.5, min_p: 0.1 },
  });
  await model.generate(
    { prompt: { type: 'messages', messages }, stop: ['\n'], seed: 3, settings: { temperature: 0 } },
    { signal },
  );
  expect((await server.stats()).recorded[0]?.body).toMatchObject({
    messages,
    max_tokens: 9,
    stop: ['\n'],
    seed: 3,
    temperature: 0,
    top_p: 0.5,
    min_p: 0.1,
  });
});

test('requests that are sent alike have one text', async () => {
  await using server = await startFaultServer();
  const model = await modelAt(server, { maxOutLen: 9 });
  const text = model.encode({ prompt });
  expect(model.encode({ prompt, maxOutLen: 9, id: 1 })).toBe(text);
  for (const other of [{ maxOutLen: 8 }, { seed: 1 }, { settings: { min_p: 0.1 } }]) {
    expect(model.encode({ prompt, ...other })).not.toBe(text);
  }
});

test.each<[Fault, object]>([
  [
    { type: 'status', status: 429, headers: { 'retry-after': '2' }, message: 'slow down' },
    {
      code: 'model.rate_limited',
      retryable: true,
      retryAfterMs: 2000,
      message: expect.stringMatching(/completions answered 429 Too Many Requests: slow down$/),
    },
  ],
  [
    { type: 'status', status: 500 },
    { code: 'model.server_error', status: 500, retryable: true },
  ],
  [
    { type: 'status', status: 401 },
    { code: 'model.unauthorized', retryable: false },
  ],
  [{ type: 'reset' }, { code: 'model.connection_lost', retryable: true }],
  [{ type: 'half-body' }, { code: 'model.connection_lost', retryable: true }],
  [{ type: 'invalid-json' }, { code: 'model.unreadable_answer', retryable: true }],
  [{ type: 'web-page' }, { code: 'model.unreadable_answer', retryable: true }],
  [{ type: 'hang' }, { code: 'model.timeout', retryable: true }],
])('%j', async (fault, expected) => {
  await using server = await startFaultServer({ rules: [{ times: 1, fault }] });
  const model = await modelAt(server, { timeoutMs: fault.type === 'hang' ? 60 : 10_000 });
  const failing = model.generate({ prompt }, { signal });
  await expect(failing).rejects.toMatchObject({ name: 'ModelError', ...expected });
  expect(await model.generate({ prompt }, { signal })).toMatchObject({ text: '42' });
});

test('an abort ends all requests at once', async () => {
  await using server = await startFaultServer({ rules: [{ fault: { type: 'hang' } }] });
  const model = await modelAt(server);
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const results = Array.from({ length: 12 }, () =>
    model.generate({ prompt }, options).catch((thrown) => thrown),
  );
  controller.abort('enough');
  expect(await Promise.all(results)).toEqual(Array(12).fill('enough'));
});

test.each<[Prompt, string]>([
  [{ type: 'messages', messages: [{ role: 'tool', content: 'x' }] }, '`tool`'],
  [{ type: 'text', text: 'x', pieces: [[1], 'x'] }, 'token ids'],
])('%j is refused', async (unusable, what) => {
  await using server = await startFaultServer();
  const model = await modelAt(server);
  await expect(model.generate({ prompt: unusable }, { signal })).rejects.toMatchObject({
    code: 'model.prompt_not_supported',
    message: expect.stringContaining(what),
  });
});

describe('packages of the user', () => {
  async function withPackage(source: string): Promise<AsyncDisposable & { folder: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-'));
    const home = join(folder, 'node_modules', 'own-provider');
    await mkdir(home, { recursive: true });
    const about = { name: 'own-provider', type: 'module', exports: { import: './index.js' } };
    await writeFile(join(home, 'package.json'), JSON.stringify(about));
    await writeFile(join(home, 'index.js'), source);
    return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  }

  const provider = (version: string, result: object) => `
    export const createHelper = undefined;
    export const createOther = () => { throw new Error('not this one'); };
    export const createOwnProvider = ({ suffix }) => ({
      languageModel: (modelId) => ({
        specificationVersion: '${version}', provider: 'own.chat', modelId,
        doGenerate: async ({ prompt }) => {
          if (suffix === 'fail') throw new Error('no luck');
          return ${JSON.stringify(result)};
        },
      }),
    });`;
  const result = {
    content: [
      { type: 'reasoning', text: 'r' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    finishReason: 'content-filter',
    usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 4 },
  };

  test('come from the project folder, in version 2 of the specification too', async () => {
    await using own = await withPackage(provider('v2', result));
    const model = await aiSdkModel({ package: 'own-provider', model: 'm', folder: own.folder });
    expect(await model.generate({ prompt }, { signal })).toMatchObject({
      text: 'ab',
      reasoning: 'r',
      finishReason: 'content_filter',
      usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 4 },
    });
  });

  test('may fail in their own way', async () => {
    await using own = await withPackage(provider('v3', result));
    const options = { suffix: 'fail' };
    const settings = { package: 'own-provider', model: 'm', options, folder: own.folder };
    const model = await aiSdkModel(settings);
    await expect(model.generate({ prompt }, { signal })).rejects.toMatchObject({
      code: 'model.provider_failed',
      retryable: false,
      message: 'own-provider (m) could not be reached: no luck',
    });
  });

  test.each([
    ['another specification', provider('v9', {}), 'model.package_version', 'specification v9'],
    ['no provider', 'export const answer = 42;', 'model.package_unusable', 'own-provider'],
  ])('with %s are refused', async (_name, source, code, message) => {
    await using own = await withPackage(source);
    const settings = { package: 'own-provider', model: 'm', folder: own.folder };
    await expect(aiSdkModel(settings)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      retryable: false,
    });
  });

  test('that are missing are named with the command that installs them', async () => {
    await using own = await withPackage('');
    const settings = { package: '@ai-sdk/openai-compatible', model: 'm', folder: own.folder };
    await expect(aiSdkModel(settings)).rejects.toMatchObject({
      code: 'model.package_missing',
      message: expect.stringContaining(own.folder),
      hint: 'Install it: `npm install @ai-sdk/openai-compatible`.',
    });
  });
});

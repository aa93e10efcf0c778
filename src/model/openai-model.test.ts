import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  type Fault,
  type FaultServer,
  selfSignedCertificate,
  startFaultServer,
} from '../../test/fault-server/index.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { type OpenAiModelSettings, openAiModel } from './openai-model.ts';

const never = new AbortController().signal;
const ask = (text: string): Prompt => ({ type: 'text', text });

function modelAt({ url }: Pick<FaultServer, 'url'>, settings: Partial<OpenAiModelSettings> = {}) {
  return openAiModel({
    takes: 'messages',
    baseUrl: url,
    model: 'fault',
    source: ['models', 0],
    ...settings,
  });
}

const ways: [string, Partial<OpenAiModelSettings>][] = [
  ['chat', {}],
  ['chat, streamed', { stream: true }],
  ['text', { takes: 'text' }],
  ['text, streamed', { takes: 'text', stream: true }],
];

describe.each(ways)('%s', (_way, settings) => {
  test('gets the answer, its end, its tokens and its times', async () => {
    await using server = await startFaultServer({ answer: () => 'zwölf 🙂 Äpfel' });
    const model = modelAt(server, settings);
    const result = await model.generate({ prompt: ask('How many?') }, { signal: never });
    expect(result).toMatchObject({
      text: 'zwölf 🙂 Äpfel',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 4, cachedTokens: 1 },
      raw: { model: 'fault' },
    });
    expect(result.reasoning).toBeUndefined();
    expect(result.totalMs).toBeGreaterThan(0);
    if (settings.stream) expect(result.firstTokenMs).toBeLessThanOrEqual(result.totalMs);
    else expect(result.firstTokenMs).toBeUndefined();
    expect(model.abilities.has('stream')).toBe(settings.stream === true);
    await model.close();
  });

  test('limits apply, those of a request first', async () => {
    await using server = await startFaultServer({ answer: () => 'one two. three', record: true });
    const model = modelAt(server, { ...settings, maxOutLen: 1, generationKwargs: { top_p: 0.5 } });
    const cut = await model.generate({ prompt: ask('x') }, { signal: never });
    expect(cut).toMatchObject({ text: 'one ', finishReason: 'length' });
    const stopped = await model.generate(
      { prompt: ask('x'), maxOutLen: 9, stop: ['.'], settings: { temperature: 0 }, seed: 3 },
      { signal: never },
    );
    expect(stopped).toMatchObject({ text: 'one two', finishReason: 'stop' });
    const { recorded } = await server.stats();
    expect(recorded[1]?.body).toMatchObject({ top_p: 0.5, temperature: 0, seed: 3 });
    await model.close();
  });

  const failing: [string, Fault, object, RegExp][] = [
    [
      'rate limit',
      { type: 'status', status: 429, headers: { 'retry-after': '2' }, message: 'slow down' },
      { code: 'model.rate_limited', status: 429, retryable: true, retryAfterMs: 2000 },
      /answered 429 Too Many Requests: slow down$/,
    ],
    [
      'server error',
      { type: 'status', status: 503, body: '<html><title>Busy</title></html>' },
      { code: 'model.server_error', status: 503, retryable: true },
      /a web page, “Busy”/,
    ],
    [
      'endless error',
      { type: 'status', status: 500, body: 'x'.repeat(300_000) },
      { code: 'model.server_error', status: 500, retryable: true },
      /x…$/,
    ],
    [
      'a part of an answer',
      { type: 'status', status: 206, body: '{"choices":[{"text":"a"}]}' },
      { code: 'model.unfinished_answer', retryable: true },
      /206 Partial Content/,
    ],
    [
      'bad request',
      { type: 'status', status: 400, message: 'unknown field' },
      { code: 'model.request_refused', status: 400, retryable: false },
      /unknown field/,
    ],
    ['reset', { type: 'reset' }, { code: 'model.connection_lost', retryable: true }, /closed/],
    ['half body', { type: 'half-body' }, { code: 'model.connection_lost', retryable: true }, /./],
    [
      'broken JSON',
      { type: 'invalid-json' },
      { code: 'model.unreadable_answer', retryable: true },
      /without a completion/,
    ],
    [
      'web page',
      { type: 'web-page' },
      { code: 'model.unreadable_answer', retryable: true, hint: expect.stringMatching(/login/) },
      /Sign in/,
    ],
    [
      'huge answer',
      { type: 'huge', bytes: 5_000_000 },
      { code: 'model.answer_too_large', retryable: false },
      /more than 100,000 bytes/,
    ],
    [
      'late error',
      { type: 'late-error', message: 'out of memory' },
      { code: 'model.reported_error', retryable: true },
      /out of memory/,
    ],
  ];
  test.each(failing)('%s is an error, and the next request works', async (...row) => {
    const [, fault, expected, message] = row;
    await using server = await startFaultServer({ rules: [{ times: 1, fault }] });
    const model = modelAt(server, { ...settings, maxAnswerBytes: 100_000, connections: 1 });
    const request = { prompt: ask('6 * 7') };
    const error = await model.generate(request, { signal: never }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ModelError', ...expected });
    expect(error.message).toMatch(message);
    expect(error.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/(chat\/)?completions$/);
    expect(await model.generate(request, { signal: never })).toMatchObject({ text: '42' });
    await model.close();
  });

  const slow: [string, Fault][] = [
    ['silence', { type: 'hang' }],
    ['silence after the headers', { type: 'hang', afterHeaders: true }],
  ];
  if (settings.stream) slow.push(['a trickle', { type: 'slow-stream', pauseMs: 20 }]);
  test.each(slow)('%s runs into the time limit', async (_name, fault) => {
    await using server = await startFaultServer({ rules: [{ fault }] });
    const model = modelAt(server, { ...settings, timeoutMs: 60 });
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.timeout',
      retryable: true,
      message: expect.stringContaining('within 0.06 s'),
    });
    await model.close();
  });

  test.each<[string, Fault, object]>([
    ['wrong content type', { type: 'content-type', contentType: 'text/plain' }, { text: '42' }],
    ['missing usage', { type: 'no-usage' }, { text: '42', usage: undefined }],
  ])('%s is put up with', async (_name, fault, expected) => {
    await using server = await startFaultServer({ rules: [{ fault }] });
    const model = modelAt(server, settings);
    const result = await model.generate({ prompt: ask('6 * 7') }, { signal: never });
    expect(result).toMatchObject(expected);
    await model.close();
  });
});

test.each(['reasoning_content', 'reasoning'] as const)('keeps %s apart', async (field) => {
  await using server = await startFaultServer({ reasoning: { field, text: '6 sevens' } });
  for (const stream of [false, true]) {
    const model = modelAt(server, { stream });
    const result = await model.generate({ prompt: ask('6 * 7') }, { signal: never });
    expect(result).toMatchObject({ text: '42', reasoning: '6 sevens' });
    await model.close();
  }
});

test('a stream that ends too early is an error', async () => {
  await using server = await startFaultServer({ rules: [{ fault: { type: 'cut-stream' } }] });
  const model = modelAt(server, { stream: true });
  await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
    code: 'model.unfinished_answer',
    retryable: true,
  });
  await model.close();
});

test('an answer is complete when the server says so, even if the stream stays open', async () => {
  await using server = await startFaultServer({ rules: [{ fault: { type: 'open-end' } }] });
  const model = modelAt(server, { stream: true, timeoutMs: 200 });
  const result = await model.generate({ prompt: ask('6 * 7') }, { signal: never });
  expect(result).toMatchObject({ text: '42', usage: { outputTokens: 1 } });
  await model.close();
});

test('what is sent is known beforehand', async () => {
  await using server = await startFaultServer({ record: true });
  const model = modelAt(server, { maxOutLen: 5, stream: true });
  const request = { prompt: ask('1 + 1'), stop: ['.'], seed: 3 };
  await model.generate(request, { signal: never });
  const { recorded } = await server.stats();
  expect(JSON.stringify(recorded[0]?.body)).toBe(model.encode(request));
  await model.close();
});

test('a body that has been written is sent as it is', async () => {
  await using server = await startFaultServer({ record: true });
  const model = modelAt(server);
  const body = '{"messages": [{"role": "user", "content": "2 + 2"}], "x": 1}';
  const result = await model.generate({ prompt: ask('9 + 9'), body }, { signal: never });
  expect(result.text).toBe('4');
  expect((await server.stats()).recorded[0]?.body).toEqual(JSON.parse(body));
  await model.close();
});

test('connections are limited and used again, after errors too', async () => {
  const status = (code: number): Fault => ({ type: 'status', status: code });
  await using server = await startFaultServer({
    latencyMs: 1,
    rates: [500, 429, 404].map((code) => ({ rate: 0.2, fault: status(code) })),
  });
  for (const stream of [false, true]) {
    const model = modelAt(server, { stream, connections: 3 });
    const requests = Array.from({ length: 60 }, (_, index) => ({ prompt: ask(`${index} + 1`) }));
    const results = await Promise.allSettled(
      requests.map((request) => model.generate(request, { signal: never })),
    );
    expect(new Set(results.map(({ status }) => status)).size).toBe(2);
    await model.close();
  }
  expect(await server.stats()).toMatchObject({ requests: 120, connections: 6, maxConcurrency: 3 });
});

describe('aborting', () => {
  test('ends requests at once, in flight and waiting, and leaves nothing behind', async () => {
    await using server = await startFaultServer({ rules: [{ fault: { type: 'hang' } }] });
    const model = modelAt(server, { connections: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const results = Array.from({ length: 20 }, (_, index) =>
      model.generate({ prompt: ask(`${index}`) }, { signal }).catch((thrown) => thrown),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await expect.poll(async () => (await server.stats()).requests).toBe(1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await Promise.all(results)).toEqual(Array(20).fill(reason));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await model.close();
    expect((await server.stats()).requests).toBe(1);
  });

  test('other requests go on', async () => {
    await using server = await startFaultServer({
      rules: [{ prompt: 'stuck', fault: { type: 'hang' } }],
    });
    const model = modelAt(server);
    const controller = new AbortController();
    const stuck = model.generate({ prompt: ask('stuck') }, { signal: controller.signal });
    const other = model.generate({ prompt: ask('1 + 1') }, { signal: never });
    controller.abort();
    await expect(stuck).rejects.toThrow('aborted');
    expect(await other).toMatchObject({ text: '2' });
    await model.close();
  });

  test('nothing is sent when it is too late already', async () => {
    await using server = await startFaultServer();
    const model = modelAt(server);
    const signal = AbortSignal.abort('too late');
    await expect(model.generate({ prompt: ask('x') }, { signal })).rejects.toBe('too late');
    expect((await server.stats()).requests).toBe(0);
    await model.close();
  });
});

describe('endpoints that cannot be used', () => {
  test('nobody listens', async () => {
    const server = await startFaultServer();
    await server[Symbol.asyncDispose]();
    const model = modelAt(server);
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.connection_refused',
      retryable: true,
    });
    await model.close();
  });

  test('a certificate that nobody vouches for', async () => {
    await using server = await startFaultServer({ tls: selfSignedCertificate() });
    const model = modelAt(server);
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.certificate',
      retryable: false,
    });
    await model.close();
  });

  test('a wrong path', async () => {
    await using server = await startFaultServer();
    const model = modelAt({ url: `${server.url}/wrong` });
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.not_found',
      status: 404,
      retryable: false,
    });
    await model.close();
  });

  test('a header that cannot be sent', async () => {
    await using server = await startFaultServer();
    const model = modelAt(server, { headers: { 'X-Bad': 'two\nlines' } });
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.bad_request',
      retryable: false,
      message: expect.stringContaining('invalid x-bad header'),
    });
    await model.close();
  });

  test('a model that was closed', async () => {
    await using server = await startFaultServer();
    const model = modelAt(server);
    await model.close();
    await expect(model.generate({ prompt: ask('x') }, { signal: never })).rejects.toMatchObject({
      code: 'model.closed',
      retryable: false,
    });
  });
});

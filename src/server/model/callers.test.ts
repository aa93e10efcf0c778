import { type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, test } from 'vitest';
import { openLocal } from '../../model/local/open-local.ts';
import { startModelServer } from './start-model-server.ts';

const parts = await openLocal({ path: 'models/typecase-tiny' });
const server = await startModelServer(parts, {
  host: '127.0.0.1',
  port: 0,
  name: 'tiny',
  batchSize: 4,
  limits: { answers: 100, tokens: 10_000 },
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };

/** `fetch` would not send such headers. */
async function send(body: unknown, { headers = json, ...options }: RequestOptions = {}) {
  const url = new URL('/v1/completions', server.url);
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, ...options }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
    });
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const prompt = '12+30=';
const brief = { prompt, max_tokens: 3, temperature: 0 };

test.each([
  [{ ...json }, 200, ''],
  [{ ...json, host: 'localhost:8000' }, 200, ''],
  [{ ...json, host: '[::1]:8000' }, 200, ''],
  [{ ...json, host: 'evil.example' }, 403, 'host_not_allowed'],
  [{ ...json, host: '127.0.0.1.evil.example' }, 403, 'host_not_allowed'],
  [{ ...json, host: 'localhost.evil.example' }, 403, 'host_not_allowed'],
  [{ ...json, host: '10.0.0.1' }, 403, 'host_not_allowed'],
  [{ ...json, origin: 'http://localhost:3000' }, 200, ''],
  [{ ...json, origin: 'http://evil.example' }, 403, 'origin_not_allowed'],
  [{ ...json, origin: 'null' }, 403, 'origin_not_allowed'],
  [{ 'content-type': 'Application/JSON; charset=utf-8' }, 200, ''],
  [{ 'content-type': 'text/plain' }, 415, 'application/json'],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 415, 'application/json'],
  [{}, 415, 'application/json'],
])('headers %j: %i', async (headers, status, told) => {
  const answer = await send(brief, { headers });
  expect(answer.status).toBe(status);
  if (status === 200) return;
  expect(answer.body).toContain(told);
  expect(JSON.parse(answer.body).error).toMatchObject({ type: 'invalid_request_error' });
});

const many = (count: number) => Array.from({ length: count }, () => prompt);

test.each([
  [{ ...brief, prompt: many(20_000), n: 128 }, 'asks for 2,560,000 answers; the maximum is 100'],
  [{ ...brief, prompt: many(101) }, 'asks for 101 answers'],
  [{ ...brief, prompt: many(60), logprobs: 20 }, 'tokens; the maximum is 10,000'],
  [{ ...brief, n: 100, max_tokens: 100_000 }, 'tokens; the maximum is 10,000'],
])('work beyond the limits is refused before it begins', async (body, told) => {
  const answer = await send(body);
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body).error).toMatchObject({
    type: 'invalid_request_error',
    code: 'request_too_large',
    message: expect.stringContaining(told),
  });
});

it('work within the limits is done', async () => {
  const { status, body } = await send({ ...brief, prompt: many(100) });
  expect(status).toBe(200);
  expect(new Set(JSON.parse(body).choices.map(({ text }: { text: string }) => text))).toEqual(
    new Set(['42\n']),
  );
});

it('reads the role `developer` as `system`', async () => {
  const ask = async (role: string) => {
    const messages = [
      { role, content: 'Add.' },
      { role: 'user', content: prompt },
    ];
    const body = { messages, temperature: 0, max_tokens: 5 };
    const answer = await send(body, { path: '/v1/chat/completions' });
    const { choices, usage } = JSON.parse(answer.body);
    return { choices, read: usage.prompt_tokens };
  };
  expect(await ask('developer')).toEqual(await ask('system'));
});

describe('clients', () => {
  const long = { prompt: 'a', max_tokens: 10, temperature: 2, seed: 1 };

  it('with few requests are not kept waiting by one with many', async () => {
    const done: string[] = [];
    const ask = async (client: string) => {
      const headers = { ...json, authorization: `Bearer ${client}` };
      await send(long, { headers, agent: false });
      done.push(client);
    };
    const greedy = Array.from({ length: 60 }, () => ask('greedy'));
    await ask('modest');
    const before = done.indexOf('modest');
    await Promise.all(greedy);
    expect(done).toHaveLength(61);
    expect(before).toBeLessThan(40);
  });

  it('that go away leave no work behind', async () => {
    const gone = new AbortController();
    const body = { ...long, n: 30, max_tokens: 100, prompt: many(2) };
    const left = send(body, { signal: gone.signal });
    setTimeout(() => gone.abort(), 100);
    await expect(left).rejects.toThrow('abort');
    const start = performance.now();
    expect((await send(brief)).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

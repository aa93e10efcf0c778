import { expect, test } from 'vitest';
import { startRecordingServer } from './recording-server.ts';

async function post(url: string, body: object | string): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await fetch(url, { method: 'POST', body: text })).text();
}

test('bodies are kept as they came, and answers are the same each time', async () => {
  await using server = await startRecordingServer();
  const url = `${server.url}/v1/chat/completions`;
  const body = '{ "model":"m", "messages":[{"role":"user","content":"„é“ 🕷"}] }';
  const first = await post(url, body);
  expect(await post(url, body)).toBe(first);
  expect(await post(url, { model: 'other', messages: [] })).not.toBe(first);
  expect(server.requests.slice(0, 2)).toEqual(
    Array(2).fill({ path: '/v1/chat/completions', body }),
  );
  server.clear();
  expect(server.requests).toEqual([]);
});

test('an answer in pieces is the same one', async () => {
  await using server = await startRecordingServer();
  const body = { model: 'm', prompt: 'p', stream: true, stream_options: { include_usage: true } };
  const events = (await post(`${server.url}/v1/completions`, body)).split('\n\n').slice(0, -2);
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)));
  const text = chunks.map(({ choices: [choice] }) => choice?.text ?? '').join('');
  expect(text).toMatch(/^The answer is [A-D], as \d+ shows\.$/);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 7 } });
});

test.each([['one'], [['a text', 'another, with 🕷']]])('likelihoods of %j', async (prompt) => {
  await using server = await startRecordingServer();
  const body = { model: 'm', prompt, echo: true, logprobs: 1, max_tokens: 1 };
  const { choices } = JSON.parse(await post(`${server.url}/v1/completions`, body));
  const texts = [prompt].flat();
  expect(choices).toHaveLength(texts.length);
  for (const [index, text] of texts.entries()) {
    const { tokens, token_logprobs, text_offset, top_logprobs } = choices[index].logprobs;
    expect(tokens.slice(0, -1).join('')).toBe(text);
    expect(token_logprobs[0]).toBe(null);
    expect(token_logprobs.slice(1).every((value: number) => value < 0)).toBe(true);
    const places = [token_logprobs, text_offset, top_logprobs].map(({ length }) => length);
    expect(places).toEqual(Array(3).fill(tokens.length));
  }
});

test('what is not there is not there', async () => {
  await using server = await startRecordingServer();
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
  expect(server.requests).toEqual([]);
});

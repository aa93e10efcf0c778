import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { openLocal } from '../../model/local/open-local.ts';
import { startModelServer } from './start-model-server.ts';

const model = 'typecase-tiny';
const path = join(import.meta.dirname, '../../../models', model);
const place = { host: '127.0.0.1', port: 0, name: model };
const server = await startModelServer(await openLocal({ path }), place);
afterAll(() => server.close());
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

const exact = { model, temperature: 0, max_tokens: 12 };
const messages = [{ role: 'user', content: '12+30=' }] as const;
const prompt = '<|user|>12+30=<|end|><|assistant|>';

/** The tokens of a text completion, whole and in pieces. */
async function completionTokens(request: { prompt: string; stop?: string[] }) {
  const whole = await client.completions.create({ ...exact, ...request, logprobs: 1 });
  const pieces = await client.completions.create({
    ...{ ...exact, ...request, logprobs: 1, stream: true },
    stream_options: { include_usage: true },
  });
  const tokens: string[] = [];
  const usages: unknown[] = [];
  for await (const { choices, usage } of pieces) {
    tokens.push(...(choices[0]?.logprobs?.tokens ?? []));
    usages.push(usage);
  }
  const [choice] = whole.choices;
  return { text: choice?.text, whole: choice?.logprobs?.tokens, pieces: tokens, usages };
}

test.each([
  ['the token that ends an answer is told', { prompt }, '42', ['4', '2', '<|end|>']],
  ['those of a stop text are not', { prompt: '12+30=', stop: ['\n\n'] }, '42', ['4', '2']],
  ['nor those of one inside an answer', { prompt, stop: ['2'] }, '4', ['4']],
])('%s', async (_, request, text, tokens) => {
  const { usages, ...found } = await completionTokens(request);
  expect(found).toEqual({ text, whole: tokens, pieces: tokens });
  expect(usages.slice(0, -1)).toEqual(usages.slice(1).map(() => null));
  expect(usages.at(-1)).toMatchObject({ prompt_tokens: expect.any(Number) });
});

test('an echoed text and one token more, though that only ends it', async () => {
  const request = { ...exact, prompt: `${prompt}42`, echo: true, logprobs: 1, max_tokens: 1 };
  const { choices } = await client.completions.create(request);
  expect(choices[0]?.text).toBe(`${prompt}42`);
  const { tokens, token_logprobs: logprobs, text_offset: offsets } = choices[0]?.logprobs ?? {};
  expect(tokens?.slice(-3)).toEqual(['4', '2', '<|end|>']);
  expect([tokens, logprobs, offsets].map((list) => list?.length)).toEqual([13, 13, 13]);
});

test('the same in chat', async () => {
  const request = { ...exact, messages: [...messages], logprobs: true };
  const whole = await client.chat.completions.create(request);
  const pieces = await client.chat.completions.create({
    ...{ ...request, stream: true, stream_options: { include_usage: true } },
  });
  const tokens: string[] = [];
  const usages: unknown[] = [];
  for await (const { choices, usage } of pieces) {
    tokens.push(...(choices[0]?.logprobs?.content ?? []).map(({ token }) => token));
    usages.push(usage);
  }
  expect(tokens).toEqual(['4', '2', '<|end|>']);
  expect(whole.choices[0]?.logprobs?.content?.map(({ token }) => token)).toEqual(tokens);
  expect(usages.slice(0, -1)).toEqual(usages.slice(1).map(() => null));
  expect(usages.at(-1)).toMatchObject({ completion_tokens: 3 });
  const stopped = await client.chat.completions.create({ ...request, stop: '2' });
  expect(stopped.choices[0]?.logprobs?.content).toMatchObject([{ token: '4' }]);
});

test('characters of several tokens come whole', async () => {
  const request = { ...exact, prompt: '次の', max_tokens: 9 };
  const { choices } = await client.completions.create(request);
  const stream = await client.completions.create({ ...request, stream: true, logprobs: 0 });
  const pieces: { text: string; tokens: number }[] = [];
  for await (const chunk of stream) {
    const [{ text, logprobs } = { text: '', logprobs: null }] = chunk.choices;
    if (text !== '') pieces.push({ text, tokens: logprobs?.tokens?.length ?? 0 });
  }
  expect(pieces.map(({ text }) => text).join('')).toBe(choices[0]?.text);
  expect(pieces).toEqual(pieces.map(({ text }) => ({ text, tokens: Buffer.byteLength(text) })));
  expect(pieces.some(({ tokens }) => tokens === 3)).toBe(true);
});

import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, describe, expect, it, test } from 'vitest';
import { openLocal } from '../../model/local/open-local.ts';
import { startModelServer } from './start-model-server.ts';

const fixtures = join(import.meta.dirname, '../../model/local/fixtures');
const start = async (name: string) => {
  const parts = await openLocal({ path: join(fixtures, name) });
  return startModelServer(parts, { host: '127.0.0.1', port: 0, name });
};
const [causal, encoder] = await Promise.all([start('causal'), start('encoder')]);
afterAll(() => Promise.all([causal.close(), encoder.close()]));

describe('refusals', () => {
  const post = async (route: string, body: unknown, url = causal.url) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${url}/v1/${route}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    });
    const answer = (await response.json()) as { choices?: unknown; error?: unknown };
    return { status: response.status, ...answer };
  };
  const refusal = (status: number, error: object) => ({
    status,
    error: expect.objectContaining(error),
  });

  test.each([
    ['completions', {}, 'prompt', 'prompt: must be a string'],
    ['completions', { prompt: ['a', [1]] }, 'prompt', 'prompt: must be a string'],
    ['completions', { prompt: 'q', prompt_logprobs: 0 }, 'prompt_logprobs', 'does not support'],
    ['completions', { prompt: 'q', repetition_penalty: 1.1 }, 'repetition_penalty', 'does not'],
    ['completions', { prompt: 'q', stop: [1] }, 'stop', 'must be'],
    ['completions', '{', null, 'not JSON'],
    ['completions', [], null, ''],
    ['completions', { prompt: 'q', temperature: 3 }, 'temperature', ''],
    ['completions', { prompt: 'q', n: 0 }, 'n', ''],
    ['completions', { prompt: 'q', best_of: 2 }, 'best_of', 'does not support'],
    ['completions', { prompt: [1, 9999] }, 'prompt', 'token id 9999 does not exist'],
    ['completions', { prompt: 'q', logprobs: 99 }, 'logprobs', ''],
    ['chat/completions', { messages: [] }, 'messages', ''],
    ['chat/completions', { messages: [{ role: 'user', content: 1 }] }, 'messages.0.content', ''],
    [
      'chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages.0.content',
      'must be text',
    ],
    [
      'chat/completions',
      { messages: [{ role: 'user' }], tools: [{}] },
      'tools',
      'does not support',
    ],
    ['embeddings', { input: 'q' }, 'model', 'has no embeddings'],
  ])('%s %j', async (route, body, param, message) => {
    expect(await post(route, body)).toEqual(
      refusal(400, {
        type: 'invalid_request_error',
        param,
        message: expect.stringContaining(message),
      }),
    );
  });

  it('harmless settings are taken', async () => {
    const harmless = {
      user: 'me',
      frequency_penalty: 0,
      repetition_penalty: 1,
      stop_token_ids: [],
      logit_bias: {},
      response_format: { type: 'text' },
    };
    const { choices } = await post('completions', { prompt: 'q', max_tokens: 1, ...harmless });
    expect(choices).toHaveLength(1);
  });

  it('an encoder does not write', async () => {
    expect(await post('completions', { prompt: 'q' }, encoder.url)).toEqual(
      refusal(400, { message: '`encoder` only gives embeddings' }),
    );
  });

  it('another model', async () => {
    const client = new OpenAI({ baseURL: `${causal.url}/v1`, apiKey: 'none', maxRetries: 0 });
    await expect(client.completions.create({ model: 'gpt', prompt: 'q' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('a text longer than the context', async () => {
    const prompt = 'x'.repeat(96);
    const code = 'context_length_exceeded';
    expect(await post('completions', { prompt })).toEqual(refusal(400, { code }));
    const echo = { prompt, echo: true, logprobs: 0, max_tokens: 0 };
    expect(await post('completions', echo)).toEqual(refusal(400, { code }));
    const stream = true;
    const messages = [{ role: 'user', content: prompt }];
    expect(await post('completions', { prompt, stream })).toEqual(refusal(400, { code }));
    expect(await post('chat/completions', { messages, stream })).toEqual(refusal(400, { code }));
  });

  it('a text that fills the context may be measured, not continued', async () => {
    const echo = { prompt: 'x'.repeat(95), echo: true, logprobs: 0 };
    const { choices } = await post('completions', { ...echo, max_tokens: 0 });
    expect(choices).toMatchObject([{ text: echo.prompt, finish_reason: 'length' }]);
    expect(await post('completions', { ...echo, max_tokens: 1 })).toMatchObject({ status: 400 });
  });

  it('a path that is not there, and a method that does not fit', async () => {
    expect(await post('nothing', {})).toEqual(refusal(404, { code: 'unknown_url' }));
    const response = await fetch(`${causal.url}/v1/completions`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it('a body that is too large', async () => {
    const body = { prompt: 'x'.repeat(17 * 2 ** 20) };
    expect(await post('completions', body)).toEqual(refusal(413, { message: expect.any(String) }));
  });
});

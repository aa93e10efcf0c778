import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openAiEmbedder } from './openai-embedder.ts';

const never = new AbortController().signal;

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** A server for embeddings; the vector of a text is its length and 1. */
async function startServer(reply: (asked: Asked, turn: number) => Reply = answer) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(await text(request)),
    };
    asked.push(received);
    const { status = 200, headers = {}, body } = reply(received, asked.length - 1);
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer({ body }: Asked): Reply {
  const data = body.input.map((input, index) => ({ index, embedding: [input.length, 1] }));
  return { body: { object: 'list', data: data.toReversed() } };
}

const embedderAt = (baseUrl: string, settings = {}) =>
  openAiEmbedder({ baseUrl, model: 'mini', source: ['embedder'], ...settings });

afterEach(() => vi.unstubAllEnvs());

describe('openAiEmbedder', () => {
  test.each(['', '/v1', '/v1/embeddings', '/v1/embeddings/'])(
    'asks the endpoint under %j',
    async (path) => {
      await using server = await startServer();
      const embedder = embedderAt(server.url + path);
      const vectors = await embedder.embed(['a', 'ccc', ''], { signal: never });
      expect(vectors.map((vector) => [...vector])).toEqual([
        [1, 1],
        [3, 1],
        [0, 1],
      ]);
      expect(server.asked.map((asked) => [asked.path, asked.body])).toEqual([
        ['/v1/embeddings', { model: 'mini', input: ['a', 'ccc', ''] }],
      ]);
      expect(embedder.identity).toEqual({
        type: 'openai',
        url: `${server.url}/v1/embeddings`,
        model: 'mini',
      });
    },
  );

  test('asks in batches and keeps the order', async () => {
    await using server = await startServer();
    const texts = Array.from({ length: 23 }, (_, length) => 'x'.repeat(length));
    const vectors = await embedderAt(server.url, { batchSize: 5 }).embed(texts, { signal: never });
    expect(vectors.map(([length]) => length)).toEqual(texts.map(({ length }) => length));
    expect(server.asked.map(({ body }) => body.input.length).toSorted()).toEqual([3, 5, 5, 5, 5]);
    expect(await embedderAt(server.url).embed([], { signal: never })).toEqual([]);
  });

  test('sends the key, and keeps it out of errors', async () => {
    vi.stubEnv('EMBED_KEY', 'sk-very-secret');
    await using server = await startServer(() => ({
      status: 401,
      body: { error: { message: 'bad key sk-very-secret' } },
    }));
    const embedder = embedderAt(server.url, { apiKeyEnv: 'EMBED_KEY' });
    const failed = embedder.embed(['a'], { signal: never });
    await expect(failed).rejects.toMatchObject({
      code: 'model.unauthorized',
      message: expect.not.stringContaining('very-secret'),
    });
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-very-secret',
    ]);
  });

  test('asks again while that may help', async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' }, body: {} };
    await using server = await startServer((asked, turn) => (turn < 3 ? busy : answer(asked)));
    const vectors = await embedderAt(server.url).embed(['ab'], { signal: never });
    expect(vectors[0]?.[0]).toBe(2);
    expect(server.asked).toHaveLength(4);
  });

  test('gives up after five attempts', async () => {
    await using server = await startServer(() => ({
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: {},
    }));
    const failed = embedderAt(server.url).embed(['ab'], { signal: never });
    await expect(failed).rejects.toMatchObject({ code: 'model.server_error', status: 503 });
    expect(server.asked).toHaveLength(5);
  });

  test.concurrent.each([
    ['words', { data: [0, 1].map((index) => ({ index, embedding: ['1'] })) }],
    ['vectors of two lengths', { data: [[1], [1, 2]].map((embedding) => ({ embedding })) }],
    ['no list', { data: 1 }],
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    ['a vector twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['no vector', { data: [0, 1].map((index) => ({ index })) }],
  ])('refuses %s, five times', async (_, body) => {
    await using server = await startServer(() => ({ body }));
    const failed = embedderAt(server.url).embed(['a', 'b'], { signal: never });
    await expect(failed).rejects.toMatchObject({
      code: 'model.unreadable_answer',
      message: expect.stringContaining('without a list of embeddings'),
    });
    expect(server.asked).toHaveLength(5);
  });

  test('can be given up', async () => {
    await using server = await startServer();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(embedderAt(server.url).embed(['a'], { signal })).rejects.toThrow('enough');
    expect(server.asked).toEqual([]);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { LoglikelihoodText } from '../loglikelihood.ts';
import { loglikelihoodsOf } from '../loglikelihoods-of.ts';
import { findLikelihood, type OpenAiModelSettings, openAiModel } from '../openai-model.ts';

interface Asked {
  readonly prompt: string | readonly string[];
  readonly echo?: boolean;
  readonly logprobs?: number;
  readonly prompt_logprobs?: number;
}

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

/** A server whose model has words with their space as tokens, each as likely as it is short. */
async function serve(reply: (asked: Asked) => Reply) {
  const bodies: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const asked: Asked = JSON.parse(text);
    bodies.push(asked);
    const { status = 200, body } = reply(asked);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings: OpenAiModelSettings = {
    takes: 'text',
    baseUrl,
    model: 'm',
    source: ['models', 0],
  };
  return { settings, bodies };
}

const signal = AbortSignal.timeout(10_000);
const wordsOf = (text: string) => text.match(/\s*\S+|\s+$/g) ?? [];
const logprobOf = (token: string) => -token.length / 10;
const promptsOf = ({ prompt }: Asked) => (typeof prompt === 'string' ? [prompt] : prompt);

function echoChoice(text: string, index: number) {
  const tokens = [...wordsOf(text), ' more'];
  let offset = 0;
  return {
    index,
    text: `${text} more`,
    logprobs: {
      tokens,
      token_logprobs: tokens.map((token, index) => (index === 0 ? null : logprobOf(token))),
      top_logprobs: tokens.map((token) => ({ [token]: logprobOf(token), other: -0.35 })),
      text_offset: tokens.map((token) => {
        offset += [...token].length;
        return offset - [...token].length;
      }),
    },
  };
}

const vllm = (asked: Asked): Reply => ({
  body: {
    id: 'cmpl-1',
    choices: promptsOf(asked)
      .map((text, index) => ({ ...echoChoice(text, index), stop_reason: null }))
      .reverse(),
    usage: { prompt_tokens: 7, completion_tokens: 2 },
  },
});

async function measureWith(settings: OpenAiModelSettings, texts: readonly LoglikelihoodText[]) {
  const likelihood = await findLikelihood(settings, signal);
  const model = openAiModel({ ...settings, likelihood });
  onTestFinished(() => model.close());
  const result = await model.loglikelihoodModel?.measure({ texts }, { signal });
  return { likelihood, model, result, read: loglikelihoodsOf(texts, result?.logprobs ?? []) };
}

test('a server that echoes is asked once for all texts, in any order of its choices', async () => {
  const { settings, bodies } = await serve(vllm);
  const { likelihood, model, result, read } = await measureWith(settings, [
    { text: 'Is it? yes', from: 6 },
    { text: 'Is it? perhaps', from: 6 },
    { text: '😀 it is', from: 0 },
  ]);
  expect(likelihood).toEqual({ server: 'vLLM', how: 'echo', takesLists: true });
  expect(model.abilities).toContain('loglikelihood');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toMatchObject({ echo: true, logprobs: 1, max_tokens: 1, temperature: 0 });
  const figures = read.map(({ logprob, tokens, isGreedy }) => [logprob, tokens, isGreedy]);
  expect(figures).toEqual([
    [-0.4, 1, false],
    [expect.closeTo(-0.8), 1, false],
    [-0.6, 2, true],
  ]);
  expect(result?.usage).toEqual({ inputTokens: 7, outputTokens: 2 });
});

test('a token that spans context and part counts, and is named', async () => {
  const { settings } = await serve(vllm);
  const { read } = await measureWith(settings, [{ text: 'A: yes', from: 3 }]);
  expect(read).toEqual([{ logprob: -0.4, tokens: 1, isGreedy: false, spanning: ' yes' }]);
});

test('a start token is no part of the text', async () => {
  const { settings } = await serve((asked) => {
    const reply = vllm(asked).body as { choices: ReturnType<typeof echoChoice>[] };
    for (const { logprobs } of reply.choices) {
      logprobs.tokens.unshift('<s>');
      logprobs.token_logprobs = logprobs.tokens.map((token, i) =>
        i === 0 ? null : logprobOf(token),
      );
    }
    return { body: reply };
  });
  const { read } = await measureWith(settings, [{ text: 'Is it?', from: 0 }]);
  expect(read[0]).toMatchObject({ logprob: expect.closeTo(-0.6), tokens: 2 });
});

test('tokens that are parts of characters are located by the offsets of the server', async () => {
  const { settings } = await serve((asked) => ({
    body: {
      choices: promptsOf(asked).map((text, index) =>
        text.startsWith('One')
          ? echoChoice(text, index)
          : {
              index,
              logprobs: {
                tokens: ['A', '\ufffd', '\ufffd', 'B'],
                token_logprobs: [null, -1, -2, -4],
                text_offset: [0, 1, 1, 2],
              },
            },
      ),
    },
  }));
  const { read } = await measureWith(settings, [
    { text: 'A😀B', from: 1 },
    { text: 'A😀B', from: 3 },
  ]);
  expect(read).toEqual([
    { logprob: -7, tokens: 3 },
    { logprob: -4, tokens: 1 },
  ]);
});

interface EchoReply {
  choices: ReturnType<typeof echoChoice>[];
  error?: unknown;
}

test.each<[string, (body: EchoReply) => void, string]>([
  [
    'texts in another order under wrong numbers',
    ({ choices }) => {
      for (const [place, choice] of choices.entries()) choice.index = place;
    },
    'model.no_logprobs',
  ],
  [
    'fewer tokens than the text has, with offsets that fit them',
    ({ choices }) => {
      for (const { logprobs } of choices) {
        logprobs.tokens.splice(1, 1);
        logprobs.token_logprobs.splice(1, 1);
        logprobs.text_offset.splice(1, 1);
      }
    },
    'model.no_logprobs',
  ],
  [
    'an error beside the choices',
    (body) => {
      body.error = { message: 'out of memory' };
    },
    'model.reported_error',
  ],
])('%s: refused', async (_, damage, code) => {
  const { settings } = await serve((asked) => {
    const body = vllm(asked).body as EchoReply;
    if (!promptsOf(asked)[0]?.startsWith('One')) damage(body);
    return { body };
  });
  const texts = [
    { text: 'Is it? yes', from: 6 },
    { text: 'Is he? no', from: 6 },
  ];
  await expect(measureWith(settings, texts)).rejects.toMatchObject({ code });
});

test('a server that takes one text at a time is asked for each', async () => {
  const { settings, bodies } = await serve((asked) => ({
    body: { id: 'x', choices: [echoChoice(promptsOf(asked)[0] ?? '', 0)] },
  }));
  const { likelihood, read } = await measureWith(settings, [
    { text: 'Is it? yes', from: 6 },
    { text: 'Is it? no', from: 6 },
  ]);
  expect(likelihood.takesLists).toBe(false);
  expect(bodies.slice(1).map(({ prompt }) => prompt)).toEqual(['Is it? yes', 'Is it? no']);
  expect(read.map(({ logprob }) => logprob)).toEqual([-0.4, expect.closeTo(-0.3)]);
});

test('prompt_logprobs are read where a text is not echoed', async () => {
  const { settings, bodies } = await serve((asked) => ({
    body: {
      choices: promptsOf(asked).map((text, index) => ({
        index,
        text: ' more',
        prompt_logprobs:
          asked.prompt_logprobs === undefined
            ? null
            : wordsOf(text).map((token, index) =>
                index === 0
                  ? null
                  : { 17: { logprob: logprobOf(token), rank: 1, decoded_token: token } },
              ),
      })),
    },
  }));
  const { likelihood, read } = await measureWith(settings, [
    { text: 'so it is', from: 0 },
    { text: 'so it is', from: 5 },
  ]);
  expect(likelihood).toMatchObject({ server: 'vLLM', how: 'prompt_logprobs' });
  expect(bodies[1]).toMatchObject({ prompt_logprobs: 0, max_tokens: 1 });
  expect(read).toEqual([
    { logprob: expect.closeTo(-0.6), tokens: 2, skipped: 2, isGreedy: true },
    { logprob: -0.3, tokens: 1, isGreedy: true },
  ]);
});

test('prompt_logprobs of fewer tokens than the server counts are refused', async () => {
  const { settings } = await serve((asked) => ({
    body: {
      choices: promptsOf(asked).map((text, index) => ({
        index,
        text: ' more',
        prompt_logprobs: [
          null,
          ...wordsOf(text)
            .slice(-1)
            .map((token) => ({ 17: { logprob: -1, rank: 1, decoded_token: token } })),
        ],
      })),
      usage: { prompt_tokens: promptsOf(asked).flatMap(wordsOf).length, completion_tokens: 1 },
    },
  }));
  await expect(measureWith(settings, [{ text: 'so it is', from: 0 }])).rejects.toMatchObject({
    code: 'model.no_logprobs',
  });
});

test('a server that gives only next tokens can compare choices of one token', async () => {
  const { settings, bodies } = await serve((asked) => ({
    body: {
      timings: {},
      choices: [
        {
          text: ' A',
          logprobs: {
            content: [
              {
                token: ' A',
                logprob: -0.1,
                top_logprobs: [' A', ' B'].map((token, index) => ({
                  token,
                  logprob: -0.1 - index,
                })),
              },
            ],
          },
          asked,
        },
      ],
    },
  }));
  const { likelihood, model, read } = await measureWith(settings, [
    { text: 'Q: A', from: 2 },
    { text: 'Q: B', from: 2 },
  ]);
  expect(likelihood).toEqual({ server: 'llama.cpp', how: 'next-token', takesLists: false });
  expect(model.abilities).not.toContain('loglikelihood');
  expect(bodies[1]?.prompt).toBe('Q:');
  expect(read.map(({ logprob }) => logprob)).toEqual([-0.1, -1.1]);
  const other = [{ text: 'Q: C', from: 2 }];
  await expect(
    model.loglikelihoodModel?.measure({ texts: other }, { signal }),
  ).rejects.toMatchObject({
    code: 'model.choice_not_listed',
  });
  const whole = [
    { text: 'Q: A', from: 2 },
    { text: 'R: A', from: 2 },
  ];
  await expect(
    Promise.resolve().then(() => model.loglikelihoodModel?.measure({ texts: whole }, { signal })),
  ).rejects.toMatchObject({ code: 'model.next_token_only' });
});

test.each<[string, Reply]>([
  ['refuses', { status: 400, body: { error: { message: 'echo is not supported' } } }],
  ['has no such path', { status: 404, body: { detail: 'Not Found' } }],
  ['says nothing of it', { body: { choices: [{ text: 'hello', logprobs: null }] } }],
])('a server that %s is refused before the run', async (_, reply) => {
  const { settings } = await serve(() => reply);
  await expect(findLikelihood(settings, signal)).rejects.toMatchObject({
    code: 'model.no_logprobs',
    hint: expect.stringContaining('echo'),
  });
});

test.each<[number | string | null, object]>([
  ['NaN', { code: 'model.no_probability', retryable: false }],
  [null, { code: 'model.no_probability', retryable: false }],
])('a token whose log-probability is %s fails the row', async (value, error) => {
  const { settings } = await serve((asked) => {
    const reply = vllm(asked).body as { choices: { logprobs: { token_logprobs: unknown[] } }[] };
    if (!promptsOf(asked)[0]?.startsWith('One')) {
      for (const { logprobs } of reply.choices) logprobs.token_logprobs[1] = value;
    }
    return { body: reply };
  });
  await expect(measureWith(settings, [{ text: 'Is it?', from: 0 }])).rejects.toMatchObject(error);
});

test.each([['-Infinity'], [-9999]])(
  'an impossible token written as %s makes its text impossible',
  async (value) => {
    const { settings } = await serve((asked) => {
      const reply = vllm(asked).body as { choices: { logprobs: { token_logprobs: unknown[] } }[] };
      if (!promptsOf(asked)[0]?.startsWith('One')) {
        for (const { logprobs } of reply.choices) logprobs.token_logprobs[1] = value;
      }
      return { body: reply };
    });
    const { read } = await measureWith(settings, [{ text: 'Is it?', from: 0 }]);
    expect(read[0]?.logprob).toBe(Number.NEGATIVE_INFINITY);
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, describe, expect, it, test } from 'vitest';
import { localModel } from '../../model/local/local-model.ts';
import { openLocal } from '../../model/local/open-local.ts';
import { loglikelihoodsOf } from '../../model/loglikelihoods-of.ts';
import { findLikelihood, openAiModel } from '../../model/openai-model.ts';
import { startModelServer } from './start-model-server.ts';

const fixtures = join(import.meta.dirname, '../../model/local/fixtures');
const path = join(fixtures, 'causal');
const place = { host: '127.0.0.1', port: 0 };
const start = async (name: string) =>
  startModelServer(await openLocal({ path: join(fixtures, name) }), { ...place, name });

const [causal, encoder, local] = await Promise.all([
  start('causal'),
  start('encoder'),
  localModel({ path }),
]);
afterAll(() => Promise.all([causal.close(), encoder.close(), local.close()]));

const clientOf = ({ url }: { url: string }) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
const client = clientOf(causal);
const model = 'causal';
const signal = AbortSignal.timeout(60_000);

interface Case {
  readonly text: string;
  readonly ids: number[];
  readonly greedy: number[];
  readonly logprobs: number[];
}
const { cases }: { cases: Case[] } = JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8'));
const [first, second, japanese] = cases as [Case, Case, Case];
const answerOf = ({ greedy }: Case) => Buffer.from(greedy).toString();
const exact = { temperature: 0, max_tokens: 12 };

test('models', async () => {
  const { data } = await client.models.list();
  expect(data).toMatchObject([{ id: 'causal', object: 'model' }]);
  expect(await client.models.retrieve('causal')).toMatchObject({ id: 'causal' });
});

describe('text completions', () => {
  it('of a text, of texts, and of token ids', async () => {
    const ask = (prompt: string | string[] | number[] | number[][]) =>
      client.completions.create({ model, prompt, ...exact });
    expect(await ask(first.text)).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, text: answerOf(first), finish_reason: 'length', logprobs: null }],
      usage: { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 },
    });
    const both = [{ text: answerOf(first) }, { text: answerOf(second) }];
    expect((await ask([first.text, second.text])).choices).toMatchObject(both);
    expect((await ask([first.ids, second.ids])).choices).toMatchObject(both);
    expect((await ask(first.ids)).choices).toMatchObject([{ text: answerOf(first) }]);
  });

  it('end before stop texts', async () => {
    const stop = [answerOf(first).slice(2, 4), 'zzz'];
    const request = { model, prompt: first.text, ...exact, stop, logprobs: 0 };
    const { choices } = await client.completions.create(request);
    expect(choices).toMatchObject([{ text: answerOf(first).slice(0, 2), finish_reason: 'stop' }]);
    expect(choices[0]?.logprobs?.tokens).toEqual(['>', 'bytes:\\xf9']);
  });

  it('differ by seed and choice, and come again with the seed', async () => {
    const ask = async (seed: number) => {
      const request = { model, prompt: 'q', n: 3, seed, max_tokens: 12, temperature: 2 };
      return (await client.completions.create(request)).choices.map(({ text }) => text);
    };
    const [one, again, other] = await Promise.all([ask(1), ask(1), ask(2)]);
    expect(again).toEqual(one);
    expect(new Set([...one, ...other]).size).toBe(6);
  });

  it('tell the probabilities of the prompt with `echo`', async () => {
    const request = { model, prompt: japanese.text, echo: true, logprobs: 2, max_tokens: 0 };
    const { choices, usage } = await client.completions.create(request);
    expect(usage?.completion_tokens).toBe(0);
    const logprobs = choices[0]?.logprobs;
    expect(choices[0]?.text).toBe(japanese.text);
    expect(logprobs?.tokens?.slice(0, 3)).toEqual(['<bos>', 'bytes:\\xe6', 'bytes:\\x97']);
    expect(logprobs?.token_logprobs).toEqual([
      null,
      ...japanese.logprobs.map((value) => expect.closeTo(value, 4)),
    ]);
    expect(logprobs?.text_offset).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(logprobs?.top_logprobs?.[0]).toBeNull();
    expect(Object.keys(logprobs?.top_logprobs?.[1] ?? {})).toHaveLength(3);
  });

  it('tell the probabilities of prompt and answer', async () => {
    const request = { model, prompt: first.text, echo: true, logprobs: 1, ...exact, max_tokens: 2 };
    const { choices } = await client.completions.create(request);
    const logprobs = choices[0]?.logprobs;
    expect(logprobs?.tokens).toHaveLength(first.ids.length + 2);
    expect(logprobs?.text_offset?.slice(-2)).toEqual([9, 10]);
    const [top] = Object.values(logprobs?.top_logprobs?.at(-1) ?? {});
    expect(top).toBe(logprobs?.token_logprobs?.at(-1));
  });

  it('stream', async () => {
    const stream = await client.completions.create({
      model,
      prompt: [first.text, 'q'],
      ...exact,
      echo: true,
      stream: true,
      stream_options: { include_usage: true },
    });
    const texts = ['', ''];
    const reasons: unknown[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      for (const { index, text, finish_reason } of chunk.choices) {
        texts[index] += text;
        if (finish_reason) reasons.push(finish_reason);
      }
      usage = chunk.usage ?? usage;
    }
    expect(texts[0]).toBe(first.text + answerOf(first));
    expect(reasons).toEqual(['length', 'length']);
    expect(usage).toMatchObject({ completion_tokens: 24 });
  });
});

describe('chat completions', () => {
  const messages = [{ role: 'user', content: 'q' }] as const;
  const prompt = { type: 'messages', messages } as const;

  it('are what the model answers in process', async () => {
    const { text } = await local.generate({ prompt, maxOutLen: 12 }, { signal });
    const parts = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
    for (const same of [messages, parts]) {
      const completion = await client.chat.completions.create({
        model,
        messages: [...same] as OpenAI.ChatCompletionMessageParam[],
        ...exact,
      });
      expect(completion).toMatchObject({
        object: 'chat.completion',
        choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'length' }],
        usage: { prompt_tokens: 4, completion_tokens: 12 },
      });
    }
  });

  it('stream, with probabilities', async () => {
    const request = { model, messages: [...messages], temperature: 0, max_completion_tokens: 5 };
    const whole = await client.chat.completions.create({ ...request, logprobs: true });
    const stream = await client.chat.completions.create({
      ...request,
      stream: true,
      logprobs: true,
      top_logprobs: 2,
    });
    let text = '';
    const logprobs: number[] = [];
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      for (const { logprob, top_logprobs } of choices[0]?.logprobs?.content ?? []) {
        expect(top_logprobs.map((top) => top.logprob)[0]).toBe(logprob);
        logprobs.push(logprob);
      }
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    const expected = whole.choices[0]?.logprobs?.content?.map(({ logprob }) => logprob);
    expect(logprobs).toEqual(expected?.map((value) => expect.closeTo(value, 5)));
    expect(logprobs).toHaveLength(5);
  });
});

describe('embeddings', () => {
  const { cases: rows } = JSON.parse(readFileSync(join(fixtures, 'encoder/expected.json'), 'utf8'));

  test.each(['float', 'base64'] as const)('as %s', async (encoding_format) => {
    const { data, usage } = await clientOf(encoder).embeddings.create({
      model: 'encoder',
      input: rows.map(({ text }: { text: string }) => text),
      encoding_format,
    });
    expect(usage.prompt_tokens).toBe(17);
    for (const [index, { embedding }] of data.entries()) {
      const vector =
        encoding_format === 'float'
          ? embedding
          : [...new Float32Array(Uint8Array.from(Buffer.from(String(embedding), 'base64')).buffer)];
      expect(vector).toEqual(rows[index].mean.map((value: number) => expect.closeTo(value, 5)));
    }
  });

  it('as the client asks for them by itself', async () => {
    const { data } = await clientOf(encoder).embeddings.create({ model: 'encoder', input: 'Dogs' });
    expect(data[0]?.embedding[0]).toBeCloseTo(rows[1].mean[0], 5);
  });
});

test('loglikelihoods over HTTP are those in process', async () => {
  const settings = { takes: 'text', baseUrl: causal.url, model, source: [] } as const;
  const likelihood = await findLikelihood(settings, signal);
  expect(likelihood).toMatchObject({ how: 'echo', takesLists: true });
  const remote = openAiModel({ ...settings, likelihood });
  const texts = [
    ...cases.flatMap(({ text }) => [0, 1, text.length - 1].map((from) => ({ text, from }))),
    { text: 'x A', from: 2 },
    { text: '<bos>qx', from: 0 },
  ];
  const [over, within] = await Promise.all(
    [remote, local].map(async (model) => {
      const result = await model.loglikelihoodModel?.measure({ texts }, { signal });
      return loglikelihoodsOf(texts, result?.logprobs ?? []);
    }),
  );
  for (const [index, loglikelihood] of (within ?? []).entries()) {
    expect(over?.[index]).toEqual({
      ...loglikelihood,
      logprob: expect.closeTo(loglikelihood.logprob, 4),
    });
  }
  await remote.close();
});

test.each([false, true])('answers over HTTP are those in process (stream: %s)', async (stream) => {
  const settings = { takes: 'text', baseUrl: causal.url, model, source: [], stream } as const;
  const remote = openAiModel({ ...settings, generationKwargs: { temperature: 0 } });
  for (const { text } of cases) {
    const request = { prompt: { type: 'text', text }, maxOutLen: 12, stop: ['bb'] } as const;
    const [over, within] = await Promise.all(
      [remote, local].map((model) => model.generate(request, { signal })),
    );
    expect([over?.text, over?.finishReason]).toEqual([within?.text, within?.finishReason]);
    expect(over?.usage).toMatchObject({ inputTokens: within?.usage?.inputTokens });
  }
  await remote.close();
});

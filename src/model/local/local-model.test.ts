import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { Prompt } from '../../prompt/prompt.ts';
import { loglikelihoodsOf } from '../loglikelihoods-of.ts';
import type { Model } from '../model.ts';
import { localModel } from './local-model.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(join(fixtures, name, 'expected.json'), 'utf8')).cases;

const model = await localModel({ path: join(fixtures, 'causal') });
const encoder = await localModel({ path: join(fixtures, 'encoder') });
afterAll(() => Promise.all([model.close(), encoder.close()]));

const signal = AbortSignal.timeout(60_000);
const text = (text: string): Prompt => ({ type: 'text', text });

interface Case {
  readonly text: string;
  readonly ids: number[];
  readonly greedy: number[];
  readonly logprobs: number[];
}
const cases: Case[] = expectedOf('causal');
const [first] = cases as [Case];
const answerOf = ({ greedy }: Case) => Buffer.from(greedy).toString();

describe('answers', () => {
  it.each(cases)('to $text are the recorded ones', async (row) => {
    const result = await model.generate({ prompt: text(row.text), maxOutLen: 12 }, { signal });
    expect(result).toMatchObject({
      text: answerOf(row),
      finishReason: 'length',
      usage: { inputTokens: row.ids.length, outputTokens: 12 },
    });
    expect(result.firstTokenMs).toBeLessThanOrEqual(result.totalMs);
  });

  it('end before a stop text', async () => {
    const stop = [answerOf(first).slice(3, 5)];
    const prompt = text(first.text);
    expect(await model.generate({ prompt, stop, maxOutLen: 12 }, { signal })).toMatchObject({
      text: answerOf(first).slice(0, 3),
      finishReason: 'stop',
    });
  });

  it('follow the chat template of the folder', async () => {
    const messages = [{ role: 'user', content: 'q' }];
    const prompt = { type: 'messages', messages } as const;
    const same = text('<bos><user>q<end>');
    const [chat, plain] = await Promise.all(
      [prompt, same].map((prompt) => model.generate({ prompt, maxOutLen: 8 }, { signal })),
    );
    expect(chat?.text).toBe(plain?.text);
    expect(chat?.usage?.inputTokens).toBe(4);
    expect(JSON.parse(model.encode({ prompt })).prompt).toBe('<bos><user>q<end>');
  });

  it('to token ids among the text', async () => {
    const { usage } = await model.generate(
      { prompt: { type: 'text', text: 'ab', pieces: ['x', [263, 264], 'y'] }, maxOutLen: 1 },
      { signal },
    );
    expect(usage?.inputTokens).toBe(5);
  });

  it('differ by seed, prompt and temperature, and by nothing else', async () => {
    const ask = async (settings: Record<string, unknown>, seed?: number, prompt = first.text) =>
      (await model.generate({ prompt: text(prompt), maxOutLen: 12, settings, seed }, { signal }))
        .text;
    const hot = { temperature: 2, top_p: 0.99, top_k: 100 };
    const [a, again, other, elsewhere] = await Promise.all([
      ask(hot, 1),
      ask({ ...hot, seed: 1 }),
      ask(hot, 2),
      ask(hot, 1, 'q'),
    ]);
    expect(again).toBe(a);
    expect(await ask(hot, 1)).toBe(a);
    expect(other).not.toBe(a);
    expect(elsewhere).not.toBe(a);
    expect(await ask({ seed: 7 })).toBe(answerOf(first));
  });

  it('of no length need nothing', async () => {
    expect(await model.generate({ prompt: text('q'), maxOutLen: 0 }, { signal })).toMatchObject({
      text: '',
      finishReason: 'length',
      usage: { outputTokens: 0 },
    });
  });

  it('end where the context does', async () => {
    const prompt = text('x'.repeat(90));
    const { usage, finishReason } = await model.generate({ prompt }, { signal });
    expect([usage?.inputTokens, usage?.outputTokens, finishReason]).toEqual([91, 5, 'length']);
    const full = { prompt: text('x'.repeat(95)), maxOutLen: 0 };
    expect(await model.generate(full, { signal })).toMatchObject({ usage: { inputTokens: 96 } });
  });
});

describe('loglikelihoods', () => {
  const measure = async (...texts: [string, number][]) => {
    const request = { texts: texts.map(([text, from]) => ({ text, from })) };
    const result = await model.loglikelihoodModel?.measure(request, { signal });
    return loglikelihoodsOf(request.texts, result?.logprobs ?? []);
  };

  it('of whole texts count every token, for the begin token precedes them', async () => {
    const found = await measure(...cases.map(({ text }): [string, number] => [text, 0]));
    for (const [index, { logprobs }] of cases.entries()) {
      const sum = logprobs.reduce((a, b) => a + b);
      expect(found[index]?.logprob).toBeCloseTo(sum, 3);
      expect(found[index]?.tokens).toBe(logprobs.length);
    }
  });

  it('of parts count the tokens that end in them', async () => {
    const sumAfter = (from: number) => first.logprobs.slice(from).reduce((a, b) => a + b, 0);
    const found = await measure([first.text, 8], [first.text, 4], [first.text, 9], ['x A', 2]);
    expect(found).toMatchObject([
      { logprob: expect.closeTo(sumAfter(8), 4), tokens: 1 },
      { logprob: expect.closeTo(sumAfter(4), 4), tokens: 5 },
      { logprob: 0, tokens: 0 },
      { tokens: 1, spanning: ' A' },
    ]);
  });

  it('of Japanese count bytes', async () => {
    const row = cases.find(({ text }) => text.startsWith('日')) as Case;
    const [found] = await measure([row.text, 2]);
    const sum = row.logprobs.slice(6).reduce((a, b) => a + b);
    expect(found).toMatchObject({ logprob: expect.closeTo(sum, 4), tokens: 6 });
  });

  it('tell whether a text is what the model would write', async () => {
    const prompt = 'q';
    const { text: answer } = await model.generate(
      { prompt: text(prompt), maxOutLen: 2 },
      { signal },
    );
    const [own, other] = await measure([prompt + answer, 1], [`${prompt}zz`, 1]);
    expect([own?.isGreedy, other?.isGreedy]).toEqual([true, false]);
  });

  it('need no begin token that the text brings', async () => {
    const [given, added] = await measure(['<bos>qx', 0], ['qx', 0]);
    const logprob = expect.closeTo(added?.logprob ?? 0, 6);
    expect(given).toEqual({ ...added, logprob, skipped: '<bos>'.length });
  });
});

test('tokens are counted without those that begin a text', () => {
  expect(model.countTokens?.('x Aabc日')).toBe(6);
});

describe('refused on the row concerned', () => {
  const long = 'x'.repeat(96);
  const exceeded = {
    code: 'model.context_exceeded',
    retryable: false,
    message: expect.stringMatching(/97 tokens.* 9[56]$/),
  };

  it('a prompt longer than the context', async () => {
    await expect(model.generate({ prompt: text(long) }, { signal })).rejects.toMatchObject(
      exceeded,
    );
  });

  it('a text longer than the context', async () => {
    const texts = [{ text: long, from: 0 }];
    await expect(model.loglikelihoodModel?.measure({ texts }, { signal })).rejects.toMatchObject(
      exceeded,
    );
  });

  test.each([
    [{ temprature: 1 }, 'Did you mean `temperature`?'],
    [{ temperature: -1 }, 'a number, 0 or above'],
    [{ top_p: 0 }, 'above 0 and at most 1'],
    [{ top_k: 1.5 }, 'a whole number'],
    [{ seed: 'x' }, 'a whole number'],
  ])('settings such as %j', async (settings, hint) => {
    await expect(model.generate({ prompt: text('q'), settings }, { signal })).rejects.toMatchObject(
      { code: 'model.bad_setting', hint: expect.stringContaining(hint) },
    );
  });
});

test('settings that do not fit are refused before the model is loaded', async () => {
  const source = ['models', 0, 'path'];
  const settings = { path: 'nowhere', source, generationKwargs: { topp: 1 } };
  await expect(localModel(settings)).rejects.toMatchObject({
    name: 'ConfigError',
    code: 'model.bad_setting',
    path: ['models', 0, 'generation_kwargs'],
    hint: expect.stringContaining('Did you mean `top_p`?'),
  });
});

test('what is aborted ends at once', async () => {
  const controller = new AbortController();
  const answer = model.generate({ prompt: text('q') }, { signal: controller.signal });
  const texts = [{ text: 'abc', from: 0 }];
  const measuring = model.loglikelihoodModel?.measure({ texts }, { signal: controller.signal });
  controller.abort(new Error('no more'));
  await expect(answer).rejects.toThrow('no more');
  await expect(measuring).rejects.toThrow('no more');
  await expect(model.generate({ prompt: text('q') }, controller)).rejects.toThrow('no more');
});

describe('an encoder', () => {
  const rows: { text: string; mean: number[]; cls: number[] }[] = expectedOf('encoder');
  const embed = async (encoder: Model) =>
    (await encoder.embedder?.embed(
      rows.map(({ text }) => text),
      { signal },
    )) ?? [];
  const round = (vectors: readonly Float32Array[]) =>
    vectors.map((vector) => [...vector].map((value) => expect.closeTo(value, 5)));

  it('gives the recorded vectors, and cuts texts that do not fit', async () => {
    expect(rows.map(({ mean }) => mean)).toEqual(round(await embed(encoder)));
  });

  it('can only embed', async () => {
    expect([...encoder.abilities]).toEqual(['embed', 'tokenize']);
    await expect(encoder.generate({ prompt: text('a') }, { signal })).rejects.toMatchObject({
      code: 'model.ability_missing',
    });
    expect(await encoder.embedder?.embed([], { signal })).toEqual([]);
  });
});

test('names and identities', () => {
  expect([model.name, encoder.name]).toEqual(['causal', 'encoder']);
  expect(model.identity).toEqual({
    type: 'local',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a closed model answers no more', async () => {
  const closed = await localModel({ path: join(fixtures, 'causal'), name: 'c' });
  const last = closed.generate({ prompt: text(first.text), maxOutLen: 12 }, { signal });
  await closed.close();
  expect((await last).text).toBe(answerOf(first));
  await expect(closed.generate({ prompt: text('q') }, { signal })).rejects.toMatchObject({
    code: 'model.closed',
  });
});

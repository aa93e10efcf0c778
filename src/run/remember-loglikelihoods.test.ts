import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import { loglikelihoodsOf } from '../model/loglikelihoods-of.ts';
import { recallLoglikelihoods, rememberLoglikelihoods } from './remember-loglikelihoods.ts';

const options = { signal: new AbortController().signal };
const request = (text: string) => ({ texts: [{ text, from: 0 }] });

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-loglikelihoods-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const asked: string[] = [];
  const loglikelihoodModel: LoglikelihoodModel = {
    encode: ({ texts }) => JSON.stringify(texts),
    measure: async ({ texts }) => {
      asked.push(...texts.map(({ text }) => text));
      const logprobs = texts.map(({ text }) => ({
        starts: [0],
        values: [text === 'never' ? Number.NEGATIVE_INFINITY : -text.length],
      }));
      return { logprobs, totalMs: 1 };
    },
  };
  return { asked, loglikelihoodModel, memory: { folder, modelIdentity: 'm' } };
}

test('what was measured is not asked again, by the same model', async () => {
  const { asked, loglikelihoodModel, memory } = await setUp();
  const first = rememberLoglikelihoods(loglikelihoodModel, memory);
  const told = await first.loglikelihoodModel.measure(request('never'), options);
  await first.loglikelihoodModel.measure(request('abc'), options);
  await first.close();
  const again = rememberLoglikelihoods(loglikelihoodModel, memory);
  expect(await again.loglikelihoodModel.measure(request('never'), options)).toEqual(told);
  await again.loglikelihoodModel.measure(request('abcd'), options);
  await again.close();
  expect(asked).toEqual(['never', 'abc', 'abcd']);
  const other = rememberLoglikelihoods(loglikelihoodModel, { ...memory, modelIdentity: 'other' });
  await other.loglikelihoodModel.measure(request('abc'), options);
  await other.close();
  expect(asked).toHaveLength(4);
});

test('what was not measured is asked for, or refused', async () => {
  const { asked, loglikelihoodModel, memory } = await setUp();
  const silent = recallLoglikelihoods(loglikelihoodModel, { ...memory, mayAsk: false });
  await expect(silent.measure(request('abc'), options)).rejects.toMatchObject({
    code: 'model.no_loglikelihoods_kept',
  });
  const asking = recallLoglikelihoods(loglikelihoodModel, { ...memory, mayAsk: true });
  expect(await asking.measure(request('abc'), options)).toMatchObject({
    logprobs: [{ values: [-3] }],
  });
  expect(asked).toEqual(['abc']);
});

test('what was kept for one part of a text is read for another', async () => {
  const { memory } = await setUp();
  const said = { starts: [0, 2, 4], values: [-1, -2, -4] };
  const model: LoglikelihoodModel = {
    encode: ({ texts }) => JSON.stringify(texts.map(({ text }) => text)),
    measure: async ({ texts }) => ({ logprobs: texts.map(() => said), totalMs: 1 }),
  };
  const { loglikelihoodModel, close } = rememberLoglikelihoods(model, memory);
  for (const [from, logprob] of [
    [4, -4],
    [2, -6],
    [0, -7],
  ] as const) {
    const texts = [{ text: 'abcdef', from }];
    const { logprobs } = await loglikelihoodModel.measure({ texts }, options);
    expect(loglikelihoodsOf(texts, logprobs)).toMatchObject([{ logprob }]);
  }
  await close();
});

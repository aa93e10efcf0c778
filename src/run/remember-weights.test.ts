import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Weigher } from '../model/weigh.ts';
import { recallWeights, rememberWeights } from './remember-weights.ts';

const options = { signal: new AbortController().signal };
const request = (text: string) => ({ texts: [{ text, from: 0 }] });

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-weighed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const asked: string[] = [];
  const weigher: Weigher = {
    encode: ({ texts }) => JSON.stringify(texts),
    weigh: async ({ texts }) => {
      asked.push(...texts.map(({ text }) => text));
      const weights = texts.map(({ text }) => ({
        logprob: text === 'never' ? Number.NEGATIVE_INFINITY : -text.length,
        tokens: 1,
      }));
      return { weights, totalMs: 1 };
    },
  };
  return { asked, weigher, memory: { folder, modelIdentity: 'm' } };
}

test('what was weighed is not asked again, by the same model', async () => {
  const { asked, weigher, memory } = await setUp();
  const first = rememberWeights(weigher, memory);
  const told = await first.weigher.weigh(request('never'), options);
  await first.weigher.weigh(request('abc'), options);
  await first.close();
  const again = rememberWeights(weigher, memory);
  expect(await again.weigher.weigh(request('never'), options)).toEqual(told);
  await again.weigher.weigh(request('abcd'), options);
  await again.close();
  expect(asked).toEqual(['never', 'abc', 'abcd']);
  const other = rememberWeights(weigher, { ...memory, modelIdentity: 'other' });
  await other.weigher.weigh(request('abc'), options);
  await other.close();
  expect(asked).toHaveLength(4);
});

test('what was not weighed is asked for, or refused', async () => {
  const { asked, weigher, memory } = await setUp();
  const silent = recallWeights(weigher, { ...memory, mayAsk: false });
  await expect(silent.weigh(request('abc'), options)).rejects.toMatchObject({
    code: 'model.not_weighed',
  });
  const asking = recallWeights(weigher, { ...memory, mayAsk: true });
  expect(await asking.weigh(request('abc'), options)).toMatchObject({ weights: [{ logprob: -3 }] });
  expect(asked).toEqual(['abc']);
});

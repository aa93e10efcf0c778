import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../data/test-sources.ts';
import { ResponseCache } from './response-cache.ts';
import { keepVerdicts, verdictFolder } from './verdict-memory.ts';

const key = '0'.repeat(31);
const reply = (text: string) => ({ text, finishReason: 'stop', totalMs: 1 }) as const;

test('what a judge said is found again, by whoever opens the folder next', async () => {
  const folder = await makeFolder();
  const first = keepVerdicts(folder);
  expect(await first.of('j').find(`${key}1`)).toBeUndefined();
  expect(existsSync(verdictFolder(folder, 'j'))).toBe(false);
  first.of('j').keep(`${key}1`, reply('A'));
  expect((await first.of('j').find(`${key}1`))?.result.text).toBe('A');
  await first.close();
  const second = keepVerdicts(folder);
  expect((await second.of('j').find(`${key}1`))?.result.text).toBe('A');
  expect(await second.of('k').find(`${key}1`)).toBeUndefined();
  await second.close();
});

test('a fresh start knows only what was said since', async () => {
  const folder = await makeFolder();
  const cache = await ResponseCache.open(join(folder, 'cache'));
  const old = keepVerdicts(folder);
  old.share(cache);
  old.of('j').keep(`${key}1`, reply('A'));
  await old.close();
  const fresh = keepVerdicts(folder, { fresh: true });
  fresh.share(cache);
  expect(await fresh.of('j').find(`${key}1`)).toBeUndefined();
  fresh.of('j').keep(`${key}1`, reply('B'));
  expect((await fresh.of('j').find(`${key}1`))?.result.text).toBe('B');
  await fresh.close();
  await cache.close();
});

test('verdicts without numbers of tokens, or with half of them, are counted', async () => {
  const memory = keepVerdicts(await makeFolder());
  const judge = memory.of('j');
  const usages = [{ inputTokens: 5, outputTokens: 2 }, { inputTokens: 3 }, undefined];
  for (const [index, usage] of usages.entries()) {
    judge.keep(`${key}${index}`, { ...reply('A'), ...(usage && { usage: usage as never }) });
  }
  expect(memory.spent().tokens).toMatchObject({ input: 8, output: 2, untold: 2 });
  await memory.close();
});

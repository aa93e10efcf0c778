import { expect, test } from 'vitest';
import { ModelError } from '../../errors.ts';
import { askAll } from './ask-all.ts';

test('results come in order, with no more under way than allowed', async () => {
  let running = 0;
  let most = 0;
  const results = await askAll([5, 1, 3, 2, 4], {
    concurrency: 2,
    ask: async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    },
  });
  expect(results).toEqual([50, 10, 30, 20, 40]);
  expect(most).toBe(2);
});

const failure = (retryable: boolean) =>
  new ModelError('model.server_error', 'down', { retryable, retryAfterMs: 0 });

test('what may succeed later is tried again', async () => {
  let attempts = 0;
  const results = await askAll(['a'], {
    concurrency: 3,
    ask: async () => {
      attempts += 1;
      if (attempts < 3) throw failure(true);
      return attempts;
    },
  });
  expect(results).toEqual([3]);
});

test('what may not ends the whole, and nothing more is asked', async () => {
  const asked: number[] = [];
  const all = askAll([0, 1, 2, 3], {
    concurrency: 1,
    ask: async (item) => {
      asked.push(item);
      if (item === 1) throw failure(false);
    },
  });
  await expect(all).rejects.toMatchObject({ code: 'model.server_error' });
  expect(asked).toEqual([0, 1]);
});

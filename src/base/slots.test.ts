import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('only so many at once', async () => {
  const slots = new Slots(2);
  let running = 0;
  let max = 0;
  const work = async () => {
    running += 1;
    max = Math.max(max, running);
    await sleep(1);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 7 }, () => slots.use(work)));
  expect([max, running]).toEqual([2, 0]);
  await expect(slots.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await Promise.all([slots.use(work), slots.use(work)]);
  expect(max).toBe(2);
});

test('maps in order', async () => {
  const results = await new Slots(2).map([3, 1, 2], async (ms, index) => {
    await sleep(ms);
    return `${index}: ${ms}`;
  });
  expect(results).toEqual(['0: 3', '1: 1', '2: 2']);
});

test('begins nothing more after a failure', async () => {
  const begun: number[] = [];
  const mapped = new Slots(2).map([0, 1, 2, 3, 4, 5], async (item) => {
    begun.push(item);
    await sleep(1);
    if (item === 1) throw new Error('no');
  });
  await expect(mapped).rejects.toThrow('no');
  await sleep(5);
  expect(begun).toEqual([0, 1, 2]);
});

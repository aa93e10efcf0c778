import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const { signal } = new AbortController();
const pause = () => new Promise((resolve) => setImmediate(resolve));

it('clients take turns, however much each waits for', async () => {
  const queue = new FairQueue(2);
  const done: string[] = [];
  const use = (client: string, name: string) =>
    queue.use({ client, signal }, async () => {
      await pause();
      done.push(name);
    });
  const many = Array.from({ length: 200 }, (_, index) => use('many', `many ${index}`));
  const few = [use('few', 'few 0'), use('few', 'few 1'), use('other', 'other 0')];
  await Promise.all([...many, ...few]);
  expect(done).toHaveLength(203);
  expect(done.indexOf('few 0')).toBeLessThan(6);
  expect(done.indexOf('other 0')).toBeLessThan(6);
  expect(done.indexOf('few 1')).toBeLessThan(9);
  const own = done.filter((name) => name.startsWith('many'));
  expect(own).toEqual(Array.from({ length: 200 }, (_, index) => `many ${index}`));
});

it('those that went away and those that failed leave their places to others', async () => {
  const queue = new FairQueue(1);
  const gone = new AbortController();
  let end: (() => void) | undefined;
  const first = queue.use({ client: 'a', signal }, async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    throw new Error('failed');
  });
  const waiting = Array.from({ length: 50 }, () =>
    queue.use({ client: 'b', signal: gone.signal }, async () => 'computed'),
  );
  const last = queue.use({ client: 'c', signal }, async () => 'computed');
  gone.abort(new Error('gone'));
  end?.();
  await expect(first).rejects.toThrow('failed');
  for (const one of waiting) await expect(one).rejects.toThrow('gone');
  expect(await last).toBe('computed');
  expect(queue.clients).toBe(0);
  await expect(queue.use({ client: 'b', signal: gone.signal }, async () => 1)).rejects.toThrow();
  expect(await queue.use({ client: 'a', signal }, async () => 1)).toBe(1);
});

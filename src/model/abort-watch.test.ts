import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AbortWatch, Indexed, TimeLimit } from './abort-watch.ts';

test('indexes are used again, and only what is there is given', () => {
  const things = new Indexed<string>();
  const [a, b] = [things.add('a'), things.add('b')];
  things.remove(a);
  expect([things.all, things.isEmpty]).toEqual([['b'], false]);
  expect(things.add('c')).toBe(a);
  things.remove(a);
  things.remove(b);
  expect([things.all, things.isEmpty]).toEqual([[], true]);
});

test('an abort reaches those requests that have not ended', () => {
  const watch = new AbortWatch();
  const { signal, abort } = abortable();
  const aborted: string[] = [];
  const request = (name: string) => ({ abort: () => aborted.push(name) });
  watch.remove(signal, watch.add(signal, request('ended')));
  watch.add(signal, request('first'));
  watch.add(signal, request('second'));
  abort();
  expect(aborted).toEqual(['first', 'second']);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

test('one timer ends each request that takes too long at its own time', async () => {
  const limit = new TimeLimit(60);
  const ended = new Map<string, number>();
  const begin = (name: string) => {
    const startedAt = performance.now();
    const index = limit.start({
      startedAt,
      expire: () => {
        limit.end(index);
        ended.set(name, performance.now() - startedAt);
      },
    });
    return index;
  };
  begin('first');
  await wait(30);
  begin('second');
  limit.end(begin('quick'));
  await wait(400);
  begin('late');
  await wait(400);
  expect([...ended.keys()]).toEqual(['first', 'second', 'late']);
  for (const ms of ended.values()) expect(ms).toBeGreaterThanOrEqual(60);
});

test('a limit beyond what timers can do does not end at once', async () => {
  const limit = new TimeLimit(2 ** 40);
  let isEnded = false;
  limit.start({
    startedAt: performance.now(),
    expire: () => {
      isEnded = true;
    },
  });
  await wait(50);
  expect(isEnded).toBe(false);
});

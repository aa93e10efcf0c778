import { expect, test } from 'vitest';
import type { RunJob } from './evaluation-run.ts';
import { RetryQueue, SharedRequests } from './waiting-jobs.ts';

const job = (key: string) => ({ key }) as unknown as RunJob;

test('jobs come when they are due, those of one time in the order in which they came', () => {
  const queue = new RetryQueue();
  expect([queue.size, queue.dueAt, queue.takeDue(1e9)]).toEqual([
    ...[0, Number.POSITIVE_INFINITY, undefined],
  ]);
  for (const [key, dueAt] of Object.entries({ b: 20, c: 30, a: 10, d: 20, e: 5 })) {
    queue.add(job(key), dueAt);
  }
  expect([queue.size, queue.dueAt]).toEqual([5, 5]);
  expect(queue.takeDue(4)).toBeUndefined();
  expect(queue.takeDue(5)).toEqual({ key: 'e' });
  const rest = [20, 20, 20, 20, 30].map((now) => queue.takeDue(now)?.key);
  expect(rest).toEqual(['a', 'b', 'd', undefined, 'c']);
  expect(queue.size).toBe(0);
});

test('who asks the same waits for the answer that is on its way', () => {
  const shared = new SharedRequests();
  expect(shared.join(job('a'))).toBe(false);
  shared.start(job('a'));
  expect([shared.join(job('a')), shared.join(job('a')), shared.join(job('b'))]).toEqual([
    ...[true, true, false],
  ]);
  expect(shared.size).toBe(2);
  expect(shared.end(job('a'))).toHaveLength(2);
  expect([shared.size, shared.end(job('a'))]).toEqual([0, []]);
});

import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { eventStream } from './event-stream.ts';

const { signal } = new AbortController();

test('values, then that it is done', async () => {
  const response = eventStream(async (send) => {
    send({ a: 1 });
    await Promise.resolve();
    send('日');
  }, signal);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe('data: {"a":1}\n\ndata: "日"\n\ndata: [DONE]\n\n');
});

test('an error ends the stream', async () => {
  const response = eventStream(async (send) => {
    send(1);
    throw new ApiError(400, 'no');
  }, signal);
  expect(await response.text()).toMatch(/^data: 1\n\ndata: \{"error":\{"message":"no".*\n\n$/);
});

test('a reader that goes away ends the work', async () => {
  let ended: unknown;
  const response = eventStream(async (send, signal) => {
    send(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    send(2);
    ended = signal.reason;
  }, signal);
  await response.body?.cancel();
  await new Promise(setImmediate);
  expect(ended).toEqual(new Error('the client went away'));
});

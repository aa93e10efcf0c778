import { describe, expect, it } from 'vitest';
import { readAnswer, readUnit } from './wire.ts';

describe('what came over the queue', () => {
  it.each([
    ['no JSON', 'x'],
    ['no answer', '{}'],
    ['a name that is no text', '{"key": 5, "result": {"text": "a"}}'],
    ['neither a result nor an error', '{"key": "k"}'],
    ['a text that is none', '{"key": "k", "result": {"text": 5}}'],
    ['a list for a text', '{"key": "k", "result": {"text": ["a"]}}'],
    ['loglikelihoods that are none', '{"key": "k", "result": {"logprobs": 5}}'],
    ['loglikelihoods of a wrong kind', '{"key": "k", "result": {"logprobs": [{"values": "x"}]}}'],
    ['an error that is none', '{"key": "k", "error": "x"}'],
    ['an error without words', '{"key": "k", "error": {"code": "a"}}'],
  ])('%s is nothing', (_, text) => {
    expect(readAnswer(text)).toBeUndefined();
  });

  it('an answer and an error are what they were', () => {
    expect(readAnswer('{"key": "k", "result": {"text": "a", "totalMs": 1}}')).toEqual({
      key: 'k',
      result: { text: 'a', totalMs: 1 },
    });
    const error = { message: 'no', code: 'model.server_error', retryable: true, status: 500 };
    expect(readAnswer(JSON.stringify({ key: 'k', error }))?.error).toMatchObject(error);
    expect(readAnswer('{"key": "k", "error": {"message": "no"}}')?.error).toEqual(new Error('no'));
  });

  it.each([
    null,
    5,
    {},
    { run: 1, requests: [] },
    { run: 'r', requests: [{}] },
    { run: 'r', requests: [{ key: 'k', body: 5 }] },
    { run: 'r', requests: [{ key: 'k', texts: [{ text: 1, from: 0 }] }] },
    { run: 'r', requests: 'all' },
  ])('%j is no unit', (data) => {
    expect(readUnit(data)).toBeUndefined();
  });
});

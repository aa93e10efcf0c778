import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  harness,
  loglikelihoodKey,
  promptHash,
  requestKey,
  rowHash,
  scoringHash,
  textHash,
  textsHash,
} from './key.ts';

const sha = (text: string) => hash('sha256', text, 'hex');

test.each(['', 'short', 'é🙂\ud800', 'x'.repeat(4096), `${'🙂 und '.repeat(3000)}\udc00`])(
  'long texts are hashed by parts, and to the same',
  (text) => {
    expect(requestKey(text, 'm')).toBe(sha(`${harness}\nm\n0\n${text}`).slice(0, 32));
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: text },
    ] as const;
    const whole = `messages\0system\u00009\0Be brief.\0user\0${text.length}\0${text}`;
    expect(promptHash({ type: 'messages', messages })).toBe(sha(whole).slice(0, 16));
    expect(rowHash({ q: text, a: '1' })).toBe(sha(`q\0${text}\0a\u00001\0`).slice(0, 12));
  },
);

test('what is kept on record stays what it was', () => {
  expect(textHash('a')).toBe(sha('a').slice(0, 16));
  expect(promptHash({ type: 'text', text: 'a' })).toBe(sha('a').slice(0, 16));
  expect(textsHash([{ text: 'ab', from: 1 }])).toBe(sha('[["ab",1]]').slice(0, 16));
  expect(requestKey('b', 'm', 3)).toBe(sha(`${harness}\nm\n3\nb`).slice(0, 32));
  expect(scoringHash('s', 'g', 'r')).toBe(sha('s\ng\nr').slice(0, 8));
  expect(scoringHash('s', undefined, 'r')).toBe(sha('s\n\nr').slice(0, 8));
  expect(scoringHash('s', ['a'], 'r')).toBe(sha('s\n["a"]\nr').slice(0, 8));
  const model = { encode: () => 'sent', identify: () => 'which' } as never;
  const request = { texts: [] } as never;
  expect(loglikelihoodKey(model, request, 'm')).toBe(
    requestKey('logprobs of tokens 1\nwhich\nsent', 'm'),
  );
  expect(loglikelihoodKey(model, { texts: [], body: 'given' }, 'm')).toBe(
    requestKey('logprobs of tokens 1\nwhich\ngiven', 'm'),
  );
});

test('the same row has the same hash, another one its own', () => {
  const row = { a: 1, b: '2' };
  expect([rowHash(row), rowHash(row), rowHash({ ...row })]).toEqual(Array(3).fill(rowHash(row)));
  expect(rowHash({ b: '2', a: 1 })).not.toBe(rowHash(row));
  expect(rowHash({ a: 1, b: '3' })).not.toBe(rowHash(row));
});

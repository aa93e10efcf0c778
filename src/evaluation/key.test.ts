import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { harness, promptHash, requestKey, rowHash } from './key.ts';

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

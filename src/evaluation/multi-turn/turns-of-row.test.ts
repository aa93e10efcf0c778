import { expect, test } from 'vitest';
import { rowOfTurn, saidBy } from './turns-of-row.ts';

test('each turn sees its own element of lists that are as long as the dialogue', () => {
  const row = { a: [1, 2], b: [1, 2, 3], c: [1], d: 'x' };
  expect(rowOfTurn(row, 1, 2)).toEqual({ a: 2, b: [1, 2, 3], c: [1], d: 'x' });
});

test('what a side said is told if each turn of it is a message of its own', () => {
  const messages = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: '1' },
    { role: 'user', content: 'two' },
  ] as const;
  const prompt = { type: 'messages', messages } as unknown as Parameters<typeof saidBy>[1];
  expect(saidBy('user', prompt, 2)).toEqual(['one', 'two']);
  expect(saidBy('user', prompt, 1)).toEqual([]);
  expect(saidBy('user', prompt, 3)).toEqual([]);
  expect(saidBy('assistant', prompt, 1)).toEqual(['1']);
  expect(saidBy('user', { type: 'text', text: 'one' }, 1)).toEqual([]);
});

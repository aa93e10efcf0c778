import { expect, test } from 'vitest';
import type { Prompt } from '../prompt/prompt.ts';
import { countTokens } from './fit-context.ts';

const words = (text: string) => text.split(' ').length;

test.each<[name: string, prompt: Prompt, tokens: number]>([
  ['a text', { type: 'text', text: 'a b c' }, 3],
  ['texts and token ids', { type: 'text', text: 'a b<s>', pieces: ['a b', [1, 2, 3, 4]] }, 6],
  ['messages', { type: 'messages', messages: [{ role: 'user', content: 'a b' }] }, 2],
  [
    'parts of messages',
    {
      type: 'messages',
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', content: [{ type: 'text', text: 'b c d' }] },
      ],
    },
    4,
  ],
])('the tokens of %s', (_, prompt, tokens) => {
  expect(countTokens(prompt, words)).toBe(tokens);
});

test('without a tokenizer a token has four bytes', () => {
  expect(countTokens({ type: 'text', text: '三四 x' })).toBe(2);
});

import { expect, test } from 'vitest';
import { countTokens } from '../../evaluation/fit-context.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { charactersOf } from './measure-prompt.ts';

const text = (content: string): Prompt => ({ type: 'text', text: content });
const chat = (...messages: [role: string, content: string][]): Prompt => ({
  type: 'messages',
  messages: messages.map(([role, content]) => ({ role, content })),
});

test('sizes', () => {
  expect(charactersOf(chat(['system', 'ab'], ['user', 'c']))).toBe(3);
  expect(countTokens(text('日本語 12'), undefined)).toBe(3);
  const words = (content: string) => content.split(' ').length;
  expect(countTokens(chat(['system', '1 2'], ['user', '3']), words)).toBe(3);
  expect(countTokens({ type: 'text', text: '1 2', pieces: [[7], '1 2'] }, words)).toBe(3);
});

import { expect, test } from 'vitest';
import { countTokens } from '../../evaluation/fit-context.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { charactersOf, sharedCharacters } from './measure-prompt.ts';

const text = (content: string): Prompt => ({ type: 'text', text: content });
const chat = (...messages: [role: string, content: string][]): Prompt => ({
  type: 'messages',
  messages: messages.map(([role, content]) => ({ role, content })),
});

test.each<[Prompt, Prompt, number]>([
  [text('abc'), text('abd'), 2],
  [text('abc'), text('abc'), 3],
  [text('ab'), text('abc'), 2],
  [text(''), text('a'), 0],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'ab'], ['user', 'cd']), 3],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'abx'], ['user', 'c']), 2],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'ab'], ['assistant', 'c']), 2],
  [chat(['user', 'ab']), chat(['user', 'ab'], ['assistant', 'c']), 2],
])('%j and %j share %i', (left, right, shared) => {
  expect(sharedCharacters(left, right)).toBe(shared);
  expect(sharedCharacters(right, left)).toBe(shared);
});

test('sizes', () => {
  expect(charactersOf(chat(['system', 'ab'], ['user', 'c']))).toBe(3);
  expect(countTokens(text('日本語 12'), undefined)).toBe(3);
  const words = (content: string) => content.split(' ').length;
  expect(countTokens(chat(['system', '1 2'], ['user', '3']), words)).toBe(3);
  expect(countTokens({ type: 'text', text: '1 2', pieces: [[7], '1 2'] }, words)).toBe(3);
});

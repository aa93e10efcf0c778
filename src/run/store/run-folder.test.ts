import { expect, it } from 'vitest';
import { fileName } from './run-folder.ts';

it.each([
  ['gpt-4.1_mini', 'gpt-4.1_mini'],
  ['Qwen/Qwen3 8B', 'Qwen%2fQwen3%208B'],
  ['質問', '質問'],
  ['a%2fb', 'a%252fb'],
  ['🙂', '%1f642'],
  ['..', '%2e.'],
  ['.', '%2e'],
  ['..a', '..a'],
])('%j becomes %j', (name, file) => {
  expect(fileName(name)).toBe(file);
});

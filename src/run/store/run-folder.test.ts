import { expect, it } from 'vitest';
import { fileName, modelFolder } from './run-folder.ts';

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

it.each([
  ['.lock', '%2elock'],
  ['.lock.claim-1', '%2elock.claim-1'],
  ['run.json', '%72un.json'],
  ['summary.json', '%73ummary.json'],
  ['.locker', '.locker'],
  ['report', 'report'],
])('the folder of the model %j is %j', (name, folder) => {
  expect(modelFolder(name)).toBe(folder);
});

it('names that are too long are cut, and stay different', () => {
  const names = [1, 2].map((end) => `${'質'.repeat(300)}${end}`);
  const files = names.map(fileName);
  expect(files[0]).toMatch(/^質{66}~[0-9a-f]{16}$/);
  expect(new Set(files).size).toBe(2);
  expect(fileName('x'.repeat(240))).toBe('x'.repeat(240));
});

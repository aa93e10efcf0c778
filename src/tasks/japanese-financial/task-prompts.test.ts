import { expect, test } from 'vitest';
import type { Dialect } from './dialects.ts';
import type { TaskDocument } from './documents.ts';
import { loadDocuments } from './load-documents.ts';
import { taskNamed } from './task-names.ts';
import { taskPrompts } from './task-prompts.ts';
import { loadTemplate } from './template.ts';

// Prompts of all tasks and dialects are compared with recorded ones in test/conformance.

interface Asked {
  readonly dialect?: Dialect;
  readonly numFewshot?: number;
  readonly limit?: number;
}

async function promptsOf(name: string, documents: readonly TaskDocument[], asked: Asked = {}) {
  const { dialect = 'main', numFewshot = 0, limit } = asked;
  const template = await loadTemplate(taskNamed(name), { dialect });
  return [...taskPrompts(template, documents, { numFewshot, limit })];
}

const question = (id: number, rest: Partial<TaskDocument> = {}): TaskDocument => ({
  id,
  question: 'Q{choices}',
  context: null,
  choices: [
    { id: 0, text: '{letter}' },
    { id: 1, text: '$&' },
  ],
  answer: 1,
  ...rest,
});

test('values are text: what looks like a place in them stays', async () => {
  const [prompt] = await promptsOf('cma_basics-1.0-0.1.2', [question(0)]);
  expect(prompt?.context).toContain('[問題]:Q{choices}\n[選択肢]:[A:{letter}, B:$&]\n[答え]:');
  expect(prompt).toMatchObject({ continuations: ['A', 'B'], target: 'B' });
});

test('answers go by the number of a choice, not by its place', async () => {
  const choices = [
    { id: 4, text: 'four' },
    { id: 2, text: 'two' },
  ];
  const documents = [question(0, { choices, answer: 2 })];
  const [letters] = await promptsOf('cma_basics', documents);
  expect(letters).toMatchObject({ continuations: ['E', 'C'], target: 'C' });
  const [texts] = await promptsOf('cma_basics-1.0-0.1', documents);
  expect(texts).toMatchObject({ continuations: ['four', 'two'], target: 'two' });
});

test.each([
  ['v0.1.0', '\n\n'],
  ['v0.2.0', '\n\n'],
  ['main', ''],
] as const)('%s: where every example is the document itself', async (dialect, block) => {
  const same = [question(0), question(0)];
  const [alone] = await promptsOf('fp2', same, { dialect });
  const [prompt] = await promptsOf('fp2', same, { dialect, numFewshot: 1 });
  const template = await loadTemplate(taskNamed('fp2'), { dialect });
  expect(prompt?.shots).toEqual([]);
  expect(prompt?.context).toBe(
    template.description + block + alone?.context.slice(template.description.length),
  );
});

test('a limit takes the first of the order and changes none of them', async () => {
  const { documents } = await loadDocuments('chabsa');
  const all = await promptsOf('chabsa', documents, { dialect: 'v0.1.0', numFewshot: 2 });
  const some = await promptsOf('chabsa', documents, { dialect: 'v0.1.0', numFewshot: 2, limit: 3 });
  expect(some).toEqual(all.slice(0, 3));
});

test.each([
  ['v0.1.0', 2],
  ['main', 3],
] as const)('%s cannot draw %i examples from two documents', async (dialect, numFewshot) => {
  const documents = [question(0), question(1)];
  await expect(promptsOf('fp2', documents, { dialect, numFewshot })).rejects.toMatchObject({
    code: 'task.too_few_documents',
  });
});

import { expect, test } from 'vitest';
import { joinSpans } from '../../../prompt/origin.ts';
import type { TaskDocument } from '../data/documents.ts';
import { loadDocuments } from '../data/load-documents.ts';
import { type Dialect, dialects } from './dialects.ts';
import { namedTasks, taskNamed } from './task-names.ts';
import { taskPrompts, traceTaskPrompt } from './task-prompts.ts';
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

test.each(dialects)('%s: the traces of all templates are their prompts', async (dialect) => {
  for (const named of namedTasks) {
    const template = await loadTemplate(named, { dialect });
    const { documents } = await loadDocuments(named.task);
    for (const numFewshot of [0, 2]) {
      for (const prompt of taskPrompts(template, documents, { numFewshot })) {
        const { context, continuations } = traceTaskPrompt(template, documents, prompt);
        expect(joinSpans(context)).toBe(prompt.context);
        expect(continuations.map(joinSpans)).toEqual(prompt.continuations);
      }
    }
  }
});

test('a trace names the template, the columns, and the document and number of an example', async () => {
  const documents = [question(0, { context: 'C' }), question(1, { question: 'R' })];
  const name = 'cma_basics-1.0-0.1.2';
  const template = await loadTemplate(taskNamed(name), { dialect: 'main' });
  const [prompt] = taskPrompts(template, documents, { numFewshot: 1, limit: 1 });
  if (!prompt) throw new Error('no prompt');
  const { context, continuations } = traceTaskPrompt(template, documents, prompt);
  const lines = context.map(({ text, origin }) => {
    const place = 'at' in origin ? origin.at.path.slice(1).join('.') : origin.type;
    const from = origin.type === 'field' ? `${origin.field} of ${origin.row}` : place;
    return `${'shot' in origin ? 'shot, ' : ''}${from}: ${JSON.stringify(text)}`;
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "description: "[問題]に対する[答え]を[選択肢]の中からアルファベットで選んでください。\\n\\n\\n"
    shot, text: "[問題]:"
    shot, question of 1: "R"
    shot, text: "\\n[選択肢]:["
    shot, choices of 1: "A"
    shot, choices.each: ":"
    shot, choices of 1: "{letter}"
    shot, choices.between: ", "
    shot, choices of 1: "B"
    shot, choices.each: ":"
    shot, choices of 1: "$&"
    shot, text: "]\\n[答え]:"
    shot, answer of 1: "B"
    shot, separator: "\\n\\n"
    text: "[問題]:"
    question of 0: "Q{choices}"
    separator: "\\n"
    context of 0: "C"
    text: "\\n[選択肢]:["
    choices of 0: "A"
    choices.each: ":"
    choices of 0: "{letter}"
    choices.between: ", "
    choices of 0: "B"
    choices.each: ":"
    choices of 0: "$&"
    text: "]\\n[答え]:""
  `);
  expect(continuations[1]?.at(-1)).toEqual({
    text: 'B',
    origin: { type: 'label', field: 'answer', at: { path: [name, 'answer'], start: 0 } },
  });
});

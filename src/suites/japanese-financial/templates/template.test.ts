import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFolder } from '../../../base/package-folder.ts';
import { dialects } from './dialects.ts';
import { namedTasks, taskNamed } from './task-names.ts';
import { loadTemplate } from './template.ts';

const folder = packageFolder('tasks', 'japanese-financial', 'templates');

test('there is a file for each task and version, and no other', async () => {
  const files = (await readdir(folder)).sort();
  expect(files).toEqual(namedTasks.map(({ name }) => `${name}.yaml`).sort());
});

test.each(dialects)('all templates in %s fill in what documents have', async (dialect) => {
  for (const named of namedTasks) {
    const template = await loadTemplate(named, { dialect });
    const names = template.text.filter((_, index) => index % 2 === 1);
    const known =
      named.task === 'chabsa' ? ['sentence', 'last_sentence', 'target'] : ['question', 'choices'];
    expect(known, named.name).toEqual(expect.arrayContaining(names));
    expect(template.choices === undefined, named.name).toBe(!template.text.includes('choices'));
    expect(template.labels !== undefined, named.name).toBe(named.task === 'chabsa');
    expect(template.description, named.name).not.toContain('{');
  }
});

test('the hash is that of the text: remarks do not count, dialects and system prompts do', async () => {
  const named = taskNamed('cma_basics-1.0-0.6');
  const hashOf = async (options: Parameters<typeof loadTemplate>[1]) =>
    (await loadTemplate(named, options)).hash;
  const hash = await hashOf({ dialect: 'v0.1.0' });
  expect(hash).toMatch(/^[\da-f]{12}$/);
  expect(await hashOf({ dialect: 'v0.1.0', systemPrompt: 'Be brief.' })).not.toBe(hash);
  expect(await hashOf({ dialect: 'v0.2.0' })).not.toBe(hash);
  const sales = await loadTemplate(taskNamed('security_sales_1-1.0-0.2'), { dialect: 'main' });
  const basics = await loadTemplate(taskNamed('cma_basics-1.0-0.2'), { dialect: 'main' });
  expect(sales.hash).toBe(basics.hash);
});

test.each([
  ['v0.1.0', 'Be brief.', true],
  ['v0.1.0', '', true],
  ['v0.2.0', 'Be brief.', false],
  ['main', 'Be brief.', false],
] as const)('%s takes the system prompt %j: %s', async (dialect, systemPrompt, isTaken) => {
  const { description } = await loadTemplate(taskNamed('fp2-1.0-0.6'), { dialect, systemPrompt });
  expect(description.startsWith(`<s>[INST] <<SYS>>\n${systemPrompt}\n<</SYS>>`)).toBe(isTaken);
});

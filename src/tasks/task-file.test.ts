import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTaskFile } from './task-file.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-task-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const readText = async (text: string) =>
  readTaskFile(join(await folderWith({ 'sums.yaml': text }), 'sums.yaml'));

test('a file with versions; names stay as they are written', async () => {
  const task = await readText(`
summary: small sums
output_column: answer
example: { question: 1+1=?, answer: 2 }
versions:
  0.10:
    reference: https://example.org
    models: base models
    prompt_template: { template: "{question}{answer}" }
  chat:
    reference: [https://a.example, https://b.example]
    example: { question: 2+2=?, answer: 4 }
    prompt_template: { template: { round: [] } }
`);
  expect(task).toMatchObject({ task: 'sums', summary: 'small sums' });
  expect(task.versions).toMatchObject([
    {
      task: 'sums',
      version: '0.10',
      reference: ['https://example.org'],
      models: 'base models',
      outputColumn: 'answer',
      example: { question: '1+1=?', answer: 2 },
      promptTemplate: { template: '{question}{answer}' },
    },
    {
      version: 'chat',
      reference: ['https://a.example', 'https://b.example'],
      example: { answer: 4 },
    },
  ]);
});

test('a folder with a file for each version is the same task', async () => {
  const version = { prompt_template: { template: '{question}' }, models: 'any' };
  const folder = await folderWith({
    '0.2.json': JSON.stringify(version),
    '0.1.yaml': 'prompt_template: { template: "{question}" }',
    'notes.txt': '-',
  });
  const { task, versions } = await readTaskFile(folder);
  expect(task).toBe(basename(folder));
  expect(versions.map(({ version: name }) => name)).toEqual(['0.1', '0.2']);
  expect(versions[0]?.hash).toBe(versions[1]?.hash);
});

test.each([
  [
    'versions: { a: { prompt_template: { template: x }, modells: y } }',
    'knows no `modells`',
    'Did you mean `models`?',
  ],
  ['version: {}', 'should be a mapping of names', ''],
  ['versions: { a: { models: y } }', 'versions.a should be a version with a `prompt_template`', ''],
  [
    'versions: { a: { prompt_template: text } }',
    'versions.a.prompt_template should be a mapping',
    '',
  ],
  ['versions: {', 'cannot be read', ''],
])('%s is refused', async (text, message, hint) => {
  await expect(readText(text)).rejects.toMatchObject({
    code: 'version.bad_file',
    message: expect.stringContaining(message),
    ...(hint !== '' && { hint: expect.stringContaining(hint) }),
  });
});

test('no such file', async () => {
  await expect(readTaskFile('/nowhere/sums.yaml')).rejects.toMatchObject({
    code: 'version.not_found',
  });
});

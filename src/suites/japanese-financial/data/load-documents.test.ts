import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeZip } from '../../../base/zip.fixture.ts';
import { tasks } from '../templates/task-names.ts';
import { makeSheet } from './archive.fixture.ts';
import { loadDocuments } from './load-documents.ts';
import workbooks from './workbooks.fixture.json' with { type: 'json' };

async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

test.each(tasks)('%s has a small set of its own', async (task) => {
  const data = await loadDocuments(task);
  expect(data.isSynthetic).toBe(true);
  expect(data.documents.length).toBeGreaterThan(4);
});

const question = {
  id: 7,
  question: 'Q',
  context: '',
  choices: [
    { id: 0, text: '○' },
    { id: 1, text: '×' },
  ],
  answer: 1,
};
const columns = { ...question, choices: { id: [0, 1], text: ['○', '×'] } };

test.each([
  ['fp2.json', { data: [question] }],
  ['fp2/data.json', [question]],
  ['jlm_fin_eval/datasets/fp2/data.json', { 'data-name': 'fp2', data: [columns] }],
])('questions in %s', async (name, content) => {
  const folder = await folderWith({ [name]: JSON.stringify(content) });
  const { documents, isSynthetic } = await loadDocuments('fp2', folder);
  expect(documents).toEqual([question]);
  expect(isSynthetic).toBe(false);
});

const reports = {
  'chABSA-dataset/b_ann.json': JSON.stringify({
    sentences: [{ sentence: 'third', opinions: [{ target: 'z', polarity: 'neutral' }] }],
  }),
  'chABSA-dataset/a_ann.json': JSON.stringify({
    header: {},
    sentences: [
      {
        sentence: 'first',
        opinions: [
          { target: 'x', polarity: 'positive', from: 0, to: 1 },
          { target: 'y', polarity: 'negative', from: 0, to: 1 },
        ],
      },
      { sentence: 'nothing said', opinions: [] },
    ],
  }),
};
const opinions = [
  { id: 0, sentence: 'first', target: 'x', polarity: 'positive' },
  { id: 1, sentence: 'first', target: 'y', polarity: 'negative' },
  { id: 2, sentence: 'third', target: 'z', polarity: 'neutral' },
];

test.each([
  ['unpacked', reports],
  [
    'as an archive',
    {
      'chABSA-dataset.zip': makeZip({
        ...reports,
        'chABSA-dataset/._a.json': '-',
        '__MACOSX/chABSA-dataset/c.json': '-',
      }),
    },
  ],
  ['as rows', { 'chABSA.json': JSON.stringify({ data: opinions }) }],
])('chABSA %s, files by name', async (_, files) => {
  const folder = await folderWith(files);
  expect((await loadDocuments('chabsa', folder)).documents).toEqual(opinions);
});

const statements = ['ア', 'イ', 'ウ', 'エ', 'オ', 'カ'];
const auditTitles = [
  ...['', 'question', ...statements],
  ...['1.0', '2.0', '3.0', '4.0', '5.0', '6.0'].map((written) => ({ written })),
  ...['a_no', 'abnormal_flg'],
];

test('the sheet of the accountants’ exam', async () => {
  const sheet = makeSheet([
    auditTitles,
    [0, 'Q|1 <&>', 'one', 'two\nlines', null, null, null, null, 'a', 'b', 'c', 'd', 'e', 'f', 3, 0],
    [1, null, 'x', null, null, null, null, null, 'a', 'b', 'c', 'd', 'e', 'f', 1, 0],
    [2, 'odd', 'x', null, null, null, null, null, 'a', 'b', 'c', 'd', 'e', 'f', 1, 1],
    [3, 'Q2', null, 'nan', null, null, null, 'six', 'a', 'b', 'c', 'd', 5, null, 1, null],
  ]);
  const folder = await folderWith({ 'cpa/CPA_AUDIT.xlsx': sheet });
  const choices = (texts: readonly string[]) => texts.map((text, id) => ({ id, text }));
  expect((await loadDocuments('cpa_audit', folder)).documents).toEqual([
    {
      id: 0,
      question: 'Q1 <&>',
      context: 'ア: one\nイ: two\nlines',
      choices: choices(['a', 'b', 'c', 'd', 'e', 'f']),
      answer: 2,
    },
    {
      id: 1,
      question: 'Q2',
      context: 'カ: six',
      choices: choices(['a', 'b', 'c', 'd', '5', 'nan']),
      answer: 0,
    },
  ]);
});

test.each(workbooks)('a workbook of a spreadsheet library: $name', async (workbook) => {
  const sheet = Buffer.from(workbook.xlsx, 'base64');
  const folder = await folderWith({ 'CPA_AUDIT.xlsx': sheet });
  expect((await loadDocuments('cpa_audit', folder)).documents).toEqual(workbook.documents);
});

test('a sheet whose choices have no column is refused', async () => {
  const titles = auditTitles.map((title) => (typeof title === 'string' ? title : 'x'));
  const folder = await folderWith({ 'CPA_AUDIT.xlsx': makeSheet([titles]) });
  await expect(loadDocuments('cpa_audit', folder)).rejects.toMatchObject({
    code: 'task.bad_data',
    message: expect.stringMatching(/CPA_AUDIT.xlsx has no column 1, 2, 3, 4, 5, 6$/),
    hint: expect.stringContaining(
      'question, ア, イ, ウ, エ, オ, カ, x, x.1, x.2, x.3, x.4, x.5, a_no',
    ),
  });
});

test('equal documents have equal hashes, whatever file they come from', async () => {
  const hashOf = async (files: Readonly<Record<string, string>>) =>
    (await loadDocuments('chabsa', await folderWith(files))).hash;
  const other = JSON.stringify(opinions.toReversed());
  const hash = await hashOf(reports);
  expect(await hashOf({ 'chABSA.json': JSON.stringify(opinions) })).toBe(hash);
  expect(await hashOf({ 'chABSA.json': other })).not.toBe(hash);
});

test.each([
  [{}, 'task.no_data', 'no data of `fp2` found in'],
  [{ 'fp2.json': '{"data": []}' }, 'task.no_data', 'contains no documents'],
  [{ 'fp2.json': '{"rows": 1}' }, 'task.bad_data', 'contains no list of rows'],
  [{ 'fp2.json': '{' }, 'task.bad_data', 'is not JSON'],
  [
    { 'fp2.json': JSON.stringify([question, { ...question, answer: 4 }]) },
    'task.bad_data',
    'row 1, answer should be the `id` of one of the choices',
  ],
  [
    { 'fp2.json': JSON.stringify([{ ...question, question: null }]) },
    'task.bad_data',
    'row 0, question should be a text',
  ],
])('%j is refused', async (files, code, message) => {
  const loaded = loadDocuments('fp2', await folderWith(files));
  await expect(loaded).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test('missing data: where to get it', async () => {
  await expect(loadDocuments('chabsa', await folderWith({}))).rejects.toMatchObject({
    hint: expect.stringContaining('https://github.com/chakki-works/chABSA-dataset'),
  });
});

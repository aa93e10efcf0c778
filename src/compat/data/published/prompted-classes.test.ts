import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../prompt/values.ts';
import type { Component } from '../../../score/component/component.ts';
import { readPublished } from './read-published.ts';

const lines = (...rows: readonly unknown[]) =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

/** A text as Python's pickle writes it: protocol 4, in a frame. */
function pickled(text: string): string {
  const letters = Buffer.from(text);
  const head = Buffer.from([0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x8c, letters.length]);
  return deflateSync(Buffer.concat([head, letters, Buffer.from([0x94, 0x2e])])).toString('base64');
}

const contest = (id: string, date: string, starter = '') => ({
  question_id: id,
  contest_date: date,
  starter_code: starter,
  public_test_cases: JSON.stringify([{ input: '1', output: '2' }]),
  private_test_cases: pickled('[{"input": "3", "output": "4"}]'),
  metadata: starter === '' ? '{}' : '{"func_name": "go"}',
});

const files: Readonly<Record<string, string>> = {
  'kor/logic/rule.json': JSON.stringify([{ idx: '1', rule_content: 'no {}' }]),
  'kor/logic/sample.jsonl': lines(
    { idx: '1', rule_id: '1', question: 'Q?', answer: '[[a]]' },
    { idx: '2', rule_id: '7', question: 'lost', answer: '' },
  ),
  'kor/logic/three-shot.jsonl': lines({ rule_id: '1', question: 'E?', answer: '[[e]]' }),
  'kor/puzzle/sample.jsonl': lines({ idx: '4', rule_id: '9', question: 'P?', answer: '[[p]]' }),
  'kor/mixed/Multi-Q.jsonl': lines({
    rule_list: ['logic_1'],
    question_list: ['logic_1', 'puzzle_4'],
  }),
  'babi/qa1/0k.json': JSON.stringify([{ input: ' Ann sat. ', question: 'Who?', target: 'Ann' }]),
  'live/202412/AMC_en.jsonl': lines({ question: '1 {x}?', answer: '1' }),
  'lcb/test.jsonl': lines(contest('a', '2023-05-01T00:00:00')),
  'lcb/test2.jsonl': lines(contest('b', '2024-05-01T00:00:00', 'class Solution: pass')),
  'mrcr/2needle/test-00000.jsonl': lines({
    context: 'C',
    question: 'Prepend ab12 to it',
    answers: ['ab12é'],
  }),
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prompted-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function rowsOf(path: string, published: Component): Promise<Row[]> {
  const read = await readPublished({ path, published, folder, source: ['datasets', 0] });
  const rows: Row[] = [];
  for await (const batch of read.split('test', 'test_split').batches())
    rows.push(...batch.map(({ row }) => row));
  return rows;
}

test.each<[string, string, Component, readonly Row[]]>([
  [
    'KOR-Bench without examples',
    'kor',
    {
      type: 'korbenchDataset',
      prompt_mode: '0_shot',
      category: 'logic',
      template: 'R {} Q {} {{x}}',
    },
    [
      {
        prompt: 'R no {} Q Q? {x}',
        answer: '[[a]]',
        rule_id: '1',
        category: 'logic',
        prompt_mode: '0_shot',
      },
    ],
  ],
  [
    'KOR-Bench with examples',
    'kor',
    { type: 'korbenchDataset', prompt_mode: '3_shot', category: 'logic', template: '{}|{}|{}|{}' },
    [{ prompt: 'no {}|E?|[[e]]|Q?' }],
  ],
  [
    'KOR-Bench with several questions',
    'kor',
    { type: 'korbenchDataset', prompt_mode: 'mixed', category: 'Multi-Q', template: '{}\n{}' },
    [
      {
        prompt: 'Rule 1: no {}\nQuestion 1: Q?\nQuestion 2: P?',
        questions: [
          { category: 'logic', rule_id: '1', answer: '[[a]]' },
          { category: 'puzzle', rule_id: '9', answer: '[[p]]' },
        ],
      },
    ],
  ],
  [
    'BABILong',
    'babi',
    {
      type: 'BabiLongDataset',
      task: 'qa1',
      split_name: '0k',
      use_examples: false,
      instruction: 'I',
      examples: 'E',
      post_prompt: 'P',
      template: '{instruction}-{examples}-{post_prompt}-{context}-{question}\n',
    },
    [{ prompt: ['I--P-Ann sat.-Who?'], answer: ['Ann'] }],
  ],
  [
    'LiveMathBench',
    'live',
    {
      type: 'LiveMathBenchDataset',
      dataset_splits: ['AMC'],
      dataset_languages: ['en'],
      cot: false,
      prompt_en: 'Solve, please reasoning step by step: {question}',
    },
    [{ prompt: 'Solve: 1 {x}?', idx: '0', subdivision: 'livemathbench_202412_AMC_en' }],
  ],
  [
    'LiveCodeBench',
    'lcb',
    {
      type: 'LCBCodeGenerationDataset',
      release_version: 'release_v2',
      start_date: '2024-01-01',
      with_code: 'W',
      without_code: 'O',
    },
    [
      {
        question_id: 'b',
        format_prompt: '### Format: W\n```python\nclass Solution: pass\n```\n\n',
        evaluation_sample: '{"inputs": ["1", "3"], "outputs": ["2", "4"], "fn_name": "go"}',
      },
    ],
  ],
  [
    'MRCR',
    'mrcr',
    { type: 'MRCRDataset', subset: '2needle' },
    [{ context: 'C', gold: '{"answer": "ab12\\u00e9", "prefix": "ab12"}' }],
  ],
])('%s writes the prompts of its class', async (_, path, published, rows) => {
  const got = await rowsOf(path, published);
  expect(got).toHaveLength(rows.length);
  expect(got).toMatchObject(rows);
});

test('texts that the tree has are asked for', async () => {
  const published = { type: 'korbenchDataset', prompt_mode: '0_shot', category: 'logic' };
  await expect(rowsOf('kor', published)).rejects.toMatchObject({
    code: 'data.not_found',
    hint: expect.stringContaining('--root TREE'),
  });
});

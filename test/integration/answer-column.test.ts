import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const rows = [
  { question: '1 + 1', answer: 2, said: 'It is 2.' },
  { question: '1 + 2', answer: 3, said: 4 },
  { question: '1 + 3', answer: 4, said: '' },
];
const jsonl = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

function configOf(model: object, infer_cfg: object, dataset: object = {}): string {
  return JSON.stringify({
    models: [{ abbr: 'theirs', type: 'Replay', ...model }],
    datasets: [
      {
        abbr: 'sums',
        path: 'sums.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg,
        eval_cfg: { evaluator: { type: 'number' } },
        ...dataset,
      },
    ],
  });
}

const single = { prompt_template: { template: '{question} =' } };
const turns = {
  prompt_template: {
    type: 'MultiTurnPromptTemplate',
    template: {
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
  inferencer: { type: 'MultiTurnGenInferencer' },
};

async function makeFolder(lines: readonly object[]): Promise<(name: string) => string> {
  const folder = await writeFolder({
    'sums.jsonl': jsonl(lines),
    'sums.json': configOf({ answer_column: 'said' }, single),
    'misspelt.json': configOf({ answer_column: 'sad' }, single),
    'both.json': configOf({ answer_column: 'said', path: 'sums.jsonl' }, single),
    'neither.json': configOf({}, single),
  });
  return (name) => join(folder, name);
}

test('answers that stand in the data are shown, scored, and taken anew where they change', async () => {
  const at = await makeFolder(rows);
  const view = await callCommand(['view', at('sums.json'), '--json']);
  expect(JSON.parse(view.stdout).views[0].requests).toEqual([
    { to: 'the column said', body: { column: 'said', answer: 'It is 2.' } },
  ]);
  const run = async (...args: string[]) => {
    const { code, stdout } = await callCommand([
      'run',
      at('sums.json'),
      '--out',
      at('run'),
      '--json',
      ...args,
    ]);
    const [result] = JSON.parse(stdout).results;
    return { code, score: result.score?.value, rows: result.rows, asked: result.requests };
  };
  expect(await run()).toMatchObject({ code: 0, score: 0.5, rows: { scored: 2, unscored: 1 } });
  await writeFile(at('sums.jsonl'), jsonl(rows.with(1, { ...rows[1], said: 3 } as never)));
  expect(await run()).toMatchObject({ score: 1, asked: { sent: 1, resumed: 2 } });
  const again = await callCommand(['score', at('run'), '--json']);
  expect(JSON.parse(again.stdout).results).toMatchObject([{ score: { value: 1 } }]);
});

test('a row without an answer fails, by what is missing', async () => {
  const at = await makeFolder(rows.with(0, { ...rows[0], said: null } as never));
  const run = (config: string) =>
    callCommand(['run', at(config), '--out', at(`${config}-run`), '--json']);
  const { code, stdout } = await run('sums.json');
  expect([code, JSON.parse(stdout).results[0].reasons]).toEqual([
    3,
    expect.arrayContaining([{ reason: '`said` of the row has no answer (null)', rows: 1 }]),
  ]);
  expect(await run('misspelt.json')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/the row has no column `sad`.*Did you mean `said`\?/s),
  });
});

const dialogues = [
  { question: ['1 + 1', '1 + 2'], answer: [2, 3], said: ['2', '3'] },
  { question: ['2 + 1', '2 + 2', '2 + 3'], answer: [3, 4, 5], said: ['3', '4', '6'] },
];
const samples = [
  { question: '1 + 1', answer: 2, said: ['2', '3', '2'] },
  { question: '1 + 2', answer: 3, said: ['4', '4', '3'] },
];

const answersOf = async (log: string) => {
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  const parts = lines.map((line) => JSON.parse(line)).filter(({ part }) => part !== undefined);
  return parts.map(({ id, part, answer }) => `${id}.${part}: ${answer}`).sort();
};

test.each([
  ['turns', dialogues, turns, {}, ['0.1: 2', '0.2: 3', '1.1: 3', '1.2: 4', '1.3: 6']],
  [
    'samples',
    samples,
    single,
    { n: 3 },
    ['0.1: 2', '0.2: 3', '0.3: 2', '1.1: 4', '1.2: 4', '1.3: 3'],
  ],
])('%s take the answers of their own, from data and from the log of a run', async (...given) => {
  const [, lines, inferCfg, dataset, answers] = given;
  const byId = lines.map(({ said }, id) => ({ id, answer: said }));
  const folder = await writeFolder({
    'sums.jsonl': jsonl(lines),
    'ids.jsonl': jsonl(byId),
    'column.json': configOf({ answer_column: 'said' }, inferCfg, dataset),
    'log.json': configOf({ path: 'column/theirs/sums.jsonl' }, inferCfg, dataset),
    'ids.json': configOf({ path: 'ids.jsonl' }, inferCfg, dataset),
  });
  const at = (name: string) => join(folder, name);
  const results = [];
  for (const name of ['column', 'log', 'ids']) {
    const { code, stdout } = await callCommand([
      'run',
      at(`${name}.json`),
      '--out',
      at(name),
      '--json',
    ]);
    const [{ score, metrics, rows }] = JSON.parse(stdout).results;
    results.push({ code, score, metrics, rows });
    expect(await answersOf(at(`${name}/theirs/sums.jsonl`))).toEqual(answers);
  }
  expect(results).toEqual([results[0], results[0], results[0]]);
  await writeFile(
    at('sums.jsonl'),
    jsonl(lines.with(0, { ...lines[0], said: ['7', '7', '7'] } as never)),
  );
  await callCommand(['run', at('column.json'), '--out', at('column')]);
  expect(await answersOf(at('column/theirs/sums.jsonl'))).toContain('0.1: 7');
});

test.each([
  [
    'one answer to all turns',
    dialogues,
    turns,
    {},
    'no',
    '`said` has no answer to turn 2 of the row',
  ],
  [
    'one answer to all samples',
    samples,
    single,
    { n: 3 },
    'no',
    '`said` has no answer to sample 2 of the row',
  ],
  [
    'a list where one is wanted',
    rows,
    single,
    {},
    ['1', '2'],
    '`said` of the row has 2 different answers, but the row is asked once',
  ],
  [
    'a mapping',
    rows,
    single,
    {},
    { text: '2' },
    '`said` of the row holds a mapping instead of an answer',
  ],
  [
    'a list in a list',
    rows,
    single,
    {},
    [['2']],
    '`said` of the row holds a list instead of an answer',
  ],
])('%s is refused by name', async (...given) => {
  const [, lines, inferCfg, dataset, said, reason] = given;
  const folder = await writeFolder({
    'sums.jsonl': jsonl(lines.map((line, row) => (row === 0 ? { ...line, said } : line))),
    'sums.json': configOf({ answer_column: 'said' }, inferCfg, dataset),
  });
  const { code, stdout } = await callCommand([
    'run',
    join(folder, 'sums.json'),
    '--out',
    join(folder, 'run'),
    '--json',
  ]);
  expect(code).toBe(3);
  expect(JSON.parse(stdout).results[0].reasons).toContainEqual({ reason, rows: 1 });
});

test.each([
  ['both.json', 'config.conflicting_keys', 'has both `path` and `answer_column`'],
  ['neither.json', 'config.missing_key', 'has neither `path` nor `answer_column`'],
])('%s is refused', async (config, code, message) => {
  const at = await makeFolder(rows);
  const { code: exit, stderr } = await callCommand(['run', at(config), '--out', at('run')]);
  expect(exit).toBe(2);
  expect(stderr).toContain(code);
  expect(stderr).toContain(message);
});

test('a plan knows recorded answers: what the judge is asked, what it costs, and which rows have none', async () => {
  const base_url = 'http://127.0.0.1:9/v1';
  const judge = { abbr: 'j', type: 'OpenAI', model: 'j', base_url, judge: true, max_out_len: 5 };
  const config = {
    models: [
      { abbr: 'theirs', type: 'Replay', answer_column: 'said' },
      { ...judge, price: { in: 1e6, out: 0 } },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [
          { question: 'q', answer: 'a', said: 'x'.repeat(400) },
          { question: 'r', answer: 'a', said: 'y'.repeat(800) },
          { question: 's', answer: 'a', said: null },
        ],
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: {
          evaluator: {
            type: 'judge',
            model: 'j',
            verdict: { type: 'grade', scale: [1, 10] },
            prompt: '{prediction}',
          },
        },
      },
    ],
  };
  const folder = await writeFolder({ 'c.json': JSON.stringify(config) });
  const plan = await callCommand([
    'plan',
    join(folder, 'c.json'),
    '--out',
    join(folder, 'run'),
    '--json',
  ]);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    tasks: [
      {
        refused: [{ reason: '`said` of the row has no answer (null)', rows: 1 }],
        outputTokens: 300,
        judge: { requests: 2, inputTokens: 300, outputTokens: 10 },
      },
    ],
    time: { seconds: 0 },
    price: { judges: [{ cost: 300 }] },
  });
  expect(JSON.parse(plan.stdout).price).not.toHaveProperty('unpriced');
});

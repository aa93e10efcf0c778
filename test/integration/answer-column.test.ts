import { writeFile } from 'node:fs/promises';
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

function configOf(model: object, infer_cfg: object): string {
  return JSON.stringify({
    models: [{ abbr: 'theirs', type: 'Replay', ...model }],
    datasets: [
      {
        abbr: 'sums',
        path: 'sums.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg,
        eval_cfg: { evaluator: { type: 'number' } },
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
    'turns.json': configOf({ answer_column: 'said' }, turns),
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
    expect.arrayContaining([{ reason: '`said` of the row is empty', rows: 1 }]),
  ]);
  expect(await run('misspelt.json')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/the row has no column `sad`.*Did you mean `said`\?/s),
  });
});

test.each([
  ['turns.json', 'config.conflicting_keys', 'a dialogue asks for several'],
  ['both.json', 'config.conflicting_keys', 'has both `path` and `answer_column`'],
  ['neither.json', 'config.missing_key', 'has neither `path` nor `answer_column`'],
])('%s is refused', async (config, code, message) => {
  const at = await makeFolder(rows);
  const { code: exit, stderr } = await callCommand(['run', at(config), '--out', at('run')]);
  expect(exit).toBe(2);
  expect(stderr).toContain(code);
  expect(stderr).toContain(message);
});

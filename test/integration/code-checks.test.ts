import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, writeFolder } from './run-cli.ts';

const config = {
  models: [{ abbr: 'm', type: 'Replay', path: 'answers.jsonl' }],
  datasets: [
    {
      abbr: 'd',
      rows: [
        { q: 'twice', test: 'assert.equal(f(2), 4)' },
        { q: 'never', test: 'f(2).then((x) => assert.equal(x, 4))' },
      ],
      reader_cfg: { input_columns: ['q'], output_column: null },
      infer_cfg: { prompt_template: { template: '{q}' } },
      eval_cfg: { evaluator: { type: 'code', language: 'javascript' } },
    },
  ],
};
const saidOf = (note: string) =>
  note.includes(' NOT ')
    ? `warning[run.code_not_contained] code in answers is run by ${note}`
    : `Code in answers is run by ${note}`;
const answers = [
  '1. Here:\n\n   ```js\n   const f = (x) => 2 * x;\n   ```',
  '```js\nconst f = () => new Promise(() => {});\n```',
];

it('a run says what keeps the code of answers in, and tests that do not end have not passed', async () => {
  const cwd = await writeFolder({
    'config.json': JSON.stringify(config),
    'answers.jsonl': answers.map((answer, id) => `${JSON.stringify({ id, answer })}\n`).join(''),
  });
  const { code, stdout, stderr } = await runCli(['run', 'config.json', '--out', 'out', '--json'], {
    cwd,
  });
  expect(code).toBe(0);
  const { scoring } = JSON.parse(await readFile(join(cwd, 'out/run.json'), 'utf8')).data[0];
  const [note] = scoring;
  expect(note).toMatch(/^Node [\d.]+: time and output are limited, /);
  expect(stderr).toContain(saidOf(note));
  expect(JSON.parse(stdout).results[0].score).toMatchObject({ value: 0.5 });
}, 60_000);

it.each([
  ['the config is named', [], ['config.json']],
  [
    'nothing but the log is read',
    [{ evaluator: { type: 'code', language: 'javascript', test: 'assert.equal(f(2), 4)' } }],
    [],
  ],
])(
  'scoring again says and records the same, where %s',
  async (_, [evalCfg], named) => {
    const [dataset] = config.datasets;
    const own = { ...config, datasets: [{ ...dataset, ...(evalCfg && { eval_cfg: evalCfg }) }] };
    const cwd = await writeFolder({
      'config.json': JSON.stringify(own),
      'answers.jsonl': answers.map((answer, id) => `${JSON.stringify({ id, answer })}\n`).join(''),
    });
    expect((await runCli(['run', 'config.json', '--out', 'out'], { cwd })).code).toBe(0);
    const file = join(cwd, 'out/run.json');
    const run = JSON.parse(await readFile(file, 'utf8'));
    const [{ scoring, ...data }] = run.data;
    await writeFile(
      file,
      JSON.stringify({ ...run, data: [{ ...data, scoring: ['another machine'] }] }),
    );
    const { code, stderr } = await runCli(['score', 'out', ...named], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(saidOf(scoring[0]))]);
    expect(stderr.split(/code in answers/i).length).toBeLessThan(3);
    expect(JSON.parse(await readFile(file, 'utf8')).data[0].scoring).toEqual(scoring);
  },
  60_000,
);

it('a run whose code checks are replaced has no word of them left', async () => {
  const cwd = await writeFolder({
    'config.json': JSON.stringify(config),
    'answers.jsonl': answers.map((answer, id) => `${JSON.stringify({ id, answer })}\n`).join(''),
  });
  expect((await runCli(['run', 'config.json', '--out', 'out'], { cwd })).code).toBe(0);
  const { code, stderr } = await runCli(['score', 'out', '--evaluator', 'contains'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  const run = JSON.parse(await readFile(join(cwd, 'out/run.json'), 'utf8'));
  expect(run.data[0]).not.toHaveProperty('scoring');
}, 60_000);

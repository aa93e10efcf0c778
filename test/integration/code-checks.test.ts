import { readFile } from 'node:fs/promises';
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
  const said = note.includes(' NOT ')
    ? `warning[run.code_not_contained] the code of answers is run by ${note}`
    : `The code of answers is run by ${note}`;
  expect(stderr).toContain(said);
  expect(JSON.parse(stdout).results[0].score).toMatchObject({ value: 0.5 });
}, 60_000);

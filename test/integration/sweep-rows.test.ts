import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../src/run/store/open-run.ts';
import { callCommand } from './joints/call-command.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const rows = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ q: `${from + index} + 1`, A: `${from + index + 1}`, B: '0', C: '7', answer: 'A' },
  }));
const templateOf = (name: string, text: string) => ({
  name,
  prompt_template: { ice_token: '</E>', template: `</E>${text}` },
  ice_template: { template: text },
});

/** The texts of all rows of a run by `show`, and why rows have none. */
async function shownTexts(folder: string): Promise<string[]> {
  const texts: string[] = [];
  const run = await openRun(folder);
  for (const { model, dataset } of run.evaluations) {
    for await (const { id } of run.rows({ model, dataset })) {
      const row = ['--row', String(id), '--model', model, '--dataset', dataset];
      const { stdout } = await callCommand(['show', folder, ...row, '--json']);
      const [{ prompt, notMade }] = JSON.parse(stdout).rows;
      texts.push(prompt?.prompts[0].promptList ?? notMade);
    }
  }
  return texts;
}

test('rows of a sweep have the prompts that their template and number of shots sent', async () => {
  await using server = await startRecordingServer();
  const config = {
    models: [{ abbr: 'm', type: 'OpenAICompletions', base_url: `${server.url}/v1`, model: 'm' }],
    datasets: [
      {
        abbr: 'sums',
        rows: { train: rows(5, 50), test: rows(3, 10) },
        reader_cfg: { input_columns: ['q', 'A', 'B', 'C'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { template: '{q} A {A} B {B} C {C}\n{answer}' },
          ice_template: { template: '{q} A {A} B {B} C {C}\n{answer}' },
          inferencer: { type: 'GenInferencer', max_out_len: 4 },
        },
        eval_cfg: { evaluator: { type: 'choice' } },
      },
    ],
    sweep: {
      templates: [
        templateOf('plain', '{q} A {A} B {B} C {C}\n{answer}'),
        templateOf('質問', '質問: {q} A {A} B {B} C {C}\n答え: {answer}'),
      ],
      option_orders: ['original', 'rotations'],
    },
  };
  const folder = await writeFolder({ 'sweep.json': JSON.stringify(config) });
  const out = join(folder, 'out');
  const args = [join(folder, 'sweep.json'), '--shots', '0,2', '--out', out];
  const { code } = await callCommand(['sweep', ...args]);
  expect([0, 3]).toContain(code);
  const sent = server.requests.map(({ body }) => JSON.parse(body).prompt as string);
  expect(new Set(sent).size).toBe(3 * 2 * 2 * 3);
  const shown = await shownTexts(out);
  expect(new Set(shown)).toEqual(new Set(sent));
});

test('so have those of a sweep of tasks, which have no config', async () => {
  const out = join(await writeFolder({}), 'out');
  const axes = ['--templates', 'arrow,given', '--shots', '0,2', '--limit', '4'];
  const asked = ['task:latent-operation', '--models', 'typecase-tiny', ...axes];
  await callCommand(['sweep', ...asked, '--out', out]);
  const run = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  expect(run.datasets).toHaveLength(4);
  const shown = await shownTexts(out);
  expect(shown).toHaveLength(16);
  expect(new Set(shown).size).toBe(16);
  for (const text of shown) expect(text).toMatch(/\d+ (?:and )?\d+/);
});

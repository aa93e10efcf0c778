import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

test('a row that a gate names is the same one for `show` and `view --id`, whatever the range', async () => {
  const sums = Array.from({ length: 10 }, (_, n) => ({ q: `${n}+1`, a: String(n + 1) }));
  const answers = [5, 6, 7, 8].map((id) => ({ id, answer: id === 6 ? '0' : String(id + 1) }));
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const config = {
    models: [{ abbr: 'm', type: 'Replay', path: 'answers.jsonl' }],
    datasets: [
      {
        abbr: 'd',
        path: 'sums.jsonl',
        reader_cfg: { input_columns: ['q'], output_column: 'a', test_range: '[5:9]' },
        infer_cfg: { prompt_template: { template: '{q}=' } },
        eval_cfg: { evaluator: { type: 'number' } },
      },
    ],
  };
  const folder = await writeFolder({
    'sums.jsonl': lines(sums),
    'answers.jsonl': lines(answers),
    'c.json': JSON.stringify(config),
  });
  const [file, out] = [join(folder, 'c.json'), join(folder, 'out')];
  const { stderr } = await callCommand(['run', file, '--out', out, '--fail-under', '0.9']);
  const [, id = ''] = /m on d, row (\d+):/.exec(stderr) ?? [];
  expect(id).toBe('6');
  expect((await callCommand(['show', out, '--row', id])).stdout).toContain('6+1=');
  const viewed = await callCommand(['view', file, '--id', id, '--id', '8']);
  expect(viewed.stdout).toContain('row 1 (id 6)');
  expect(viewed.stdout).toContain('6+1=');
  expect(viewed.stdout).toContain('row 3 (id 8)');
  const byPlace = await callCommand(['view', file, '--row', id]);
  expect(byPlace.stderr).toContain('Rows go from 0 to 3.');
  expect(byPlace.stderr).toContain('`--id` takes their numbers in the data');
  const leftOut = await callCommand(['view', file, '--id', '1']);
  expect(leftOut.stderr).toContain('No row with the id 1 among the 4 rows');
});

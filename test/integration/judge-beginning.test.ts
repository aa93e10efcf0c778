import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const judges: readonly (readonly [judge: object, isTold: boolean])[] = [
  [{ meta_template: 'llama3' }, true],
  [{ meta_template: 'llama3', generation_kwargs: { add_special_tokens: false } }, false],
  [{ meta_template: 'chatml' }, false],
  [{}, false],
  [{ type: 'OpenAI' }, false],
];

test.each(judges)('a judge %j whose format writes what a server adds', async (own, isTold) => {
  await using server = await startRecordingServer();
  const at = { base_url: server.url, model: 'm' };
  const config = {
    models: [
      { abbr: 'm', type: 'OpenAI', ...at },
      { abbr: 'strong', type: 'OpenAICompletions', judge: true, ...at, ...own },
    ],
    datasets: ['d', 'e'].map((abbr) => ({
      ...{ abbr, rows: [{ q: '1+1', a: '2' }] },
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      infer_cfg: { prompt_template: { template: '{q}' } },
      eval_cfg: { evaluator: { type: 'judge', model: 'strong', question_column: 'q' } },
    })),
  };
  const folder = await writeFolder({ 'c.json': JSON.stringify(config, null, 1) });
  for (const command of [['plan'], ['run', '--out', join(folder, 'out')]]) {
    const [name = '', ...options] = command;
    const { stderr, stdout } = await callCommand([name, join(folder, 'c.json'), ...options]);
    const told = `${stderr}${stdout}`.match(
      /warning\[model\.doubled_bos\] models\[1\]\.meta_template/g,
    );
    expect([name, told?.length ?? 0]).toEqual([name, isTold ? 1 : 0]);
  }
});

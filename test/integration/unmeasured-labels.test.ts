import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, rescore } from '../../src/index.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const none = 'the label `` has no token to measure';
const sep = { sep_token: '</S>' };

interface Inferencer {
  readonly type: 'PPLInferencer' | 'LLInferencer' | 'CLPInferencer';
  readonly normalizing_str?: string;
}

/** Inferencer, template, what else they have, and how the row ends: scored, or why not. */
const cases: readonly (readonly [Inferencer, { template: string }, ends: string])[] = [
  [{ type: 'PPLInferencer', normalizing_str: 'A:' }, { template: 'Is {q} so? {a}' }, none],
  [
    { type: 'PPLInferencer', normalizing_str: 'A:' },
    { template: 'Is {q} so? </S>{a}', ...sep },
    none,
  ],
  [{ type: 'PPLInferencer' }, { template: 'Is {q} so? {a}' }, 'scored'],
  [{ type: 'LLInferencer' }, { template: 'Is {q} so? {a}' }, none],
  [{ type: 'CLPInferencer' }, { template: 'Is {q} so? ' }, none],
];

test('a label without a token leaves the row unscored by name, and neither wins nor loses', async () => {
  await using server = await startRecordingServer();
  const folder = await writeFolder({});
  const models = [
    { abbr: 'tiny', type: 'Local' as const, path: 'typecase-tiny' },
    { abbr: 'echo', type: 'OpenAICompletions' as const, base_url: server.url, model: 'm' },
  ];
  const out = join(folder, 'run');
  const run = await evaluate(
    {
      models,
      datasets: cases.map(([inferencer, template], index) => ({
        abbr: `d${index}`,
        rows: [{ q: 'it', a: 'yes' }],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: template,
          inferencer: { ...inferencer, labels: ['yes', ''] },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      })),
    },
    { out },
  );
  const expected = models.flatMap(({ abbr }) => cases.map(([, , ends]) => [abbr, ends]));
  for (const { rows } of [run, await rescore(out)]) {
    const ends: unknown[] = [];
    for await (const { model, outcome, reason } of rows()) ends.push([model, reason ?? outcome]);
    expect(ends).toEqual(expected);
  }
}, 60_000);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InferencerName } from '../../src/config/type-names.ts';
import { evaluate } from '../../src/index.ts';
import { startLogprobServer } from './logprob-server.ts';

const questions = ['Is it so', 'Do cats bark', 'Is snow cold'];

test.each<[InferencerName, object]>([
  ['PPLInferencer', {}],
  ['LLInferencer', {}],
  ['PPLInferencer', { n: 2 }],
])('%s counts the rows in which labels tie (%j)', async (type, more) => {
  const out = await mkdtemp(join(tmpdir(), 'typecase-ties-'));
  await using server = await startLogprobServer('echo');
  onTestFinished(() => rm(out, { recursive: true }));
  const { summary, rows } = await evaluate(
    {
      models: [{ abbr: 'm', type: 'OpenAICompletions', base_url: server.url, model: 'x' }],
      datasets: [
        {
          abbr: 'd',
          // The texts of both labels are the same where the row has no word for `no`.
          rows: questions.map((q, index) => ({ q, no: index === 0 ? 'no' : 'yes', a: 'yes' })),
          reader_cfg: { input_columns: ['q', 'no'], output_column: 'a' },
          infer_cfg: {
            prompt_template: { template: { yes: '{q}? yes', no: '{q}? {no}' } },
            inferencer: { type },
          },
          eval_cfg: { evaluator: { type: 'exact' } },
          ...more,
        },
      ],
    },
    { out },
  );
  expect(summary.results[0]).toMatchObject({ ties: 2, rows: { scored: 3 } });
  const found = new Map<number, unknown>();
  for await (const { id, ties } of rows()) found.set(id, ties);
  expect([0, 1, 2].map((id) => found.get(id))).toEqual([undefined, ['yes', 'no'], ['yes', 'no']]);
});

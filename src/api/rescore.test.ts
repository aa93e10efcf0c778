import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultServer } from '../../test/fault-server/index.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { evaluate } from './evaluate.ts';
import { rescore } from './rescore.ts';

test('rows that failed stay as they were, and none of them is said to be left', async () => {
  const rules = [{ prompt: 'is 1 + 7', fault: { type: 'status', status: 400 } as const }];
  await using server = await startFaultServer({ rules });
  const out = await mkdtemp(join(tmpdir(), 'typecase-rescore-'));
  onTestFinished(() => rm(out, { recursive: true }));
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'fault' }],
    datasets: [
      {
        abbr: 'd',
        rows: [0, 1, 2].map((id) => ({ q: `What is ${id} + 7?`, a: String(id + 7) })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  } as unknown as ConfigInput;
  const { summary } = await evaluate(config, { out });
  const [first] = summary.results;
  expect(first?.failures).toEqual([{ kind: expect.any(String), rows: 1 }]);
  const more = await evaluate(config, { out, retry: 'none' });
  expect(more.summary.results[0]?.failures).toEqual([
    { kind: expect.any(String), rows: 1, left: 1 },
  ]);
  for (const options of [{}, { config }, { evaluator: 'contains' }]) {
    const [again] = (await rescore(out, options)).summary.results;
    expect(again).toMatchObject({ rows: first?.rows, score: { value: first?.score?.value } });
    expect(again?.failures).toEqual(first?.failures);
    expect(again?.answers).toBe(first?.answers);
  }
});

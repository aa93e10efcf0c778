import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultServer } from '../../test/fault-server/index.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { evaluate } from './evaluate.ts';

test('a run ends after as many seconds as it is given, and not before', async () => {
  await using server = await startFaultServer({ latencyMs: 20 });
  const folder = await mkdtemp(join(tmpdir(), 'typecase-max-time-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'fault' }],
    datasets: [
      {
        abbr: 'd',
        rows: Array.from({ length: 60 }, (_, id) => ({ q: `What is ${id} + 7?`, a: '7' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  } as unknown as ConfigInput;
  const run = async (out: string, maxTime: number) => {
    const options = { out: join(folder, out), concurrency: 1, maxTime };
    const { summary } = await evaluate(config, options);
    return [summary.complete, summary.results[0]?.rows.missing];
  };
  expect(await run('long', 600)).toEqual([true, 0]);
  expect(await run('short', 0.2)).toEqual([false, expect.any(Number)]);
  // More than the longest time that a timer takes.
  expect(await run('longer', 10_000_000)).toEqual([true, 0]);
}, 60_000);

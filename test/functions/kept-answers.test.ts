import { expect, it } from 'vitest';
import type { FunctionRequest } from '../../src/model/function-model.ts';
import { makeFolder, runConfig } from './run-config.ts';

/** Twelve rows, of which some fail at every start. */
const config = (evaluator: object, failing: readonly number[]) => ({
  models: [
    {
      abbr: 'app',
      version: '1',
      generate: ({ row }: FunctionRequest) => {
        if (failing.includes(Number(row.number))) throw new Error('no answer');
        return String(row.number);
      },
    },
  ],
  datasets: [
    {
      abbr: 'numbers',
      rows: Array.from({ length: 12 }, (_, number) => ({ number })),
      reader_cfg: { input_columns: ['number'], output_column: 'number' },
      infer_cfg: { prompt_template: { template: 'Say it' } },
      eval_cfg: { evaluator },
    },
  ],
  gate: { allow_failed: failing.length },
});

it.each([
  ['a function', { type: 'function', score: () => true }, undefined],
  ['checks', [{ type: 'function', score: async () => true }], undefined],
  ['another scorer', { type: 'exact' }, { type: 'contains' }],
])(
  'a run whose answers are scored again by %s goes on though all that is asked fails',
  async (_, evaluator, then) => {
    for (const failing of [[11], [0, 1, 2, 3, 4, 5, 6, 7, 8]]) {
      const out = await makeFolder();
      await runConfig(config(evaluator, failing), { out });
      const { summary } = await runConfig(config(then ?? evaluator, failing), { out });
      const scored = 12 - failing.length;
      expect(summary).toMatchObject({
        complete: true,
        results: [{ rows: { scored, failed: failing.length }, requests: { resumed: scored } }],
      });
    }
  },
);

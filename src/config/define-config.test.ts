import { expect, test } from 'vitest';
import { defineConfig } from './define-config.ts';

test('returns what it is given, and checks its types', () => {
  const dataset = {
    abbr: 'd',
    rows: [{ q: '1+1=?', a: 2 }],
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: { prompt_template: { template: new Map([[1, 'x']]) } },
  };
  const input = {
    models: [{ abbr: 'm', stop: 'x' }],
    datasets: [dataset],
    math_datasets: [dataset],
  };
  expect(defineConfig(input)).toBe(input);

  // @ts-expect-error a misspelt key
  defineConfig({ modles: [] });
  // @ts-expect-error a wrong type
  defineConfig({ models: [{ max_out_len: 'many' }] });
  // @ts-expect-error output_column is missing
  defineConfig({ datasets: [{ ...dataset, reader_cfg: { input_columns: 'q' } }] });
});

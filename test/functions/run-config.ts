import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EvaluateOptions, evaluate } from '../../src/api/evaluate.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import type { StoredRow } from '../../src/run/store/open-run.ts';
import type { RunSummary } from '../../src/run/summary.ts';

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-functions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Ran {
  readonly folder: string;
  readonly summary: RunSummary;
  readonly rows: readonly StoredRow[];
}

/** Runs a config in a folder of its own, or in the one given. */
export async function runConfig(config: object, options: EvaluateOptions = {}): Promise<Ran> {
  const out = options.out ?? (await makeFolder());
  const { summary, rows, folder } = await evaluate(config as ConfigInput, { ...options, out });
  const records: StoredRow[] = [];
  for await (const row of rows()) records.push(row);
  return { folder, summary, rows: records.sort((one, other) => one.id - other.id) };
}

const rows = [
  { country: 'France', capital: 'Paris' },
  { country: 'Japan', capital: 'Tokyo' },
  { country: 'Peru', capital: 'Lima' },
];

/** A dataset of capitals, changed as a test needs it. */
export function capitals(change: object = {}): object {
  return {
    abbr: 'capitals',
    rows,
    reader_cfg: { input_columns: ['country'], output_column: 'capital' },
    infer_cfg: { prompt_template: { template: 'Capital of {country}?' } },
    eval_cfg: { evaluator: { type: 'exact' } },
    ...change,
  };
}

/** The values of all metrics of a result, by name. */
export function metricsOf({ results }: RunSummary, index = 0): Record<string, number> {
  const { metric, score, metrics = [] } = results[index] ?? { metric: '' };
  const all = [{ name: metric, score }, ...metrics];
  return Object.fromEntries(all.map((one) => [one.name, one.score?.value ?? Number.NaN]));
}

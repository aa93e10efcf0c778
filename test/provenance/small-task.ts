import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Config, type EvaluateOptions, evaluate, loadConfig } from '../../src/index.ts';

export interface Changes {
  readonly model?: object;
  readonly dataset?: object;
  readonly inference?: object;
  readonly config?: object;
  readonly rows?: readonly object[];
  readonly train?: readonly object[];
  /** A judge beside the model, on the same server. */
  readonly judge?: object;
  /** Further files of the folder. */
  readonly files?: Readonly<Record<string, string>>;
}

export const rows = Array.from({ length: 6 }, (_, id) => ({ q: `${id} + 1`, a: String(id + 1) }));
export const train = Array.from({ length: 9 }, (_, id) => ({ q: `${id} + 9`, a: String(id + 9) }));

const round = [
  { role: 'HUMAN', prompt: '{q} =' },
  { role: 'BOT', prompt: '{a}' },
];

/** A folder with a config and its data: two examples for each of six sums, on a text model. */
export async function writeTask(url: string, changes: Changes = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-provenance-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines = (list: readonly object[]) => list.map((row) => `${JSON.stringify(row)}\n`).join('');
  const config = {
    models: [
      {
        abbr: 'm',
        type: 'OpenAICompletions',
        base_url: url,
        model: 'x',
        max_out_len: 4,
        meta_template: 'chatml',
        ...changes.model,
      },
      ...(changes.judge
        ? [{ abbr: 'j', type: 'OpenAI', base_url: url, model: 'y', judge: true, ...changes.judge }]
        : []),
    ],
    datasets: [
      {
        abbr: 'sums',
        path: { test: 'rows.jsonl', train: 'train.jsonl' },
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          ice_template: { template: { round } },
          prompt_template: {
            template: { begin: ['</E>'], round },
            ice_token: '</E>',
          },
          retriever: { type: 'RandomRetriever', ice_num: 2 },
          ...changes.inference,
        },
        eval_cfg: { evaluator: { type: 'number' } },
        ...changes.dataset,
      },
    ],
    ...changes.config,
  };
  const files = {
    'config.json': JSON.stringify(config),
    'rows.jsonl': lines(changes.rows ?? rows),
    'train.jsonl': lines(changes.train ?? train),
    ...changes.files,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

export interface SmallRun {
  readonly folder: string;
  readonly out: string;
  readonly config: Config;
  readonly result: Awaited<ReturnType<typeof evaluate>>;
}

/** Runs the task of `writeTask` into the folder `out` beside its config. */
export async function runTask(
  url: string,
  changes: Changes = {},
  options: EvaluateOptions = {},
): Promise<SmallRun> {
  const folder = await writeTask(url, changes);
  const out = join(folder, 'out');
  const config = await loadConfig(join(folder, 'config.json'));
  return { folder, out, config, result: await evaluate(config, { out, ...options }) };
}

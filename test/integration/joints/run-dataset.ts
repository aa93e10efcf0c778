import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRows } from '../../../src/run/store/read-rows.ts';
import type { RowRecord } from '../../../src/run/store/row-record.ts';
import type { Outcome } from '../run-cli.ts';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import { startRecordingServer } from './recording-server.ts';

export interface DatasetRun {
  readonly rows: readonly object[];
  readonly infer: object;
  readonly dataset?: object;
  readonly model?: object;
  readonly files?: Readonly<Record<string, Buffer>>;
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WirePart[];
}

export type WirePart = Readonly<Record<string, unknown>> & { readonly type: string };

export interface SentBody {
  readonly messages: readonly WireMessage[];
  readonly prompt?: string;
  readonly max_tokens?: number;
}

export interface RanDataset extends Outcome {
  readonly folder: string;
  /** What came to the server, in order. */
  readonly bodies: readonly SentBody[];
  /** The lines of whole rows, by their numbers. */
  readonly records: readonly RowRecord[];
}

/** Runs a dataset of one model against a server that keeps what it is sent. */
export async function runDataset(given: DatasetRun): Promise<RanDataset> {
  await using server = await startRecordingServer();
  const folder = await writeDataset(given, server.url);
  const out = join(folder, 'out');
  const args = ['run', join(folder, 'c.json'), '--out', out, '--json', '--allow-failed', '100'];
  const outcome = await callCommand(args);
  const bodies = server.requests.map(({ body }): SentBody => JSON.parse(body));
  return { ...outcome, folder, bodies, records: await recordsIn(out) };
}

export async function writeDataset(
  { rows, infer, dataset, model, files = {} }: DatasetRun,
  url: string,
): Promise<string> {
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: url, model: 'm', batch_size: 1, ...model }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: [], output_column: 'answer' },
        infer_cfg: infer,
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  };
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  const folder = await writeFolder({ 'rows.jsonl': lines, 'c.json': JSON.stringify(config) });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
}

async function recordsIn(out: string): Promise<RowRecord[]> {
  const found = new Map<number, RowRecord>();
  try {
    for await (const records of readRows(join(out, 'm/d.jsonl'))) {
      for (const { record } of records) if (record.part === undefined) found.set(record.id, record);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

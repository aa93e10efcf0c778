import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordLookup } from '../../src/run/store/record-lookup.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { cli } from './build-cli.ts';

/** Lines of sums, of which every seventh gold answer is wrong. */
export function sums(count: number): string {
  return Array.from({ length: count }, (_, id) => {
    const gold = id + 7 + (id % 7 === 0 ? 1 : 0);
    return `${JSON.stringify({ question: `${id} + 7`, answer: String(gold) })}\n`;
  }).join('');
}

/** A config that asks the model `m` about the dataset `d` in `rows.jsonl`, as JSON. */
export function configFor(url: string, model: object = {}, dataset: object = {}): string {
  return JSON.stringify({
    models: [{ abbr: 'm', type: 'OpenAI', base_url: `${url}/v1`, model: 'fault', ...model }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { type: 'PromptTemplate', template: 'What is {question}?' },
          retriever: { type: 'ZeroRetriever' },
          inferencer: { type: 'GenInferencer' },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  });
}

/** The arguments that run `config.json` into the folder `out`. */
export function runArguments(...more: string[]): string[] {
  return ['run', 'config.json', '--out', 'out', '--json', ...more];
}

export function startRun(cwd: string, ...more: string[]): RunningCommand {
  return startCommand(cwd, runArguments(...more));
}

/** Starts the real command without waiting for it; what it says on the error channel is gathered. */
export function startCommand(cwd: string, args: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const running = { child, stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    running.stderr += text;
  });
  return running;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly stderr: string;
}

/** The exit code, or the signal that ended the process. */
export async function endOf({ child }: RunningCommand): Promise<number | string> {
  if (child.exitCode !== null) return child.exitCode;
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}

/** The records that count, opened through the index, without what differs from run to run. */
export async function readRows(cwd: string, count: number): Promise<Partial<RowRecord>[]> {
  const log = join(cwd, 'out/m/d');
  const reader = await RecordLookup.open({ logFile: `${log}.jsonl`, indexFile: `${log}.index` });
  const rows: Partial<RowRecord>[] = [];
  for (let id = 0; id < count; id++) {
    const { ms: _, attempts: __, ...record } = (await reader.row(id)) ?? {};
    rows.push(record);
  }
  await reader.close();
  return rows;
}

/** How many whole lines a log has. */
export async function countLines(cwd: string): Promise<number> {
  const text = await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

/** Everything below a folder that is a file, by its path. */
export async function readTree(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    texts.set(path, await readFile(path, 'latin1'));
  }
  return texts;
}

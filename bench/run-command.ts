import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunSummary } from '../src/run/summary.ts';
import { cli } from '../test/integration/build-cli.ts';

const run = promisify(execFile);

export const concurrency = 64;

/** Runs what `writeTask` has written. */
export const runCommand = ['run', 'config.json', '--json', '--concurrency', String(concurrency)];

const question =
  'Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. ' +
  'How many clips did Natalia sell altogether in April and May? Give the number only.';

/** A folder with a file of rows and a config that asks a server about them. */
export async function writeTask(origin: string, rows: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
  const file = await open(join(folder, 'rows.jsonl'), 'w');
  for (let start = 0; start < rows; start += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, rows - start) }, (_, index) =>
      JSON.stringify({ question: `${start + index}. ${question}`, answer: '72' }),
    );
    await file.write(`${lines.join('\n')}\n`);
  }
  await file.close();
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: origin, model: 'bench', max_out_len: 16 }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { type: 'PromptTemplate', template: '{question}' },
          retriever: { type: 'ZeroRetriever' },
          inferencer: { type: 'GenInferencer' },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  return folder;
}

/** Writes what a process has used to a file, as it ends. */
const probe = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const status = readFileSync('/proc/self/status', 'utf8');
  const peakKilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(status)[1]);
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.USAGE_FILE, JSON.stringify({ peakKilobytes, cpu: user + system }));
});`;

export interface CommandFigures {
  /** Of the whole command, from the start of the process to its end. */
  readonly seconds: number;
  /** From the opening of the log until the answers are summed up. */
  readonly askingSeconds: number;
  readonly cpuMicroseconds: number;
  readonly peakMegabytes: number;
}

/** Runs `typecase run` on a folder to its end, and measures the whole process. */
export async function measureRun(folder: string, rows: number): Promise<CommandFigures> {
  const usageFile = join(folder, 'usage.json');
  const startedAt = performance.now();
  const { stdout } = await run(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(probe)}`, cli, ...runCommand],
    { cwd: folder, env: { ...process.env, USAGE_FILE: usageFile } },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const summary: RunSummary = JSON.parse(stdout);
  const [result] = summary.results;
  const { scored } = result?.rows ?? {};
  if (!summary.complete || scored !== rows) throw new Error(`${scored} of ${rows} rows scored`);
  const { cpu, peakKilobytes } = JSON.parse(readFileSync(usageFile, 'utf8'));
  const askingSeconds = result?.seconds ?? Number.NaN;
  return { seconds, askingSeconds, cpuMicroseconds: cpu, peakMegabytes: peakKilobytes / 1024 };
}

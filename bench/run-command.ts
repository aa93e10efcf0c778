import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../src/config/load-config.ts';
import { openEvaluations } from '../src/evaluation/open-evaluations.ts';
import type { RunSummary } from '../src/run/summary.ts';
import { cli } from '../test/integration/build-cli.ts';

const run = promisify(execFile);

export const concurrency = 64;

/** Runs what `writeTask` has written. */
export const runCommand = ['run', 'config.json', '--json', '--concurrency', String(concurrency)];

/** How prompts are made: their length in characters, and the examples in them. */
export interface TaskShape {
  readonly characters?: number;
  readonly examples?: 'none' | 'fixed' | 'random';
}

const shots = 5;
const trainRows = 50;

const question =
  'Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. ' +
  'How many clips did Natalia sell altogether in April and May? Give the number only.';

/** A folder with a file of rows, a config that asks a server about them, and the bodies that it sends. */
export async function writeTask(
  origin: string,
  rows: number,
  { characters, examples = 'none' }: TaskShape = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
  const parts = examples === 'none' ? 1 : shots + 1;
  const text = characters === undefined ? question : textOf(Math.floor(characters / parts));
  await writeRows(join(folder, 'rows.jsonl'), rows, text);
  await writeRows(join(folder, 'train.jsonl'), trainRows, text);
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: origin, model: 'bench', max_out_len: 16 }],
    datasets: [
      {
        abbr: 'd',
        path: examples === 'none' ? 'rows.jsonl' : { train: 'train.jsonl', test: 'rows.jsonl' },
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: inferConfigs[examples],
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeBodies(folder);
  return folder;
}

const inferencer = { type: 'GenInferencer' };
const withExamples = {
  ice_template: { type: 'PromptTemplate', template: '{question}\n{answer}' },
  prompt_template: { type: 'PromptTemplate', template: '</E>{question}', ice_token: '</E>' },
  inferencer,
};
const inferConfigs = {
  none: {
    prompt_template: { type: 'PromptTemplate', template: '{question}' },
    retriever: { type: 'ZeroRetriever' },
    inferencer,
  },
  fixed: { ...withExamples, retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2, 3, 4] } },
  random: { ...withExamples, retriever: { type: 'RandomRetriever', ice_num: shots } },
};

/** The question, cut or repeated. */
function textOf(characters: number): string {
  return question.repeat(Math.ceil(characters / question.length)).slice(0, characters);
}

async function writeRows(path: string, rows: number, text: string): Promise<void> {
  const file = await open(path, 'w');
  for (let start = 0; start < rows; start += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - start) }, (_, index) =>
      JSON.stringify({ question: `${start + index}. ${text}`, answer: '72' }),
    );
    await file.write(`${lines.join('\n')}\n`);
  }
  await file.close();
}

/** What the run is going to send, one body a line, for the bare client. */
async function writeBodies(folder: string): Promise<void> {
  const config = await loadConfig(join(folder, 'config.json'));
  await using evaluations = await openEvaluations(config, { purpose: 'plan' });
  const file = await open(join(folder, 'bodies.jsonl'), 'w');
  for (const { rows, plan } of evaluations) {
    for await (const batch of rows.batches()) {
      const plans = await Promise.all(batch.map((row) => plan(row)));
      const bodies = plans.flatMap(({ requests }) => requests.map(({ encoded }) => encoded));
      await file.write(`${bodies.join('\n')}\n`);
    }
  }
  await file.close();
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
export async function measureRun(
  folder: string,
  rows: number,
  command: readonly string[] = runCommand,
): Promise<CommandFigures> {
  const usageFile = join(folder, 'usage.json');
  const startedAt = performance.now();
  const { stdout } = await run(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(probe)}`, cli, ...command],
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

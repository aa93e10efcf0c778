import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface WideRun {
  readonly folder: string;
  readonly cli: string;
  readonly tasks: number;
  readonly rows: number;
}

/** Makes a run of many small tasks. One row in ten is wrong. */
export function makeWideRun({ folder, cli, tasks, rows }: WideRun): void {
  const data = Array.from({ length: rows }, (_, id) => ({ question: `${id}?`, answer: `${id}` }));
  const answers = data.map(({ answer }, id) => ({ id, answer: id % 10 === 3 ? 'no' : answer }));
  const datasets = Array.from({ length: tasks }, (_, task) => ({
    abbr: `task-${task}`,
    path: 'few.jsonl',
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: { template: `Task ${task}: {question}` },
      inferencer: { type: 'GenInferencer', max_out_len: 16 },
    },
    eval_cfg: { evaluator: { type: 'exact' } },
  }));
  const models = [{ abbr: 'recorded', type: 'Replay', path: 'few-answers.jsonl' }];
  write(folder, { 'few.jsonl': data, 'few-answers.jsonl': answers });
  writeFileSync(join(folder, 'wide.json'), JSON.stringify({ models, datasets }));
  run(folder, cli, 'wide');
}

/** Makes a run of a few rows whose data and answers have many characters each. */
export function makeDeepRun({
  folder,
  cli,
  characters,
}: Omit<WideRun, 'tasks' | 'rows'> & { readonly characters: number }): void {
  const text = (id: number) => `${'word '.repeat(characters / 5)}${id}`;
  const data = Array.from({ length: 6 }, (_, id) => ({ question: text(id), answer: `${id}` }));
  const answers = data.map(({ question }, id) => ({ id, answer: question }));
  const models = [{ abbr: 'recorded', type: 'Replay', path: 'deep-answers.jsonl' }];
  const datasets = [
    {
      abbr: 'texts',
      path: 'deep.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template: { template: '{question}' },
        inferencer: { type: 'GenInferencer', max_out_len: 16 },
      },
      eval_cfg: { evaluator: { type: 'exact' } },
    },
  ];
  write(folder, { 'deep.jsonl': data, 'deep-answers.jsonl': answers });
  writeFileSync(join(folder, 'deep.json'), JSON.stringify({ models, datasets }));
  run(folder, cli, 'deep');
}

function write(folder: string, files: Readonly<Record<string, readonly object[]>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, values] of Object.entries(files)) {
    writeFileSync(join(folder, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  }
}

function run(folder: string, cli: string, name: string): void {
  const args = [cli, 'run', `${name}.json`, '--out', `runs/${name}`];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

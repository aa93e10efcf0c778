import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptHash } from '../src/evaluation/key.ts';

export interface LargeRun {
  readonly folder: string;
  readonly cli: string;
  readonly rows: number;
  /** Length of the answer to each row. */
  readonly answerLength?: number;
}

const config = `models: [{ abbr: recorded, type: Replay, path: answers.jsonl }]
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template: { template: "Question: {question}\\nAnswer:" }
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: exact } }
`;

/**
 * Makes a run of many rows as if it had been asked: one row is run, and the log and its index are
 * written in its form. One row in ten is wrong, one in a thousand has no score.
 */
export async function makeLargeRun({
  folder,
  cli,
  rows,
  answerLength = 12,
}: LargeRun): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const question = (id: number) => `What is ${id} plus ${id % 97}, for clerk ${id % 1013}?`;
  const data = createWriteStream(join(folder, 'rows.jsonl'));
  await writeAll(data, rows, (id) =>
    JSON.stringify({ question: question(id), answer: String(id + (id % 97)), level: id % 5 }),
  );
  writeFileSync(join(folder, 'config.yaml'), config);
  writeFileSync(join(folder, 'answers.jsonl'), '{"id":0,"answer":"0"}\n');
  const args = [cli, 'run', 'config.yaml', '--limit', '1', '--out', 'runs/large'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const run = join(folder, 'runs/large');
  const file = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  delete file.settings.limit;
  writeFileSync(join(run, 'run.json'), JSON.stringify(file));
  const log = join(run, 'recorded/sums.jsonl');
  const first = JSON.parse(readFileSync(log, 'utf8').split('\n')[0] ?? '');
  const places = new Float64Array(rows);
  let offset = 0;
  const padding = 'x'.repeat(Math.max(0, answerLength - 8));
  await writeAll(createWriteStream(log), rows, (id) => {
    const gold = String(id + (id % 97));
    const isRight = id % 10 !== 3;
    const isScored = id % 1000 !== 17;
    const text = isRight ? gold : String(id);
    const line = JSON.stringify({
      ...first,
      id,
      key: id.toString(16).padStart(32, '0'),
      prompt: hashOf(`Question: ${question(id)}\nAnswer:`),
      outcome: isScored ? 'scored' : 'unscored',
      score: isScored ? Number(isRight) : undefined,
      ...(isScored ? {} : { reason: 'no answer found' }),
      answer: `${padding}${text}`,
      extracted: text,
      gold,
      ms: 20 + (id % 700),
      tokens: [20 + (id % 9), 3 + (id % 40)],
    });
    places[id] = offset + 1;
    offset += Buffer.byteLength(line) + 1;
    return line;
  });
  writeFileSync(join(run, 'recorded/sums.index'), new Uint8Array(places.buffer));
  const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
  const unscored = Math.ceil((rows - 17) / 1000);
  summary.results[0].rows = {
    total: rows,
    scored: rows - unscored,
    unscored,
    failed: 0,
    missing: 0,
  };
  summary.results[0].score = { value: 0.9, low: 0.899, high: 0.901, level: 0.95, method: 'wilson' };
  writeFileSync(join(run, 'summary.json'), JSON.stringify(summary));
  return run;
}

async function writeAll(
  stream: ReturnType<typeof createWriteStream>,
  rows: number,
  lineOf: (id: number) => string,
): Promise<void> {
  const batch = 2000;
  for (let start = 0; start < rows; start += batch) {
    let text = '';
    for (let id = start; id < Math.min(rows, start + batch); id++) text += `${lineOf(id)}\n`;
    if (!stream.write(text))
      await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await new Promise((resolve) => stream.end(() => resolve(undefined)));
}

function hashOf(content: string): string {
  return promptHash({ type: 'messages', messages: [{ role: 'user', content }] });
}

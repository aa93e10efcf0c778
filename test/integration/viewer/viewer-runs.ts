import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from '../build-cli.ts';
import { runCli } from '../run-cli.ts';

/** What would run if data or answers were taken for markup. */
export const hostileTexts = [
  '<img src=x onerror="window.hacked=1">',
  '</script><script>window.hacked=1</script>',
  '"><svg onload=window.hacked=1>',
  'javascript:window.hacked=1',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '\u202Egnp.exe \u0000\u001b[31mred\u2066',
  '<style>*{display:none}</style>',
  '日本語の質問と中文的問題',
  `${'long'.repeat(500)}`,
] as const;

/** The marked number is found at once, where the last of 2,000,000 words takes seconds. */
const longAnswer = `${'word '.repeat(1_999_999)}#### 7`;
export const longLength = longAnswer.length;

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="parent.hacked=1"><script>parent.hacked=1</script></svg>').toString('base64')}`;

function config(evaluator: string, template: string): string {
  return `models: [{ abbr: recorded, type: Replay, path: answers.jsonl }]
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template: { template: ${JSON.stringify(template)} }
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: ${evaluator} } }
  - abbr: sums-verbose
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template: { template: "Please solve {question}\\nAnswer:" }
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: number } }
`;
}

/** Rows 0 to 59 are sums; one in four is answered wrong, row 6 in words, row 9 not at all. */
const sums = Array.from({ length: 60 }, (_, id) => ({
  question: `${id} + ${id + 1}?`,
  answer: String(2 * id + 1),
  level: id % 3,
}));
const rows = [
  ...sums,
  ...hostileTexts.map((text) => ({ question: text, answer: text, level: 9 })),
  { question: 'long?', answer: '7', level: 9 },
];

function answerTo(id: number): string {
  const row = rows[id];
  if (id === 6) return `It is ${row?.answer}.`;
  if (id === 9) return '';
  if (id === rows.length - 1) return longAnswer;
  if (id >= sums.length) return `${row?.answer} wrong`;
  return id % 4 === 3 ? '0' : `${row?.answer}`;
}

export interface ViewerRuns {
  readonly folder: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ViewerFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** A folder with runs of several kinds. */
export async function makeViewerRuns(): Promise<ViewerFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-viewer-'));
  const eyes = createServer((request, reply) => {
    request.resume().on('end', () => {
      reply.setHeader('content-type', 'application/json');
      reply.end(
        JSON.stringify({ choices: [{ message: { content: 'dot' }, finish_reason: 'stop' }] }),
      );
    });
  });
  await new Promise<void>((resolve) => eyes.listen(0, '127.0.0.1', () => resolve()));
  const { port } = eyes.address() as AddressInfo;
  const lines = (values: readonly unknown[]) =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const files = {
    'exact.yaml': config('exact', '{question}\nAnswer:'),
    'number.yaml': config('number', 'Q: {question}\nAnswer:'),
    'rows.jsonl': lines(rows),
    'answers.jsonl': lines(rows.map((_, id) => ({ id, answer: answerTo(id) }))),
    'pictures.yaml': `models: [{ abbr: eyes, type: OpenAI, base_url: 'http://127.0.0.1:${port}/v1', model: eyes }]
datasets:
  - abbr: pictures
    rows:
      - { image: '${png}', question: 'What is this?', answer: dot }
      - { image: '${svg}', question: 'And this?', answer: script }
    reader_cfg: { input_columns: [image, question], output_column: answer }
    infer_cfg:
      prompt_template:
        type: MMPromptTemplate
        template:
          round:
            - { role: HUMAN, prompt_mm: { image: '{image}', text: '{question}' } }
            - { role: BOT, prompt: '{answer}' }
      inferencer: { type: GenInferencer, max_out_len: 16 }
    eval_cfg: { evaluator: { type: exact } }
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await mkdir(join(folder, 'runs'));
  const sweep = [
    'sweep',
    'task:latent-operation',
    '--models',
    'typecase-tiny',
    '--templates',
    'arrow,given',
  ];
  for (const args of [
    ['run', 'exact.yaml'],
    ['run', 'number.yaml'],
    ['run', 'pictures.yaml'],
    [...sweep, '--shots', '0,1', '--limit', '24', '--out', 'runs/sweep'],
  ]) {
    const { code, stderr } = await runCli(args, { cwd: folder });
    if (code !== 0 && !args.includes('pictures.yaml')) throw new Error(stderr);
  }
  eyes.close();
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** The same with a viewer over it. */
export async function startViewerRuns(): Promise<ViewerRuns> {
  const { folder, remove } = await makeViewerRuns();
  const { child, url } = await serve(folder);
  return {
    folder,
    url,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await remove();
    },
  };
}

/** Starts `typecase serve` in a folder. */
export async function serve(
  folder: string,
  args: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const found = /http:\S+/.exec(text)?.[0];
      if (found !== undefined) resolve(found.replace(/\/$/, ''));
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return { child, url };
}

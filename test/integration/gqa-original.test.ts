import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { startJudgeServer } from './judge-server.ts';
import { npyOf } from './npy.ts';
import { writeFolder } from './run-cli.ts';

const samples = ['red', 'blue', 'red', 'green'].map((answer, index) => ({
  id: `q${index}`,
  imageId: String(index),
  question: index === 2 ? 'What color is it?' : `What color is  number ${index}?`,
  answer,
  fullAnswer: `It is ${answer}.`,
  semanticStr: index > 0 ? 'select: thing' : '',
}));
const conversations = [
  { from: 'human', value: '<image>\nWhat is this?' },
  { from: 'gpt', value: 'A cat.' },
];
const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const spec = [
  { name: 'one', model: 'm/one', max_samples: -1, shuffle_seed: null },
  {
    name: 'two',
    model: 'm/two',
    preset: 'qwen3-vl-2b',
    max_samples: 2,
    prompt_template: '{question}',
  },
];

async function makeFolder(): Promise<string> {
  const frame = { ...samples[0], imageId: 'f1', metadata: { video_id: 'clip' } };
  const folder = await writeFolder({
    'gqa.jsonl': lines(samples),
    'llava.json': JSON.stringify([{ id: 'l1', image: 'c.jpg', conversations }]),
    'spec.json': JSON.stringify(spec),
  });
  await mkdir(join(folder, 'frames/clip'), { recursive: true });
  await mkdir(join(folder, 'images'));
  await writeFile(join(folder, 'frames/labels.json'), JSON.stringify([frame]));
  await writeFile(join(folder, 'frames/clip/f1.png'), '');
  await writeFile(join(folder, 'images/1.jpg'), '');
  return folder;
}

/** Options with names of files as they stand in a folder. */
function within(folder: string, args: readonly string[]): string[] {
  return args.map((arg) =>
    /\.(jsonl?|csv)$|^(frames|images|out)$/.test(arg) ? join(folder, arg) : arg,
  );
}

const compat = ['--compat', '48bab23'];

test.each<[string, readonly string[], readonly Readonly<Record<string, unknown>>[]]>([
  [
    'all samples in their order',
    ['--data', 'gqa.jsonl', '--max-samples', '-1', '--shuffle-seed', '-1'],
    samples.map(({ id }) => ({ dataset_id: id })),
  ],
  ['so many of them', ['--data', 'gqa.jsonl', '--max-samples', '2'], [{}, {}]],
  [
    'LLaVA by its name and address',
    ['--dataset', 'llava150k', '--llava-data-url', 'llava.json'],
    [{ question: 'What is this?', full_answer: 'A cat.' }],
  ],
  [
    'frames with their images beside the labels',
    ['--dataset', 'video_frames', '--video-frames-data', 'frames/labels.json'],
    [{ image: expect.stringMatching(/frames\/clip\/f1\.png$/) }],
  ],
  [
    'frames with another root',
    [
      '--dataset',
      'video_frames',
      '--video-frames-data',
      'frames/labels.json',
      '--video-frames-root',
      'images',
    ],
    [{ image: null }],
  ],
  [
    'the synthetic samples',
    ['--dataset', 'synthetic', '--max-samples', '1'],
    [{ dataset_id: 'exact-1' }],
  ],
  [
    'a preset for a spec',
    [
      '--specs',
      'spec.json',
      '--data',
      'gqa.jsonl',
      '--preset',
      'internvl3.5-2b',
      '--experiment',
      'one',
      '--max-samples',
      '1',
      '--shuffle-seed',
      '-1',
    ],
    [{ prompt: expect.stringMatching(/^<image>\nYou are assisting/) }],
  ],
  [
    'a preset under what an experiment says itself',
    [
      '--specs',
      'spec.json',
      '--data',
      'gqa.jsonl',
      '--preset',
      'internvl3.5-2b',
      '--experiment',
      'two',
      '--max-samples',
      '1',
      '--shuffle-seed',
      '-1',
    ],
    [{ prompt: 'What color is  number 0?' }],
  ],
  [
    'what has no effect on prompts',
    [
      '--data',
      'gqa.jsonl',
      '--max-samples',
      '1',
      '--report-limit',
      '3',
      '--cache-backend',
      'semantic-kv',
      '--cache-mode',
      'live',
      '--purge-cache-between-runs',
      '--keep-cache-dirs',
      '--disable-log-stats',
      '--max-model-len',
      '8',
      '--use-hf',
    ],
    [{}],
  ],
])('the original’s options: %s', async (_, args, expected) => {
  const folder = await makeFolder();
  const { code, stdout, stderr } = await callCommand([
    'gqa',
    ...within(folder, args),
    ...compat,
    '--json',
  ]);
  expect([code, stderr.replace(/.*not found under.*\n/, '')]).toEqual([0, '']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject(expected);
});

test('the folder that GQA_IMAGE_ROOT names', async () => {
  const folder = await makeFolder();
  process.env.GQA_IMAGE_ROOT = join(folder, 'images');
  try {
    const args = within(folder, [
      'gqa',
      '--data',
      'gqa.jsonl',
      '--max-samples',
      '2',
      '--shuffle-seed',
      '-1',
    ]);
    const { stdout } = await callCommand([...args, ...compat, '--json']);
    const images = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).image);
    expect(images).toEqual([null, join(folder, 'images/1.jpg')]);
  } finally {
    delete process.env.GQA_IMAGE_ROOT;
  }
});

test('without compat, each of them is refused with what to write', async () => {
  const folder = await makeFolder();
  const data = ['--data', join(folder, 'gqa.jsonl')];
  const cases: [string, string[], string][] = [
    ['gqa', ['--max-samples', '3'], '`--limit N`'],
    ['gqa', ['--limit', '-1'], 'Leave it out for all samples.'],
    ['gqa', ['--shuffle-seed', '-1'], 'Leave it out for the order of the data.'],
    ['gqa', ['--dataset', 'llava150k'], '`llava`'],
    ['gqa', ['--dataset', 'video_frames'], '`video`'],
    ['gqa', ['--llava-data-url', 'x'], '`--data ADDRESS`'],
    ['gqa', ['--video-frames-data', 'x'], '`--data FILE`'],
    ['gqa', ['--video-frames-root', 'x'], '`--image-root FOLDER`'],
    ['gqa', ['--gqa-image-dir', 'x'], '`--image-root FOLDER`'],
    ['gqa', ['--specs', 'x'], '`--spec FILE`'],
    ['gqa', ['--experiment', 'x'], '`--spec FILE`'],
    ['cache-study', ['--index-encoder', 'x'], '`--encoder NAME`'],
    ['cache-study', ['--embedding-hook', 'prompt'], '`--embedding-layer`'],
    ['cache-study', ['--cache-backend', 'semantic-kv'], '`--compat 40a46a9`'],
    ['cache-study', ['--cache-mode', 'dry-run'], 'Omit it'],
    ['cache-study', ['--report-limit', '2'], '`--pairs FILE`'],
    ['cache-study', ['--log-file', 'x'], '`--summary-log FILE`'],
    ['cache-study', ['--samples-dir', 'x'], '`--samples-jsonl FILE`'],
    ['cache-study', ['--purge-cache-between-runs'], 'empty cache'],
    ['cache-study', ['--max-tokens', '3'], '`max_tokens`'],
    ['cache-study', ['--resume'], '`--summary-log FILE`'],
  ];
  for (const [command, args, hint] of cases) {
    const { code, stderr } = await callCommand([command, ...data, ...args]);
    expect([command, args, code, stderr]).toEqual([
      command,
      args,
      2,
      expect.stringContaining(hint),
    ]);
  }
});

test('data of another dataset is refused', async () => {
  const folder = await makeFolder();
  const cases: [string[], string][] = [
    [['--dataset', 'llava', '--data', 'gqa.jsonl'], 'no `conversations`'],
    [['--dataset', 'llava', '--data', 'gqa.jsonl'], '`--dataset gqa`'],
    [['--data', 'llava.json'], '`--dataset llava`'],
    [['--data', 'llava.json', ...compat], 'no `question`'],
    [['--dataset', 'video', '--data', 'spec.json'], '`name`, `model`'],
    [['--dataset', 'synthetic', '--data', 'gqa.jsonl'], 'takes no data'],
  ];
  for (const [args, text] of cases) {
    for (const command of ['gqa', 'cache-study']) {
      const { code, stderr } = await callCommand([command, ...within(folder, args)]);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(text)]);
    }
  }
});

const emitted = (name: string, model: string, ...more: string[]) =>
  [
    `# ${name}`,
    `rm -rf experiment2/kv_chunks && rm -rf experiment2/fusion_chunks && echo "=== ${name} ===" && ` +
      `CUDA_LAUNCH_BLOCKING=1 python experiment2/test_vllm.py --experiment-name ${name} --model ${model} ` +
      '--dataset gqa --dataset-config val_balanced_instructions --split val ' +
      more.join(' '),
    '',
  ].join('\n');
const common =
  '--cache-dir experiment2/kv_chunks --index-encoder sentence-transformers/all-MiniLM-L6-v2 ' +
  '--index-encoder-device cuda --fusion-cache-dir experiment2/fusion_chunks --temperature 0.0 ' +
  '--max-tokens 64 --tensor-parallel-size 1 --gpu-memory-utilization 0.9';

test('commands of the original, with its logs', async () => {
  const folder = await makeFolder();
  const args = [
    '--specs',
    'spec.json',
    '--emit-commands',
    '--samples-dir',
    'samples',
    '--cache-mode',
    'live',
  ];
  const { stdout } = await callCommand(['gqa', ...within(folder, args), '--compat', '40a46a9']);
  const logs = (name: string) =>
    `--summary-log experiment2/experiment_logs.csv --log-csv experiment2/${name}.csv --samples-jsonl samples/${name}.jsonl`;
  expect(stdout).toBe(
    [
      emitted(
        'one',
        'm/one',
        '--max-samples -1 --shuffle-seed -1 --chunk-source semantic --similarity-threshold 0.8 --embedding-hook none',
        common,
        '--cache-mode live',
        logs('one'),
      ),
      emitted(
        'two',
        'm/two',
        "--max-samples 2 --shuffle-seed 7 --chunk-source semantic --prompt-template '{question}' --similarity-threshold 0.82 --embedding-layer prompt:384:0.82 --embedding-layer vision:512:0.85 --embedding-hook prompt_vision",
        common,
        '--cache-mode live --trust-remote-code',
        logs('two'),
      ),
    ].join('\n'),
  );
});

async function readTotals(folder: string): Promise<string[][]> {
  const text = await readFile(join(folder, 'totals.csv'), 'utf8');
  return text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

test('totals are not repeated, and a run goes on where the log ends', async () => {
  const folder = await makeFolder();
  const run = (...args: string[]) =>
    callCommand(
      within(folder, [
        'cache-study',
        '--data',
        'gqa.jsonl',
        '--spec',
        'spec.json',
        '--no-sweep',
        '--summary-log',
        'totals.csv',
        ...args,
      ]),
    );
  expect(await run('--experiment', 'one')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('--resume')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^two · /),
    stderr: expect.stringContaining('one is already in'),
  });
  expect(await run()).toMatchObject({
    stderr: expect.stringContaining('already has these totals of two'),
  });
  expect(await run('--resume')).toMatchObject({ code: 0, stdout: '' });
  expect((await readTotals(folder)).map((cells) => cells[1])).toEqual(['experiment', 'one', 'two']);
  const other = await run(...compat, '--summary-log', 'gqa.jsonl');
  expect(other.stderr).toContain('is a log with different columns');
});

test.each([
  ['semantic-kv', '1.0', { q3: 'It is green.' }],
  ['model-router', '0.5', { q3: 'It is blue.' }],
])('with %s the accuracy is %s', async (backend, accuracy, answers) => {
  const folder = await makeFolder();
  const args = [
    'cache-study',
    '--data',
    'gqa.jsonl',
    '--max-samples',
    '-1',
    '--shuffle-seed',
    '-1',
    '--experiment-name',
    'x',
    '--cache-backend',
    backend,
    '--log-file',
    'totals.csv',
    '--samples-dir',
    'out',
    '--no-sweep',
    '--compat',
    '40a46a9',
  ];
  expect(await callCommand(within(folder, args))).toMatchObject({ code: 0, stderr: '' });
  const written = (await readFile(join(folder, 'out/x.jsonl'), 'utf8')).trim().split('\n');
  const responses = Object.fromEntries(
    written
      .map((line) => JSON.parse(line))
      .map(({ dataset_id, response }) => [dataset_id, response]),
  );
  expect(responses).toMatchObject(answers);
  const [columns = [], totals = []] = await readTotals(folder);
  expect(totals[columns.indexOf('answer_accuracy')]).toBe(accuracy);
  expect(totals[columns.indexOf('experiment')]).toBe('x');
});

test('a layer has vectors only if a hook makes them, and code of the original cannot be run', async () => {
  const folder = await makeFolder();
  const run = (hook: string) =>
    callCommand(
      within(folder, [
        'cache-study',
        '--data',
        'gqa.jsonl',
        '--embedding-layer',
        'prompt:64:0.1',
        '--embedding-hook',
        hook,
        '--disable-exact-cache',
        '--disable-semantic-cache',
        '--json',
        ...compat,
        '--cache-backend',
        'model-router',
        '--compat',
        '40a46a9',
      ]),
    );
  expect(JSON.parse((await run('none')).stdout)).toMatchObject({ hits: 0 });
  expect(JSON.parse((await run('prompt_vision')).stdout)).toMatchObject({ hits: 3 });
  expect(await run('native_text')).toMatchObject({ stderr: expect.stringContaining('--vectors') });
  expect(await run('nonsense')).toMatchObject({
    stderr: expect.stringContaining('compat.value_error'),
  });
  const live = await callCommand(['cache-study', '--cache-mode', 'live', ...compat]);
  expect(live).toMatchObject({ code: 2, stderr: expect.stringContaining('gqa.not_simulated') });
});

const [east, north, west, south] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const none = [Number.NaN, Number.NaN];

test('vectors that were given are of the encoder that is named, and a sample may have none', async () => {
  const folder = await makeFolder();
  const [semantic, prompts] = [join(folder, 'semantic.npy'), join(folder, 'prompt.npy')];
  await writeFile(semantic, npyOf([east, north, west, south]));
  const study = async (...rows: readonly (readonly number[])[]) => {
    await writeFile(prompts, npyOf(rows));
    const { code, stderr } = await callCommand([
      ...within(folder, ['cache-study', '--data', 'gqa.jsonl', '--summary-log', 'totals.csv']),
      ...within(folder, [
        '--log-csv',
        'samples.csv',
        '--max-samples',
        '-1',
        '--shuffle-seed',
        '-1',
      ]),
      ...['--chunk-source', 'question', '--disable-exact-cache', '--no-sweep'],
      ...[
        '--index-encoder',
        'my/encoder',
        '--embedding-layer',
        'prompt:2:0.9',
        '--embedding-hook',
        'prompt',
      ],
      ...['--compat', '40a46a9'],
      ...['--vectors', `semantic=${semantic}`, '--vectors', `prompt=${prompts}`],
    ]);
    expect([code, stderr]).toEqual([0, '']);
    const written = await readFile(join(folder, 'samples.csv'), 'utf8');
    return (written.match(/\{""[^}]*kv_cache[^}]*\}/g) ?? []).map(
      (text) => JSON.parse(text.replaceAll('""', '"'))['embedding:prompt'],
    );
  };
  expect(await study(east, east, north, east)).toEqual(['miss', 'hit', 'miss', 'hit']);
  expect(await study(east, none, north, none)).toEqual(['miss', 'skip', 'miss', 'skip']);
  const [head = [], ...totals] = await readTotals(folder);
  const column = (name: string) => totals.map((cells) => cells[head.indexOf(name)]);
  expect(column('index_encoder')).toEqual(['my/encoder', 'my/encoder']);
  // Nothing is asked, so nothing takes time.
  expect([column('avg_latency'), column('avg_latency_hit')]).toEqual([
    ['', ''],
    ['', ''],
  ]);
});

test('recorded answers are graded by a judge, as the original grades them', async () => {
  await using server = await startJudgeServer();
  const said = ['correct', 'Incorrect.', 'The answer is correct', 'not correct', 'maybe'];
  const responses = said.map((_, index) => ({
    ...{ prompt: `p${index}`, question: 'Q?', reference: 'R', response: `A${index}` },
  }));
  server.answer = (_, text) => said[Number(/Response: A(\d)/.exec(text)?.[1])] ?? '';
  const example = await readFile(
    join(import.meta.dirname, '../../examples/gqa/regrade.yaml'),
    'utf8',
  );
  const folder = await writeFolder({
    'regrade.yaml': example.replace('http://127.0.0.1:8001/v1', server.url),
    'responses.jsonl': lines([...responses, { ...responses[0], prompt: 'asked twice' }]),
  });
  const args = ['run', join(folder, 'regrade.yaml'), '--out', join(folder, 'run'), '--json'];
  const { code, stdout } = await callCommand(args);
  expect(code).toBe(0);
  const [result] = JSON.parse(stdout).results;
  expect(result).toMatchObject({ rows: { scored: 5, unscored: 1 }, score: { value: 0.8 } });
  const prompts = server.asked.map(
    ({ messages }) => (messages as { content: string }[])[0]?.content,
  );
  const vectors = await readFile(join(import.meta.dirname, '../vectors/gqa/vectors.jsonl'), 'utf8');
  const vector = vectors.split('\n').find((line) => line.includes('"regrader.prompt"')) ?? '';
  const whole: string = JSON.parse(vector).ok;
  expect(prompts.toSorted()).toEqual(
    said.map((_, index) => whole.replace('Response: A', `Response: A${index}`)),
  );
});

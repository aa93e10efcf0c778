import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildCli } from '../../../../test/integration/build-cli.ts';
import { runCli, writeFolder } from '../../../../test/integration/run-cli.ts';
import { readSnapshot } from '../../../../test/read-snapshot.ts';
import type { StudyPage } from '../../../report/snapshot/study-page.ts';

beforeAll(buildCli);

const rows = [
  { id: 'a', imageId: '1', question: 'What color is it?', answer: 'red' },
  { id: 'b', imageId: '1', question: 'what  COLOR is it?', answer: 'Red.' },
  { id: 'c', imageId: '2', question: 'What color is it now?', answer: 'blue' },
  { id: '<img onerror=x>', imageId: '3', question: 'Who?' },
];

async function study(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<{ folder: string; code: number | null; stdout: string; stderr: string }> {
  const data = rows.map((row) => JSON.stringify(row)).join('\n');
  const folder = await writeFolder({ 'rows.jsonl': data, ...files });
  const common = args.includes('--spec')
    ? []
    : ['--data', 'rows.jsonl', '--chunk-source', 'question'];
  return { folder, ...(await runCli(['cache-study', ...common, ...args], { cwd: folder })) };
}

test('for machines', async () => {
  const { stdout } = await study([
    '--json',
    '--embedding-layer',
    'vision:64:0.99',
    '--sweep',
    '0.7:0.9:0.1',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    encoder: 'hashing',
    samples: 4,
    hits: 2,
    judged: 2,
    wrong: 1,
    distinct_chunk_texts: 4,
    layers: [
      { source: 'text:exact', hits: 1, wrong: 0 },
      { source: 'embedding:vision', threshold: 0.99, hits: 0 },
      { source: 'text', threshold: 0.8, hits: 1, wrong_rate: 1 },
    ],
    sweep: [
      { threshold: 0.7, hits: 2 },
      { threshold: 0.8, hits: 2 },
      { threshold: 0.9, hits: 1 },
    ],
    prefix_cache: { requests: 4, exact_tokens: false, block: 16, size: null, in_flight: 1 },
  });
});

test('the files of the original, and the pairs', async () => {
  const files = [
    '--summary-log',
    'log.csv',
    '--samples-jsonl',
    's.jsonl',
    '--log-csv',
    's.csv',
    '--pairs',
    'p.jsonl',
  ];
  const { folder, code } = await study([...files, '--no-sweep']);
  expect(code).toBe(0);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  await runCli(
    ['cache-study', '--data', 'rows.jsonl', '--summary-log', 'log.csv', '--compat', '48bab23'],
    {
      cwd: folder,
    },
  );
  const [head, ...lines] = (await read('log.csv')).trimEnd().split('\r\n');
  expect(head).toMatch(/^timestamp,experiment,model,.*,wall_time,hit_breakdown$/);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /,hashing,.*,4,2,0\.5,,,,0\.6666666666666666,[\d.e-]+,"\{""text:exact"": 1, ""text"": 1\}"$/,
  );
  expect(lines[1]).toMatch(/,4,\d,0\.\d{6},,,,/);
  const samples = (await read('s.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(samples.map(({ hit_source, is_correct }) => [hit_source, is_correct])).toEqual([
    [null, true],
    ['text:exact', true],
    ['text', false],
    [null, null],
  ]);
  expect((await read('s.csv')).split('\r\n')[2]).toContain(
    '"{""exact_text"": ""hit"", ""kv_cache"": ""hit""',
  );
  const pairs = (await read('p.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(pairs).toMatchObject([
    { id: 'b', from: 'a', same_answer: true },
    { id: 'c', from: 'a', source: 'text', reused_answer: 'red', same_answer: false },
  ]);
});

test('experiments of a spec have files of their own', async () => {
  const spec = JSON.stringify({
    defaults: { data: 'rows.jsonl', chunk_source: 'question' },
    experiments: [{ name: 'a/b' }, { name: 'c', similarity_threshold: 0.99 }],
  });
  const { folder, stdout } = await study(
    ['--spec', 'spec.json', '--pairs', 'pairs.jsonl', '--no-sweep', '--json'],
    { 'spec.json': spec },
  );
  expect(JSON.parse(stdout).map(({ hits }: { hits: number }) => hits)).toEqual([2, 1]);
  const counts = ['pairs-a-b.jsonl', 'pairs-c.jsonl'].map(async (name) => {
    return (await readFile(join(folder, name), 'utf8')).trim().split('\n').length;
  });
  expect(await Promise.all(counts)).toEqual([2, 1]);
});

test('the page and the plot hold no markup of the data', async () => {
  const name = '</style><script>alert(1)</script>';
  const spec = JSON.stringify([
    { name, data: 'rows.jsonl', chunk_source: 'image', embedding_layers: ['prompt:8:-1'] },
  ]);
  const args = ['--spec', 'spec.json', '--report'];
  const { folder } = await study([...args, 'r.html'], { 'spec.json': spec });
  await runCli(['cache-study', ...args, 'r.svg'], { cwd: folder });
  const { replies } = await readSnapshot(join(folder, 'r.html'));
  const [section] = (replies['/api/study'] as StudyPage).sections;
  expect(section?.title).toBe(name);
  const figures = section?.blocks.flatMap((one) => (one.type === 'figures' ? one.figures : []));
  const plot = await readFile(join(folder, 'r.svg'), 'utf8');
  for (const svg of [plot, figures?.[0]?.svg ?? '']) {
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toMatch(/<script|<img/);
    // what could not be judged is a part of its own, neither right nor wrong
    for (const part of ['right', 'open', 'wrong']) expect(svg).toContain(`<rect class="${part}"`);
  }
});

describe('vectors', () => {
  const numbers = Float32Array.from([1, 0, 0, 1, 3, 4, 0, -1]);

  test('from a file, by the row of the data', async () => {
    const folder = await writeFolder({
      'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    });
    await writeFile(join(folder, 'v.f32'), Buffer.from(numbers.buffer));
    const layer = [
      '--embedding-layer',
      'own:2:0.7',
      '--vectors',
      'own=v.f32',
      '--disable-semantic-cache',
      '--disable-exact-cache',
    ];
    const args = ['--data', 'rows.jsonl', '--shuffle-seed', '3', ...layer, '--pairs', 'p.jsonl'];
    await runCli(['cache-study', ...args], { cwd: folder });
    const pairs = (await readFile(join(folder, 'p.jsonl'), 'utf8')).trim().split('\n');
    expect(pairs.map((line) => JSON.parse(line))).toMatchObject([
      { source: 'embedding:own', score: 0.8 },
    ]);
  });

  test('from an endpoint, in the order of the texts', async () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { input, model } = JSON.parse(body) as { input: string[]; model: string };
        const data = input.map((text, index) => ({
          index,
          embedding: [text.length, model.length],
        }));
        response.end(JSON.stringify({ data: data.reverse() }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const args = [
      '--encoder',
      `http://127.0.0.1:${port}/v1`,
      '--encoder-model',
      'm',
      '--json',
      '--no-sweep',
    ];
    const { stdout, stderr } = await study(args);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ encoder: 'm', hits: 3 });
  });

  test('from a model on this machine, and tokens by its tokenizer', async () => {
    const encoder = join(import.meta.dirname, '../../../model/local/fixtures/encoder');
    const tokenizer = ['--tokenizer', join(encoder, 'tokenizer.json')];
    const { stdout } = await study(['--encoder', encoder, ...tokenizer, '--json', '--no-sweep']);
    expect(JSON.parse(stdout)).toMatchObject({
      encoder: 'encoder',
      prefix_cache: { exact_tokens: true },
    });
  });
});

test.each([
  [
    ['--embedding-layer', 'prompt:3x'],
    ['gqa.bad_embedding_layer', '`prompt:384:0.85`'],
  ],
  [
    ['--embedding-layer', 'promt:8'],
    ['gqa.unknown_layer', '`prompt`', '--vectors promt=FILE'],
  ],
  [
    ['--vectors', 'sematic=v.f32'],
    ['gqa.unknown_layer', '`semantic`'],
  ],
  [
    ['--vectors', 'semantic=rows.jsonl'],
    ['gqa.bad_vectors', '.npy'],
  ],
  [
    ['--embedding-layer', 'own:2', '--vectors', 'own=two.f32'],
    ['gqa.bad_vectors', 'row 3'],
  ],
  [['--embedding-layer', 'vision:8', '--encoder', '.'], ['error[model.']],
  [
    ['--encoder', 'hashin'],
    ['gqa.unknown_encoder', '`hashing`'],
  ],
  [
    ['--encoder', 'http://127.0.0.1:9'],
    ['gqa.encoder_model_missing', '--encoder-model'],
  ],
  [
    ['--report', 'r.pdf'],
    ['gqa.unknown_report', '.html'],
  ],
  [
    ['--report', 'r.svg', '--no-sweep'],
    ['usage.conflicting_options', '--no-sweep'],
  ],
  [
    ['--sweep', '1:0:0.1'],
    ['usage.invalid_argument', '0.5:0.95:0.05'],
  ],
  [['--similarity-threshold', '2'], ['usage.invalid_argument']],
  [
    ['--vectors', 'x'],
    ['usage.invalid_argument', 'LAYER=FILE'],
  ],
])('%j is refused', async (args, texts) => {
  const { stderr, code } = await study(args, { 'two.f32': '\0'.repeat(16) });
  expect(code).toBeGreaterThanOrEqual(2);
  for (const text of texts) expect(stderr).toContain(text);
});

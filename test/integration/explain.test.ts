import { beforeAll, expect, test } from 'vitest';
import { modelDefaults } from '../../src/config/run-defaults.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const config = `models:
  - type: OpenAI
    base_url: http://me:s3cret@127.0.0.1:8000/v1?key=s3cret
    model: org/chat
    headers: { X-Key: s3cret }
    timeout: 2.5
datasets:
  - path: { test: data/sums.jsonl }
    reader_cfg: { input_columns: q, output_column: a }
    infer_cfg:
      prompt_template: { messages: [{ role: user, content: "{q}\\nAnswer with a number, and say why you are sure of it." }] }
`;

test('a tree with a place for every value', async () => {
  const cwd = await writeFolder({ 'c.yaml': config });
  const { code, stdout, stderr } = await runCli(['explain', 'c.yaml'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n').map((line) => line.replace(/(?<=\S) {2,}/, ' | '));
  expect(lines).toEqual([
    'work_dir: runs | default',
    'models[0]',
    '  abbr: chat | from model, c.yaml:4',
    '  type: OpenAI | c.yaml:2',
    '  model: org/chat | c.yaml:4',
    '  base_url: "http://127.0.0.1:8000/v1?key=***" | c.yaml:3',
    '  headers',
    '    X-Key: *** | c.yaml:5',
    '  timeout: 2.5 | c.yaml:6',
    '  batch_size: 64 | default',
    '  retries: 5 | default',
    '  stream: false | default',
    'datasets[0]',
    '  abbr: sums | from test, c.yaml:8',
    '  path',
    '    test: data/sums.jsonl | c.yaml:8',
    '  reader_cfg',
    '    input_columns: ["q"] | c.yaml:9',
    '    output_column: a | c.yaml:9',
    '    train_split: train | default',
    '    test_split: test | default',
    '  infer_cfg',
    '    prompt_template',
    '      messages[0]',
    '        role: user | c.yaml:11',
    expect.stringMatching(/^ {8}content: "\{q\}\\nAnswer with a number.*…" \| c\.yaml:11$/),
    '      type: RawPromptTemplate | from messages, c.yaml:11',
    '    retriever',
    '      type: ZeroRetriever | default',
    '    inferencer',
    '      type: GenInferencer | default',
    '',
  ]);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the same for machines, without secrets', async () => {
  const cwd = await writeFolder({ 'c.yaml': config });
  const { stdout } = await runCli(['explain', 'c.yaml', '--json'], { cwd });
  const { config: file, values, notices } = JSON.parse(stdout);
  expect([file, notices]).toEqual(['c.yaml', []]);
  expect(values).toContainEqual({
    path: 'models[0].timeout',
    value: 2.5,
    from: 'file',
    at: { file: 'c.yaml', line: 6, column: 14 },
  });
  expect(values).toContainEqual({
    path: 'models[0].abbr',
    value: 'chat',
    from: 'derived',
    source: 'models[0].model',
    at: { file: 'c.yaml', line: 4, column: 12 },
  });
  expect(stdout).not.toContain('s3cret');
});

test('defaults are those that the help of a run names', async () => {
  const { stdout } = await runCli(['run', '--help']);
  for (const name of ['retries', 'timeout'] as const) {
    expect(stdout).toMatch(new RegExp(`--${name} .*\\(default: ${modelDefaults[name]}\\)`));
  }
});

test('a wrong config is an error as everywhere', async () => {
  const cwd = await writeFolder({ 'c.yaml': config.replace('timeout', 'timeuot') });
  const { code, stderr } = await runCli(['explain', 'c.yaml'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean `timeout`?')]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');

interface Span {
  readonly text: string;
  readonly origin: { readonly type: string; readonly field?: string };
  readonly at: { file: string; line: number; column: number; usedBy?: { line: number } } | null;
}

async function spansOf(file: string, ...options: string[]): Promise<readonly Span[]> {
  const { code, stdout, stderr } = await callCommand(['view', file, '--json', ...options]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return JSON.parse(stdout).views[0].prompts[0].spans;
}

/** What stands in a file from a place on. */
function textAt({ file, line, column }: NonNullable<Span['at']>, length: number): string {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return (lines[line - 1] ?? '').slice(column - 1, column - 1 + length);
}

const task = `
output_column: answer
versions:
  plain:
    prompt_template: { template: "Q: {question} A: {answer}" }
  other:
    prompt_template: { template: "Ask {question}" }
`;

test('the text of a task is at its own file and line, used by the config', async () => {
  for (const version of ['equation', 'call', 'postfix']) {
    const folder = await writeFolder({
      'c.yaml': `models: []\ndatasets:\n  - { task: arithmetic, version: ${version} }\n`,
    });
    const spans = await spansOf(join(folder, 'c.yaml'));
    for (const { text, origin, at } of spans.filter((span) => span.text !== '')) {
      expect(at).toMatchObject({ file: 'tasks/arithmetic/task.yaml', usedBy: { line: 3 } });
      const written = origin.type === 'field' ? `{${origin.field}}` : text;
      expect(at && textAt(at, written.length)).toBe(written);
    }
  }
});

test('files of one’s own are told apart from what the config says itself', async () => {
  const folder = await writeFolder({
    'sums.yaml': task,
    'rows.jsonl': '{"question":"1+1=?","answer":"2"}\n',
    'c.yaml': [
      'models: []',
      'datasets:',
      '  - task: sums.yaml',
      '    version: other',
      '    path: rows.jsonl',
      '    reader_cfg: { input_columns: [question], output_column: answer }',
      '  - task: sums.yaml',
      '    abbr: own',
      '    path: rows.jsonl',
      '    reader_cfg: { input_columns: [question], output_column: answer }',
      '    infer_cfg: { prompt_template: { template: "Own {question}" } }',
    ].join('\n'),
  });
  const file = join(folder, 'c.yaml');
  const [ask] = await spansOf(file);
  expect(ask?.at).toMatchObject({ file: join(folder, 'sums.yaml'), line: 7, usedBy: { line: 3 } });
  const [own] = await spansOf(file, '--dataset', 'own');
  expect(own?.at).toEqual({ file, line: 11, column: 48 });
  const explained = await callCommand(['explain', file]);
  expect(explained.stdout).toContain('sums.yaml:7');
});

test('unknown evaluators and post-processors are named at once, with what stands for them', async () => {
  const folder = await writeFolder({
    'rows.jsonl': '{"question":"1+1=?","answer":"2"}\n',
    'c.json': JSON.stringify({
      models: [{ abbr: 'm', type: 'OpenAI', base_url: 'http://127.0.0.1:9', model: 'm' }],
      datasets: ['a', 'b'].map((abbr) => ({
        abbr,
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { template: '{question}' },
          retriever: { type: 'ZeroRetriever' },
        },
        eval_cfg: {
          evaluator: { type: 'Gsm8kEvaluator' },
          pred_postprocessor: { type: 'math_postprocess_v2' },
          dataset_postprocessor: { type: 'strategyqa_dataset_postprocess' },
        },
      })),
    }),
  });
  const { code, stderr } = await callCommand(['run', join(folder, 'c.json')]);
  expect(code).toBe(2);
  expect(stderr.match(/^error\[config.unknown_type\]/gm)).toHaveLength(6);
  expect(stderr.match(/Use `[\w-]+`/g)?.slice(0, 3)).toEqual([
    'Use `number`',
    'Use `boxed`',
    'Use `trimmed`',
  ]);
});

test.each(['sk-abcdef1234567890abcdef', '8f3ab1-abcdef1234567890', 'a8f3ab1abcdef1234567890ab'])(
  'a key that is pasted in place of its variable is printed nowhere: %s',
  async (key) => {
    const folder = await writeFolder({
      'rows.jsonl': '{"question":"1+1=?","answer":"2"}\n',
      'c.yaml': [
        'models:',
        `  - { abbr: m, type: OpenAI, base_url: "http://127.0.0.1:9", model: m, api_key_env: ${key} }`,
        'datasets:',
        '  - path: rows.jsonl',
        '    reader_cfg: { input_columns: [question], output_column: answer }',
        '    infer_cfg: { prompt_template: { template: "{question}" } }',
      ].join('\n'),
    });
    const run = ['run', join(folder, 'c.yaml'), '--out', join(folder, 'out')];
    const { code, stdout, stderr } = await callCommand(run);
    expect(code).toBeGreaterThan(1);
    expect(stdout + stderr).not.toContain(key.slice(3));
    expect(stderr).toContain('c.yaml:2:');
    expect(stderr).toContain('api_key_env: MY_KEY');
  },
);

test('notes of the config are shown for the dataset that they are about', async () => {
  const infer = (fixed: boolean) => ({
    ice_template: { template: '</E>{question}{answer}', ice_token: '</E>' },
    retriever: { type: 'FixKRetriever', ...(!fixed && { fix_id_list: [0] }) },
    inferencer: { type: 'GenInferencer', ...(fixed && { fix_id_list: [0] }) },
  });
  const folder = await writeFolder({
    'rows.jsonl': '{"question":"1+1=?","answer":"2"}\n',
    'c.json': JSON.stringify({
      models: [],
      datasets: [true, false].map((fixed) => ({
        abbr: fixed ? 'old' : 'new',
        path: { train: 'rows.jsonl', test: 'rows.jsonl' },
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: infer(fixed),
      })),
    }),
  });
  const { stdout } = await callCommand(['view', join(folder, 'c.json'), '-a', '--json']);
  const noted = JSON.parse(stdout).views.map(
    ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
      diagnostics.some(({ code }) => code === 'config.notice'),
  );
  expect(noted).toEqual([true, false]);
});

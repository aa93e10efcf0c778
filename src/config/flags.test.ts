import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, writeFiles } from '../data/test-sources.ts';
import type { DatasetConfig } from './config.ts';
import {
  type ConfigFlags,
  configOfFlags,
  namesConfig,
  requireConfig,
  spellTaskName,
} from './flags.ts';
import { defaultRunFolder, nameOfSource } from './run-defaults.ts';

const url = 'http://127.0.0.1:9/v1';
const files = {
  'rows.jsonl': '{"question": "1+1", "answer": "2"}\n',
  'choices.csv': 'question,A,B,answer\nwhich,x,y,A\n',
  'asked.csv': 'question\nwhich\n',
  'empty.csv': 'question,answer\n',
  'rows.json': '[{"question": "1+1", "answer": "2"}]',
  'config.json': JSON.stringify({
    models: [{ abbr: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: [],
        reader_cfg: { input_columns: [], output_column: null },
        infer_cfg: { prompt_template: { template: 'x' } },
      },
    ],
  }),
};

async function datasetOf(flags: ConfigFlags): Promise<DatasetConfig> {
  const folder = await writeFiles(files);
  const source = flags.source.startsWith('task:') ? flags.source : join(folder, flags.source);
  const { datasets } = await configOfFlags({ model: url, ...flags, source });
  const [dataset] = datasets;
  if (!dataset) throw new Error('no dataset');
  const { rows } = dataset;
  return rows.type === 'file'
    ? { ...dataset, rows: { ...rows, path: rows.path.replace(`${folder}/`, '') } }
    : dataset;
}

async function modelOf(flags: Partial<ConfigFlags>) {
  const folder = await writeFiles(files);
  const source = join(folder, 'rows.jsonl');
  return (await configOfFlags({ model: url, template: 'x', ...flags, source })).models;
}

describe('a data file', () => {
  const template = 'Q: {question}\nA: {answer}';

  it('is asked by a template', async () => {
    const dataset = await datasetOf({ source: 'rows.jsonl', template });
    expect(dataset).toMatchObject({
      abbr: 'rows',
      rows: { type: 'file', path: 'rows.jsonl' },
      readerCfg: { inputColumns: [] },
      inferCfg: {
        promptTemplate: { config: { type: 'PromptTemplate', template } },
        retriever: { type: 'ZeroRetriever' },
        inferencer: { type: 'GenInferencer' },
      },
    });
    expect([dataset.readerCfg.outputColumn, dataset.evalCfg, dataset.type]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ outputColumn: 'answer' }, 'exact'],
    [{ outputColumn: 'answer', evaluator: 'number' }, 'number'],
  ])('is scored by %j', async (flags, type) => {
    const { readerCfg, evalCfg } = await datasetOf({ source: 'rows.jsonl', template, ...flags });
    expect(readerCfg.outputColumn).toBe('answer');
    expect(evalCfg).toEqual({ evaluator: { type } });
  });

  it('that is JSON is one with a template, and a config without', async () => {
    const { rows } = await datasetOf({ source: 'rows.json', template });
    expect(rows).toEqual({ type: 'file', path: 'rows.json' });
    const folder = await writeFiles(files);
    const config = await configOfFlags({ source: join(folder, 'config.json') });
    expect(config.datasets.map(({ abbr }) => abbr)).toEqual(['d']);
    expect(config.file).toBe(join(folder, 'config.json'));
  });
});

describe('custom text', () => {
  it.each<[string, Partial<ConfigFlags>, string, string[], unknown]>([
    [
      'rows.jsonl',
      {},
      'Question: {question}\nAnswer: ',
      ['question', 'max_out_len'],
      { type: 'exact' },
    ],
    [
      'rows.jsonl',
      { evaluator: 'number' },
      'Question: {question}\nAnswer: ',
      ['question', 'max_out_len'],
      { type: 'number' },
    ],
    [
      'choices.csv',
      {},
      'Question: {question}\nA. {A}\nB. {B}\nAnswer: ',
      ['question', 'A', 'B', 'max_out_len'],
      { type: 'choice', options: ['A', 'B'], text_columns: ['A', 'B'] },
    ],
    ['asked.csv', {}, 'Question: {question}\nAnswer: ', ['question', 'max_out_len'], undefined],
  ])(
    '%s with %j is told from its columns',
    async (source, flags, template, inputColumns, evaluator) => {
      const dataset = await datasetOf({ source, ...flags });
      expect(dataset).toMatchObject({
        type: 'CustomText',
        readerCfg: { inputColumns },
        inferCfg: { promptTemplate: { config: { template } } },
      });
      expect(dataset.evalCfg?.evaluator).toEqual(evaluator);
      expect(dataset.readerCfg.outputColumn).toBe(evaluator ? 'answer' : undefined);
    },
  );
});

describe('a task', () => {
  it.each<[string, number | undefined, string, object]>([
    ['task:arithmetic', undefined, 'arithmetic', { type: 'ZeroRetriever' }],
    ['task:arithmetic/question', 0, 'arithmetic-question', { type: 'ZeroRetriever' }],
    ['task:arithmetic/equation', 3, 'arithmetic-equation', { type: 'RandomRetriever', iceNum: 3 }],
  ])('%s with %s shots', async (source, shots, abbr, retriever) => {
    const dataset = await datasetOf({ source, shots });
    expect(dataset).toMatchObject({ abbr, inferCfg: { retriever }, stamp: { task: 'arithmetic' } });
  });

  it.each([
    ['task:a', { task: 'a' }],
    ['task:a/b', { task: 'a', version: 'b' }],
  ])('%s is spelled %j', (source, spelled) => {
    expect(spellTaskName(source)).toEqual(spelled);
  });
});

describe('the model', () => {
  it.each<[Partial<ConfigFlags>, object]>([
    [{}, { abbr: '127.0.0.1:9', type: 'OpenAI', baseUrl: url }],
    [
      { completions: true, metaTemplate: 'chatml' },
      { type: 'OpenAICompletions', metaTemplate: 'chatml' },
    ],
    [
      { modelName: 'big', apiKeyEnv: 'KEY' },
      { abbr: 'big', model: 'big', apiKeyEnv: 'KEY' },
    ],
    [{ model: 'typecase-tiny' }, { abbr: 'typecase-tiny', type: 'Local', path: 'typecase-tiny' }],
    [
      { model: 'hf:owner/name', modelName: 'n' },
      { abbr: 'n', type: 'Local', path: 'hf:owner/name' },
    ],
  ])('of %j', async (flags, expected) => {
    const models = await modelOf(flags);
    expect(models).toMatchObject([{ source: ['--model'], ...expected }]);
  });

  it('may be a folder', async () => {
    const model = await makeFolder();
    expect(await modelOf({ model })).toMatchObject([{ type: 'Local', path: model }]);
  });

  it('is named after its host alone, whatever the address holds', async () => {
    const [model] = await modelOf({ model: 'https://me:secret@h.example/v1?key=secret' });
    expect(model?.abbr).toBe('h.example');
  });
});

describe('refused', () => {
  const rows = { source: 'rows.jsonl', model: url };
  it.each<[ConfigFlags, string, string]>([
    [
      { source: 'config.json', modelName: 'n' },
      'usage.conflicting_options',
      'a config does not take `--model-name`',
    ],
    [{ source: 'config.json', completions: true }, 'usage.conflicting_options', '`--completions`'],
    [
      { source: 'config.json', metaTemplate: 'chatml' },
      'usage.conflicting_options',
      '`--meta-template`',
    ],
    [{ source: 'config.json', apiKeyEnv: 'K' }, 'usage.conflicting_options', '`--api-key-env`'],
    [
      { source: 'config.json', outputColumn: 'a' },
      'usage.conflicting_options',
      '`--output-column`',
    ],
    [{ source: 'config.json', evaluator: 'exact' }, 'usage.conflicting_options', '`--evaluator`'],
    [{ source: 'config.json', shots: 0 }, 'usage.conflicting_options', '`--shots`'],
    [{ source: 'config.yaml', template: 'x' }, 'usage.conflicting_options', '`--template`'],
    [
      { source: 'task:arithmetic', template: 'x' },
      'usage.conflicting_options',
      'a task does not take `--template`',
    ],
    [
      { source: 'task:arithmetic', outputColumn: 'a' },
      'usage.conflicting_options',
      '`--output-column`',
    ],
    [
      { source: 'task:arithmetic', evaluator: 'exact' },
      'usage.conflicting_options',
      '`--evaluator`',
    ],
    [
      { ...rows, template: 'x', shots: 1 },
      'usage.conflicting_options',
      'a data file does not take `--shots`',
    ],
    [
      { ...rows, template: 'x', evaluator: 'exact' },
      'usage.missing_argument',
      '`--evaluator` needs gold',
    ],
    [
      { ...rows, source: 'asked.csv', evaluator: 'exact' },
      'usage.missing_argument',
      '`--evaluator` needs gold',
    ],
    [{ ...rows, outputColumn: 'answer' }, 'usage.conflicting_options', '`--output-column`'],
    [{ source: 'rows.jsonl', template: 'x' }, 'usage.model_missing', 'A data file needs a model'],
    [{ source: 'task:arithmetic' }, 'usage.model_missing', 'A task needs a model'],
    [{ ...rows, template: 'x', model: 'localhost:9' }, 'usage.unknown_model', '`localhost:9`'],
    [
      { ...rows, source: 'empty.csv' },
      'usage.template_missing',
      'no rows, so the task cannot be guessed',
    ],
    [{ ...rows, source: 'no.jsonl' }, 'data.not_found', 'no.jsonl'],
    [{ source: 'no.yaml' }, 'config.not_found', 'no.yaml'],
    [{ source: 'task:arithmetics', model: url }, 'task.unknown', '`arithmetics`'],
    [{ source: 'task:arithmetic/nope', model: url }, 'task.unknown_version', '`nope`'],
  ])('%j as %s', async (flags, code, message) => {
    const folder = await writeFiles(files);
    const isTask = flags.source.startsWith('task:');
    const source = isTask ? flags.source : join(folder, flags.source);
    await expect(configOfFlags({ ...flags, source })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('a JSON file that is taken for a config says how it would be rows', async () => {
    const flags = { source: 'rows.json', evaluator: 'exact' };
    await expect(configOfFlags(flags)).rejects.toMatchObject({
      hint: expect.stringContaining('To use a JSON data file, add `--template`.'),
    });
  });
});

it.each([
  ['c.yaml', true],
  ['C.TS', true],
  ['c.json', true],
  ['c.jsonl', false],
  ['c.csv', false],
  ['task:c.yaml', false],
])('%s is a config: %s', (source, isConfig) => {
  expect(namesConfig({ source })).toBe(isConfig);
  const require = () => requireConfig({ source }, '--explain');
  if (isConfig) expect(require).not.toThrow();
  else expect(require).toThrow('`--explain`');
});

it.each([
  ['a/b/rows.jsonl', 'rows'],
  ['https://h/x/rows.csv?key=secret', 'rows'],
  ['rows', 'rows'],
])('%s is called %s', (source, name) => {
  expect(nameOfSource(source)).toBe(name);
});

it.each([
  [{ file: '/x/my config.yaml' }, { name: 'rows' }, 'runs/my config'],
  [{ file: 'a.yaml', workDir: 'out' }, { suffix: '-sweep' }, 'out/a-sweep'],
  [{}, { name: 'arithmetic' }, 'runs/arithmetic'],
  [{}, { name: 'task:a/b?.' }, 'runs/task-a-b--'],
  [{}, {}, 'runs/run'],
])('%j with %j goes to %s', (config, names, folder) => {
  expect(defaultRunFolder(config, names)).toBe(folder);
});

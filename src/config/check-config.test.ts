import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type ConfigParts, configText } from '../../test/fixtures/config/config-text.ts';
import { loadText, show, takeMark } from '../../test/fixtures/config/write-config.ts';
import { ConfigError } from '../errors.ts';
import { Float } from '../prompt/values.ts';
import { checkConfig, checkModel } from './check-config.ts';
import type { ConfigProblemsError } from './problems.ts';
import { readConfigFile } from './read-config-file.ts';

const fixture = fileURLToPath(new URL('../../test/fixtures/config/sums.yaml', import.meta.url));

test('a whole config', async () => {
  const loaded = await readConfigFile(fixture);
  const config = checkConfig(loaded);
  const infer = ['datasets', 0, 'infer_cfg'];
  expect(config).toEqual({
    written: loaded,
    file: loaded.file,
    folder: loaded.folder,
    compat: 'opencompass',
    notices: [],
    models: [
      {
        source: ['models', 0],
        abbr: 'my-chat',
        type: 'OpenAI',
        baseUrl: 'http://127.0.0.1:8000/v1',
        model: 'my-model',
        metaTemplate: 'chatml',
        maxOutLen: 64,
        generationKwargs: { temperature: 0, logit_bias: { 50256: -100 } },
      },
    ],
    datasets: [
      {
        source: ['datasets', 0],
        abbr: 'sums',
        rows: { type: 'file', path: 'data/sums.jsonl' },
        readerCfg: {
          inputColumns: ['question'],
          outputColumn: 'answer',
          trainSplit: 'train',
          testSplit: 'test',
          testRange: '[:100]',
        },
        inferCfg: {
          iceTemplate: {
            source: [...infer, 'ice_template'],
            config: { type: 'PromptTemplate', template: '{question}\n{answer}' },
          },
          promptTemplate: {
            source: [...infer, 'prompt_template'],
            config: {
              type: 'PromptTemplate',
              template: 'Solve.\n</E>{question}\n{answer}',
              ice_token: '</E>',
            },
          },
          retriever: { source: [...infer, 'retriever'], type: 'FixKRetriever', fixIdList: [0, 1] },
          inferencer: { source: [...infer, 'inferencer'], type: 'GenInferencer' },
        },
        evalCfg: { evaluator: { type: 'AccEvaluator' } },
      },
    ],
  });
});

async function parse(parts: ConfigParts) {
  return checkConfig(await loadText('c.yaml', configText(parts)));
}

test('several problems make one error, in the order of the file', async () => {
  const text = `seeds: 1
models:
  - abbr: m
    max_out_len: many
datasets:
  - abbr: d
    rows: []
    reader_cfg: { input_columns: q }
    infer_cfg: { prompt_template: { template: x, typ: y } }
`;
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const { code, message, at, problems } = error as ConfigProblemsError;
  expect([code, show(at)]).toEqual(['config.invalid', '1:1']);
  expect(problems.map((problem) => [problem.code, show(problem.at)])).toEqual([
    ['config.unknown_key', '1:1'],
    ['config.wrong_type', '4:18'],
    ['config.missing_key', '8:17'],
    ['config.unknown_key', '9:50'],
  ]);
  expect(message).toContain('The config has 4 problems:\n  line 1: The config has the unknown key');
  for (const problem of problems) expect(message).toContain(problem.message);
});

test('places of problems in TypeScript and JSON', async () => {
  const ts = await loadText('c.ts', 'const models = [{ abr: 1 }];\nexport default { models };\n');
  expect(() => checkConfig(ts)).toThrow(
    expect.objectContaining({ at: { file: ts.file, line: 1, column: 19 } }),
  );
  const json = await loadText('c.json', '{\n  "models": [{ "abr": 1 }]\n}\n');
  expect(() => checkConfig(json)).toThrow(
    expect.objectContaining({ at: { file: json.file, line: 2, column: 16 } }),
  );
});

test('templates pass through untouched', async () => {
  const loaded = await loadText(
    'c.yaml',
    configText({
      model: '{abbr: m, meta_template: {round: [{role: HUMAN, anything: 1.0}], 1: x}}',
      infer: '{prompt_template: {template: {1: a, 0: {rond: []}}, ice_token: null}}',
    }),
  );
  const { models, datasets } = checkConfig(loaded);
  const { value } = loaded as unknown as { value: { models: { meta_template: unknown }[] } };
  expect(models[0]?.metaTemplate).toBe(value.models[0]?.meta_template);
  const template = datasets[0]?.inferCfg.promptTemplate?.config.template;
  expect([...(template as Map<unknown, unknown>).keys()]).toEqual([1, 0]);
});

test('lists that end in _models and _datasets are appended, with their own paths', async () => {
  const reader = 'reader_cfg: {input_columns: q, output_column: null}';
  const dataset = `{path: e.csv, ${reader}, infer_cfg: {ice_template: {template: x}}}`;
  const { models, datasets } = await parse({
    top: `math_datasets: [${dataset}]\nlocal_models: [{model: org/name}, {path: a/b}]`,
  });
  expect(models.map(({ abbr, source }) => [abbr, source])).toEqual([
    ['m', ['models', 0]],
    ['name', ['local_models', 0]],
    ['b', ['local_models', 1]],
  ]);
  expect(datasets.map(({ abbr, source }) => [abbr, source])).toEqual([
    ['d', ['datasets', 0]],
    ['e', ['math_datasets', 0]],
  ]);
  expect(datasets[1]?.readerCfg.outputColumn).toBeUndefined();
});

test.each<[string, string, unknown]>([
  ['path: data/sums.v2.jsonl', 'sums.v2', { type: 'file', path: 'data/sums.v2.jsonl' }],
  [
    'path: {train: a.csv, test: b.csv}',
    'b',
    { type: 'files', paths: { train: 'a.csv', test: 'b.csv' } },
  ],
  [
    'abbr: d\n    rows: [{"1": x, n: 1.0}]',
    'd',
    { type: 'inline', rows: [{ 1: 'x', n: new Float(1) }] },
  ],
  [
    'abbr: d\n    rows: {test: [{q: 1}]}',
    'd',
    { type: 'inline-splits', splits: { test: [{ q: 1 }] } },
  ],
])('rows and name of %j', async (dataset, abbr, rows) => {
  const config = await parse({ dataset });
  expect(config.datasets[0]).toMatchObject({ abbr, rows });
});

test.each<[string, unknown]>([
  ['{input_columns: "q  r ", output_column: a}', { inputColumns: ['q', 'r'], outputColumn: 'a' }],
  [
    '{input_columns: q, output_column: null, test_split: dev}',
    { testSplit: 'dev', trainSplit: 'train' },
  ],
  [
    '{input_columns: q, output_column: a, test_range: 1.0, train_range: null}',
    { testRange: new Float(1) },
  ],
])('reader_cfg: %s', async (reader, expected) => {
  expect((await parse({ reader })).datasets[0]?.readerCfg).toMatchObject(expected as object);
});

test('dotted type names, default parts and one stop string', async () => {
  const { models, datasets } = await parse({
    model: '{abbr: m, type: opencompass.models.OpenAI, stop: "\\n"}',
    infer: '{prompt_template: {messages: []}, ice_template: {type: a.PromptTemplate, template: x}}',
  });
  expect(models[0]).toMatchObject({ type: 'OpenAI', stop: ['\n'] });
  expect(datasets[0]?.inferCfg).toMatchObject({
    iceTemplate: { config: { type: 'PromptTemplate' } },
    promptTemplate: { config: { type: 'RawPromptTemplate' } },
    retriever: { type: 'ZeroRetriever' },
    inferencer: { type: 'GenInferencer' },
  });
});

const infer = (parts: string) => ({ infer: `{ice_template: {template: x}, ${parts}}` });

test('a fix_id_list of the inferencer is moved to the retriever, with a notice', async () => {
  const { text, place } = takeMark(
    configText(
      infer(
        'retriever: {type: FixKRetriever}, inferencer: {type: GenInferencer, fix_id_list: ▸[2]}',
      ),
    ),
  );
  const { datasets, notices } = checkConfig(await loadText('c.yaml', text));
  const inferCfg = datasets[0]?.inferCfg;
  expect(inferCfg?.retriever.fixIdList).toEqual([2]);
  expect(inferCfg?.inferencer).not.toHaveProperty('fixIdList');
  const path = 'datasets[0].infer_cfg';
  expect(notices.map(({ message, at }) => [message, show(at)])).toEqual([
    [`${path}.inferencer.fix_id_list is read as ${path}.retriever.fix_id_list`, place],
  ]);
});

test.each<[ConfigParts, string, string]>([
  [{ model: '▸{type: OpenAI}' }, 'config.missing_key', 'models[0] has no `abbr`, and no path'],
  [{ dataset: '▸rows: []' }, 'config.missing_key', 'datasets[0] has no `abbr`'],
  [
    { top: 'my_models: [▸{path: org/m}]' },
    'config.duplicate_abbr',
    'my_models[0] has the same `abbr` as models[0]: `m`',
  ],
  [
    infer('retriever: ▸{type: FixKRetriever}'),
    'config.missing_key',
    'infer_cfg.retriever has no `fix_id_list`',
  ],
  [
    infer('retriever: ▸{type: RandomRetriever, fix_id_list: [1]}'),
    'config.conflicting_keys',
    'is a RandomRetriever, which does not use `fix_id_list`',
  ],
  [
    infer('inferencer: {type: GenInferencer, fix_id_list: ▸[1]}'),
    'config.conflicting_keys',
    'inferencer.fix_id_list is read as a setting of the retriever, but ZeroRetriever does not use it',
  ],
  [
    {
      infer: `{ice_template: {template: x},
        retriever: {type: FixKRetriever, fix_id_list: []},
        inferencer: {type: GenInferencer, fix_id_list: ▸[]}}`,
    },
    'config.conflicting_keys',
    'inferencer.fix_id_list is set twice',
  ],
  ...['LLInferencer', 'CLPInferencer', 'GenInferencer'].map(
    (type): [ConfigParts, string, string] => [
      infer(`inferencer: {type: ${type}, normalizing_str: ▸x}`),
      'config.conflicting_keys',
      `inferencer.normalizing_str is not used by ${type}`,
    ],
  ),
  [
    {
      infer: '{prompt_template: {template: x}, inferencer: {type: PPLOnlyInferencer}}',
      dataset: 'abbr: d\n    rows: []\n    eval_cfg: ▸{evaluator: {type: AccEvaluator}}',
    },
    'config.conflicting_keys',
    'eval_cfg has the evaluator AccEvaluator, but PPLOnlyInferencer measures texts',
  ],
  [
    {
      infer: '{prompt_template: {template: x}, inferencer: {type: PPLOnlyInferencer}}',
      dataset: `abbr: d
    rows: []
    eval_cfg: ▸{evaluator: {type: AveragePPLEvaluator}, circular: rotations}`,
    },
    'config.conflicting_keys',
    'eval_cfg has circular, but PPLOnlyInferencer measures texts',
  ],
  [
    {
      dataset: 'abbr: d\n    rows: []\n    eval_cfg: {evaluator: ▸{type: AveragePPLEvaluator}}',
    },
    'config.conflicting_keys',
    'evaluator is AveragePPLEvaluator, which needs texts measured by PPLOnlyInferencer',
  ],
  [
    { dataset: 'abbr: d\n    rows: []\n    n: 2\n    k: ▸[1, 5]' },
    'config.conflicting_keys',
    'datasets[0].k has 5, and each row is asked 2 times',
  ],
  [
    { dataset: 'abbr: d\n    rows: []\n    k: ▸3' },
    'config.conflicting_keys',
    'datasets[0].k has 3, and each row is asked once',
  ],
  [
    {
      top: 'summarizer: {summary_groups: [{name: g, subsets: [d]}, {name: h, subsets: [▸g]}]}',
    },
    'config.unknown_dataset',
    'subsets[0] is the group `g`, but groups contain only datasets',
  ],
])('%j is refused as %s', async (parts, code, message) => {
  const { text, place } = takeMark(configText(parts));
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect([error.code, show(error.at)]).toEqual([code, place]);
  expect(error.message).toContain(message);
});

test('a config without datasets is refused', async () => {
  const loaded = await loadText('c.yaml', 'models: [{abbr: m}]');
  expect(() => checkConfig(loaded)).toThrow('The config has no datasets');
});

test('a model that a flag spells: messages name the flag and its own keys', () => {
  const spelled = {
    abbr: 'm',
    type: 'OpenAI',
    base_url: 'http://127.0.0.1',
    batch_size: 2,
  } as const;
  const named = { flag: '--model_args', keys: { batch_size: 'num_concurrent' } };
  expect(checkModel(spelled, named)).toMatchObject({ abbr: 'm', batchSize: 2 });
  expect(() => checkModel({ ...spelled, batch_size: 0 }, named)).toThrow(
    '--model_args.num_concurrent must be a whole number above 0, not 0',
  );
  expect(() => checkModel({ abbr: 'm', type: 'Local' }, named)).toThrow(
    '--model_args has no `path`, which a model of type Local needs',
  );
});

import { expect, test } from 'vitest';
import { configText } from '../../test/fixtures/config/config-text.ts';
import { loadText, show } from '../../test/fixtures/config/write-config.ts';
import { formatPath } from '../errors.ts';
import { checkConfig } from './check-config.ts';
import { explainConfig } from './explain.ts';

async function explain(name: string, text: string) {
  const loaded = await loadText(name, text);
  const values = explainConfig(loaded, checkConfig(loaded));
  return new Map(
    values.map(({ path, value, from }) => [
      formatPath(path),
      [value, from.type, 'at' in from ? show(from.at) : undefined],
    ]),
  );
}

test.each<[string, Parameters<typeof configText>[0], string, unknown[]]>([
  ['a value of the file', {}, 'seed', [1, 'file', '1:7']],
  ['a default', {}, 'work_dir', ['runs', 'default', undefined]],
  ['a name from a path', { model: '{path: a/b}' }, 'models[0].abbr', ['b', 'derived', '3:12']],
  [
    'rows',
    { dataset: 'abbr: d\n    rows: [{q: 1}]' },
    'datasets[0].rows',
    ['1 row', 'file', '6:11'],
  ],
  [
    'null stands for what is left out',
    { model: '{abbr: m, type: OpenAI, max_seq_len: null}' },
    'models[0].max_seq_len',
    [],
  ],
  [
    'labels that are numbers',
    { infer: '{prompt_template: {template: {1: a, 0: b}}}' },
    'datasets[0].infer_cfg.prompt_template.template["1"]',
    ['a', 'file', '8:49'],
  ],
  [
    'a key in its old place',
    {
      infer:
        '{ice_template: {template: x}, retriever: {type: FixKRetriever}, inferencer: {type: GenInferencer, fix_id_list: [0]}}',
    },
    'datasets[0].infer_cfg.retriever.fix_id_list',
    [[0], 'derived', '8:127'],
  ],
  [
    'options of a package',
    {
      model:
        '{type: AISDK, package: p, model: m, options: {apiKey: s3cret, headers: {a: b}, x: 1}}',
    },
    'models[0].options.apiKey',
    ['***', 'file', '3:59'],
  ],
])('%s', async (_, parts, path, expected) => {
  const values = await explain('c.yaml', configText(parts));
  expect(values.get(path) ?? []).toEqual(expected);
  expect(JSON.stringify([...values])).not.toContain('s3cret');
});

test('values that a module takes from elsewhere have their own place', async () => {
  const text = `const reader_cfg = { input_columns: ['q'], output_column: 'a' };
const infer_cfg = { prompt_template: { template: 'x' } };
export default { datasets: [{ abbr: 'd', rows: [], reader_cfg, infer_cfg }] };
`;
  const values = await explain('c.ts', text);
  expect(values.get('datasets[0].reader_cfg.output_column')).toEqual(['a', 'file', '1:59']);
});

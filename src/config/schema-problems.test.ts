import { expect, test } from 'vitest';
import { type ConfigParts, configText } from '../../test/fixtures/config/config-text.ts';
import { loadText, show, takeMark } from '../../test/fixtures/config/write-config.ts';
import type { ConfigError } from '../errors.ts';
import { checkConfig } from './check-config.ts';
import { ConfigProblemsError } from './problems.ts';

/** The only problem of a config in which `▸` marks its place. */
async function expectProblem(parts: ConfigParts): Promise<ConfigError> {
  const { text, place } = takeMark(configText(parts));
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigProblemsError);
  expect(error.problems).toHaveLength(1);
  expect(show(error.at)).toBe(place);
  return error;
}

const infer = (part: string) => ({ infer: `{ice_template: {template: x}, ${part}}` });

test.each<[ConfigParts, string, string]>([
  [{ top: '▸modles: []' }, 'The config has the', 'Did you mean `models`?'],
  [{ top: '▸nothing_alike: 1' }, 'The config has the', 'Known keys: compat, models'],
  [{ model: '{abbr: m, ▸api_key: s3cret}' }, 'models[0] has the', 'api_key_env'],
  [{ dataset: 'abbr: d\n    ▸row: []' }, 'datasets[0] has the', '`rows`'],
  [
    { dataset: 'rows: []\n    eval_cfg: {▸evaluater: 1}' },
    'datasets[0].eval_cfg has',
    '`evaluator`',
  ],
  [{ reader: '{▸input_column: q, output_column: a}' }, 'reader_cfg has', '`input_columns`'],
  [{ reader: '{▸1: x, input_columns: q, output_column: a}' }, 'key `1`', 'Known keys: input_c'],
  [{ infer: '{▸promt_template: {}}' }, 'datasets[0].infer_cfg has', '`prompt_template`'],
  [
    { infer: '{prompt_template: {template: x, ▸ice_tokn: y}}' },
    'prompt_template has',
    '`ice_token`',
  ],
  [infer('retriever: {type: ZeroRetriever, ▸ice_nums: 1}'), 'retriever has', '`ice_num`'],
  [infer('inferencer: {type: GenInferencer, ▸max_outlen: 1}'), 'inferencer has', '`max_out_len`'],
])('unknown key in %j', async (parts, message, hint) => {
  const error = await expectProblem(parts);
  expect(error.code).toBe('config.unknown_key');
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
  expect(error.message + error.hint).not.toContain('s3cret');
});

test.each<[ConfigParts, string]>([
  [{ top: 'seed: ▸1.0' }, 'seed must be a whole number, not 1.0'],
  [{ top: 'more_models: ▸{}' }, 'more_models must be a list of models, not a mapping'],
  [{ model: '{abbr: ▸5}' }, 'models[0].abbr must be a string, not 5'],
  [{ model: '{abbr: m, max_out_len: ▸0}' }, 'must be a whole number above 0, not 0'],
  [{ model: '{abbr: m, max_out_len: ▸"64"}' }, 'must be a whole number above 0, not a string'],
  [{ model: '{abbr: m, headers: {A: ▸1}}' }, 'models[0].headers.A must be a string, not 1'],
  [{ model: '{abbr: m, generation_kwargs: ▸[1]}' }, 'must be a mapping, not a list'],
  [
    { model: '{abbr: m, meta_template: ▸5}' },
    'a name from the catalogue, a mapping or a list, not 5',
  ],
  [{ dataset: 'abbr: d\n    rows: [{q: 1}, ▸5]' }, 'rows[1] must be a mapping of column name'],
  [{ dataset: 'abbr: d\n    rows: {test: ▸5}' }, 'datasets[0].rows.test must be a list of rows'],
  [
    { dataset: 'abbr: d\n    path: {test: ▸[x]}' },
    'datasets[0].path.test must be a path, not a list',
  ],
  [
    { reader: '{input_columns: [q, ▸1], output_column: a}' },
    'input_columns[1] must be a string, not 1',
  ],
  [{ reader: '{input_columns: q, output_column: a, test_range: ▸[1]}' }, 'must be a slice such as'],
  [{ infer: '{prompt_template: ▸x}' }, 'prompt_template must be a mapping, not a string'],
])('wrong type in %j', async (parts, message) => {
  const error = await expectProblem(parts);
  expect(error.code).toBe('config.wrong_type');
  expect(error.message).toContain(message);
});

test.each<[ConfigParts, string]>([
  [{ infer: '{prompt_template: ▸x}' }, 'Write `prompt_template: { template: … }`.'],
  [
    {
      infer:
        '{prompt_template: {template: x}, inferencer: {type: GenInferencer, max_out_len: ▸"512"}}',
    },
    'Write the number without quotes.',
  ],
])('what to write in place of %j', async (parts, hint) => {
  expect((await expectProblem(parts)).hint).toBe(hint);
});

test.each<[ConfigParts, string, string]>([
  [{ dataset: '▸abbr: d' }, 'config.missing_key', 'datasets[0] has neither `path` nor `rows`'],
  [{ dataset: '▸path: x\n    rows: []' }, 'config.conflicting_keys', 'both `path` and `rows`'],
  [{ dataset: 'rows: []\n    eval_cfg: ▸{}' }, 'config.missing_key', 'eval_cfg has no `evaluator`'],
  [{ reader: '▸{input_columns: [q]}' }, 'config.missing_key', 'reader_cfg has no `output_column`'],
  [{ infer: '▸{}' }, 'config.missing_key', 'neither `prompt_template` nor `ice_template`'],
  [
    { infer: '{prompt_template: ▸{ice_token: x}}' },
    'config.missing_key',
    'neither `template` nor `messages`',
  ],
  [
    { infer: '{prompt_template: ▸{template: x, messages: []}}' },
    'config.conflicting_keys',
    'both `template` and `messages`',
  ],
  [infer('retriever: ▸{}'), 'config.missing_key', 'infer_cfg.retriever has no `type`'],
])('missing or conflicting keys in %j', async (parts, code, message) => {
  const error = await expectProblem(parts);
  expect(error.code).toBe(code);
  expect(error.message).toContain(message);
});

test.each<[ConfigParts, string, string, string | undefined]>([
  [
    { top: 'compat: ▸opencompas' },
    'config.unknown_value',
    'compat must be `opencompass` or `aisbench`, not `opencompas`',
    'Did you mean `opencompass`?',
  ],
  [
    infer('inferencer: {type: ChatInferencer, infer_mode: ▸evry}'),
    'config.unknown_value',
    'infer_mode must be `every`, `every_with_gt` or `last`, not `evry`',
    'Did you mean `every`?',
  ],
  [
    { model: '{type: ▸OpenIA}' },
    'config.unknown_type',
    '`OpenIA`, which is not a model',
    '`OpenAI`?',
  ],
  [
    { infer: '{prompt_template: {template: x, type: ▸a.b.PromptTemplat}}' },
    'config.unknown_type',
    'is `PromptTemplat`, which',
    '`PromptTemplate`?',
  ],
  [
    infer('retriever: {type: ▸ZeroRetriver}'),
    'config.unknown_type',
    'retriever.type is `ZeroRetriver`, which is not a retriever',
    'Did you mean `ZeroRetriever`?',
  ],
  [
    infer('retriever: {type: ▸TopKRetriever}'),
    'config.unknown_type',
    '`TopKRetriever`',
    'Did you mean `TopkRetriever`?',
  ],
  [
    infer('retriever: {type: ▸Magic}'),
    'config.unknown_type',
    '`Magic`',
    'Available: ZeroRetriever, FixKRetriever, RandomRetriever, ',
  ],
  [
    infer('retriever: {type: ▸XiezhiRetriever}'),
    'config.type_not_available',
    'retriever.type is `XiezhiRetriever`, which is not available yet',
    'Available: ZeroRetriever',
  ],
])('unknown name in %j', async (parts, code, message, hint) => {
  const error = await expectProblem(parts);
  expect(error.code).toBe(code);
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
});

import { expect, test } from 'vitest';
import { type ConfigParts, configText } from '../../test/fixtures/config/config-text.ts';
import { loadText, show, takeMark } from '../../test/fixtures/config/write-config.ts';
import { checkConfig } from '../config/check-config.ts';
import { explainConfig } from '../config/explain.ts';
import type { NamedRow } from '../prompt/trace.ts';

const withRetriever = (retriever: string): ConfigParts => ({
  infer: `{ice_template: {template: x}, retriever: ${retriever}}`,
});

const everyKey = `{${[
  'type: x.y.TopkRetriever, ice_num: 2, k: 3, seed: 4, where: "level >= 3", same_as: subject',
  'columns: [q], votek_k: 5, candidate_num: 6, scale_factor: 0.5, select_time: 7, labels: [A, 1]',
  'embedder: {base_url: "http://127.0.0.1:1/v1", model: e, api_key_env: KEY, batch_size: 8}',
  'ice_template: {template: y}, sentence_transformers_model_name: s, tokenizer_name: t',
  'ce_model_name: c, batch_size: 9',
].join(', ')}}`;

test('every key of a retriever', async () => {
  const loaded = await loadText('c.yaml', configText(withRetriever(everyKey)));
  const config = checkConfig(loaded);
  const { retriever } = config.datasets[0]?.inferCfg ?? {};
  expect(retriever).toMatchObject({
    type: 'TopkRetriever',
    iceNum: 2,
    k: 3,
    seed: 4,
    where: 'level >= 3',
    sameAs: ['subject'],
    columns: ['q'],
    votekK: 5,
    candidateNum: 6,
    scaleFactor: 0.5,
    selectTime: 7,
    labels: ['A', 1],
    embedder: { baseUrl: 'http://127.0.0.1:1/v1', model: 'e', apiKeyEnv: 'KEY', batchSize: 8 },
  });
  const explained = explainConfig(loaded, config).map(({ path }) => path.slice(4).join('.'));
  expect(explained).toEqual(expect.arrayContaining(['embedder.base_url', 'same_as', 'votek_k']));
});

test('a function in a TypeScript config', async () => {
  const text = `export default { datasets: [{
    abbr: 'd', rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: {
      ice_template: { template: 'x' },
      retriever: { type: 'FunctionRetriever', retrieve: (row, pool) => [pool[row.id].id] },
    },
  }] };`;
  const loaded = await loadText('c.ts', text);
  const config = checkConfig(loaded);
  const retrieve = config.datasets[0]?.inferCfg.retriever.retrieve;
  const pool: NamedRow[] = [
    { id: 'a', row: {} },
    { id: 'b', row: {} },
  ];
  expect(retrieve?.({ id: 1, row: {} }, pool)).toEqual(['b']);
  expect(explainConfig(loaded, config)).toContainEqual(
    expect.objectContaining({
      value: 'a function',
      from: expect.objectContaining({ type: 'file' }),
    }),
  );
});

const embedder = (url: string) => `{type: TopkRetriever, embedder: {base_url: ▸${url}, model: e}}`;

test.each<[string, string, string]>([
  [
    '{type: RandomRetriever, where: ▸"level ="}',
    'data.bad_where',
    'retriever.where cannot be read: where `level =`, column 7',
  ],
  [
    '▸{type: FixKRetriever, fix_id_list: [0], where: x}',
    'config.conflicting_keys',
    'is a FixKRetriever, which does not use `where`',
  ],
  ['▸{type: ZeroRetriever, same_as: x}', 'config.conflicting_keys', 'does not use `same_as`'],
  [
    '{type: FunctionRetriever, retrieve: ▸x}',
    'config.wrong_type',
    'must be a function, which only TypeScript configs can have, not a string',
  ],
  [embedder('"http://me:s3cret@host/v1"'), 'model.bad_base_url', 'contains a password or a key'],
  [embedder('"http://host/v1?key=s3cret"'), 'model.bad_base_url', 'contains a password or a key'],
  [embedder('localhost'), 'model.bad_base_url', 'embedder.base_url is not a web address'],
  [
    '{type: TopkRetriever, embedder: ▸{base_url: "http://host"}}',
    'config.missing_key',
    'embedder is neither an endpoint nor a folder',
  ],
  [
    '{type: TopkRetriever, embedder: ▸{path: x, model: y}}',
    'config.conflicting_keys',
    'embedder is neither an endpoint nor a folder',
  ],
  [
    '{type: DPPRetriever, scale_factor: ▸0}',
    'config.wrong_type',
    'scale_factor must be a number above 0',
  ],
])('%s is refused as %s', async (retriever, code, message) => {
  const { text, place } = takeMark(configText(withRetriever(retriever)));
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect([error.code, show(error.at)]).toEqual([code, place]);
  expect(error.message).toContain(message);
  expect(error.message + error.hint).not.toContain('s3cret');
});

import { expect, it } from 'vitest';
import type { Compat } from '../compat/compat.ts';
import { parseConfig } from './load-config.ts';
import { type ConfigOverrides, overrideConfig } from './override-config.ts';

async function makeConfig(compat?: Compat) {
  return parseConfig({
    ...(compat && { compat }),
    models: [
      {
        abbr: 'm',
        type: 'OpenAI',
        base_url: 'http://h',
        max_out_len: 5,
        retries: 2,
        generation_kwargs: { temperature: 0, top_p: 1 },
        ...(compat && { compat: 'aisbench' }),
      },
      { abbr: 'n', type: 'OpenAI', base_url: 'http://h' },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [{ q: 1 }],
        reader_cfg: { input_columns: ['q'], output_column: null },
        infer_cfg: {
          prompt_template: { template: '{q}' },
          inferencer: { type: 'GenInferencer', max_out_len: 7, stopping_criteria: ['.'] },
        },
      },
    ],
  });
}

it.each<[ConfigOverrides, object, object]>([
  [
    { temperature: 1 },
    { generationKwargs: { temperature: 1, top_p: 1 } },
    { generationKwargs: { temperature: 1 } },
  ],
  [
    { temperature: 0 },
    { generationKwargs: { temperature: 0, top_p: 1 } },
    { generationKwargs: { temperature: 0 } },
  ],
  [{ concurrency: 3 }, { batchSize: 3 }, { batchSize: 3 }],
  [{ rps: 0.5 }, { maxRps: 0.5 }, { maxRps: 0.5 }],
  [{ retries: 1 }, { retries: 1 }, { retries: 1 }],
  [{ timeout: 9 }, { timeout: 9 }, { timeout: 9 }],
  [{ compat: 'opencompass' }, { compat: 'opencompass' }, { compat: 'opencompass' }],
])('%j holds for every model, and for nothing else', async (overrides, first, second) => {
  const config = await makeConfig();
  const changed = overrideConfig(config, overrides);
  expect(changed.models).toEqual([
    { ...config.models[0], ...first },
    { ...config.models[1], ...second },
  ]);
  expect(changed.datasets).toEqual(config.datasets);
});

it('a limit holds for models and inferencers', async () => {
  const config = await makeConfig();
  const changed = overrideConfig(config, { maxOutLen: 3 });
  expect(changed.models.map(({ maxOutLen }) => maxOutLen)).toEqual([3, 3]);
  const [dataset] = config.datasets;
  const { inferencer } = dataset?.inferCfg ?? {};
  expect(changed.datasets).toEqual([
    { ...dataset, inferCfg: { ...dataset?.inferCfg, inferencer: { ...inferencer, maxOutLen: 3 } } },
  ]);
});

it('a limit holds for every turn of a dialogue', async () => {
  const config = await parseConfig({
    datasets: [
      {
        abbr: 'd',
        rows: [],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { type: 'MultiTurnPromptTemplate', template: { round: [] } },
          inferencer: { type: 'MultiTurnGenInferencer', max_out_len: [5, 9] },
        },
      },
    ],
  });
  const limitsOf = ({ datasets }: typeof config) => {
    const { maxOutLen, maxOutLens } = datasets[0]?.inferCfg.inferencer ?? {};
    return [maxOutLen, maxOutLens];
  };
  expect(limitsOf(config)).toEqual([undefined, [5, 9]]);
  expect(limitsOf(overrideConfig(config, { maxOutLen: 3 }))).toEqual([3, undefined]);
});

it.each<[ConfigOverrides['compat'], Compat | undefined]>([
  ['none', undefined],
  ['opencompass', 'opencompass'],
])('compat %s holds for the config and for models that have their own', async (compat, mode) => {
  const changed = overrideConfig(await makeConfig('aisbench'), { compat });
  expect([changed.compat, ...changed.models.map((model) => model.compat)]).toEqual([
    mode,
    mode,
    mode,
  ]);
});

it('what is not given stays as it is', async () => {
  const config = await makeConfig('aisbench');
  const { judges, ...same } = overrideConfig(config, {});
  expect(same).toEqual(config);
  expect(judges).toEqual(config.models);
});

it('judges are asked what the config says, however often settings are replaced, at the pace of flags', async () => {
  const config = await makeConfig();
  const once = overrideConfig(config, { maxOutLen: 3, timeout: 1 });
  const twice = overrideConfig(once, { temperature: 2, concurrency: 4 });
  expect(once.judges).toEqual(config.models.map((model) => ({ ...model, timeout: 1 })));
  expect(twice.judges).toEqual(once.judges?.map((judge) => ({ ...judge, batchSize: 4 })));
});

import { describe, expect, it } from 'vitest';
import { loadText, show } from '../../test/fixtures/config/write-config.ts';
import { checkConfig } from '../config/check-config.ts';
import type { ConfigInput, OwnDatasetInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import type { RowPlan } from './evaluation.ts';
import { openEvaluations } from './open-evaluations.ts';
import type { OpenOptions } from './opening.ts';

type ModelInput = NonNullable<ConfigInput['models']>[number];
type DatasetInput = OwnDatasetInput;
type Inferencer = NonNullable<DatasetInput['infer_cfg']['inferencer']>;

const dataset: DatasetInput = {
  abbr: 'd',
  rows: [{ q: 'hi', a: 'ho' }],
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template: '{q}' } },
};
const withInferencer = (inferencer: Inferencer): DatasetInput => ({
  ...dataset,
  infer_cfg: { ...dataset.infer_cfg, inferencer },
});

interface Parts {
  readonly top?: Partial<ConfigInput>;
  readonly model?: ModelInput;
  readonly dataset?: DatasetInput;
  readonly options?: OpenOptions;
}

/** The plans of all rows of the first evaluation. */
async function plansOf({ top, model, dataset: own = dataset, options }: Parts): Promise<RowPlan[]> {
  const models = model ? [{ abbr: 'm', ...model }] : [];
  const config = await parseConfig({ ...top, models, datasets: [own] });
  await using evaluations = await openEvaluations(config, { purpose: 'plan', ...options });
  const [evaluation] = evaluations;
  const plans: RowPlan[] = [];
  for await (const batch of evaluation?.rows.batches() ?? []) {
    for (const row of batch) plans.push((await evaluation?.plan(row)) as RowPlan);
  }
  return plans;
}

async function bodyOf(parts: Parts): Promise<unknown> {
  const [plan] = await plansOf(parts);
  return JSON.parse(plan?.requests[0]?.encoded ?? 'null');
}

const endpoint = {
  type: 'OpenAI',
  base_url: 'http://h/v1',
  model: 'name',
  max_out_len: 5,
  stop: 'a',
} as const;
const messages = [{ role: 'user', content: 'hi' }];

describe('a request', () => {
  it.each<[string, Inferencer, object]>([
    ['the model alone', { type: 'GenInferencer' }, { max_tokens: 5, stop: ['a'] }],
    [
      'the inferencer, whose stop words come after those of the model',
      { type: 'GenInferencer', max_out_len: 9, stopping_criteria: ['b', 'a', 'b'] },
      { max_tokens: 9, stop: ['a', 'b'] },
    ],
    [
      'a list of limits, which is for dialogues',
      { type: 'GenInferencer', max_out_len: [7] },
      { max_tokens: 5, stop: ['a'] },
    ],
  ])('takes its settings from %s', async (_, inferencer, settings) => {
    const body = await bodyOf({ model: endpoint, dataset: withInferencer(inferencer) });
    expect(body).toMatchObject({ model: 'name', messages, ...settings });
  });

  it('may have a limit of its own row', async () => {
    const plans = await plansOf({
      model: endpoint,
      dataset: {
        ...withInferencer({ type: 'GenInferencer', max_out_len: 9 }),
        rows: [3, '4', 0, 'x', undefined].map((limit) => ({
          q: 'hi',
          a: 'ho',
          ...(limit !== undefined && { max_out_len: limit }),
        })),
        reader_cfg: { input_columns: ['q', 'max_out_len'], output_column: 'a' },
      },
    });
    const limits = plans.map(({ requests }) => JSON.parse(requests[0]?.encoded ?? '').max_tokens);
    expect(limits).toEqual([3, 4, 9, 9, 9]);
  });

  it('is the same for another purpose, and has the same key', async () => {
    const model = { ...endpoint, generation_kwargs: { temperature: 0.5 } };
    const [planned] = await plansOf({ model });
    const [viewed] = await plansOf({ model, options: { purpose: 'view' } });
    const [run] = await plansOf({ model, options: { purpose: 'run' } });
    expect(viewed).toEqual(planned);
    expect(run).toEqual(planned);
  });

  it('has another key for other settings of the model, and the same prompt', async () => {
    const [one] = await plansOf({ model: endpoint });
    const [other] = await plansOf({ model: { ...endpoint, base_url: 'http://other/v1' } });
    const [limited] = await plansOf({ model: { ...endpoint, max_out_len: 6 } });
    expect(new Set([one?.key, other?.key, limited?.key]).size).toBe(3);
    expect(new Set([one?.promptHash, other?.promptHash, limited?.promptHash]).size).toBe(1);
  });

  it('knows the answer that is right, and the row', async () => {
    const [plan] = await plansOf({ model: endpoint });
    const row = { q: 'hi', a: 'ho' };
    expect(plan).toMatchObject({ id: 0, position: 0, row });
    expect(plan?.requests).toMatchObject([{ id: 0, row, gold: 'ho', shots: [], dropped: 0 }]);
    expect(plan?.requests[0]?.key).toBe(plan?.key);
  });
});

describe('a model', () => {
  it.each<[string, ModelInput, string]>([
    ['no type', { path: 'x' }, '`type`'],
    ['no address', { type: 'OpenAI', model: 'x' }, '`base_url`'],
  ])('with %s shows its prompts, and cannot be asked', async (_, model, missing) => {
    const error = { code: 'config.missing_key', path: ['models', 0] };
    for (const purpose of ['plan', 'run'] as const) {
      await expect(plansOf({ model, options: { purpose } })).rejects.toMatchObject({
        ...error,
        message: expect.stringContaining(missing),
      });
    }
    const [plan] = await plansOf({ model, options: { purpose: 'view' } });
    expect(plan?.requests).toMatchObject([{ asked: { type: 'generate' } }]);
  });

  it('without a name has the one that a run found', async () => {
    const { model: _, ...unnamed } = endpoint;
    expect(await bodyOf({ model: unnamed })).toMatchObject({ model: 'default' });
    const options = { known: new Map([['m', { model: 'found' }]]) };
    expect(await bodyOf({ model: unnamed, options })).toMatchObject({ model: 'found' });
  });

  it('needs its key only to be asked', async () => {
    const model = { ...endpoint, api_key_env: 'TYPECASE_NO_SUCH_KEY' };
    expect(await plansOf({ model, options: { purpose: 'view' } })).toHaveLength(1);
    expect(await plansOf({ model })).toHaveLength(1);
    await expect(plansOf({ model, options: { purpose: 'run' } })).rejects.toMatchObject({
      message: expect.stringContaining('TYPECASE_NO_SUCH_KEY'),
    });
  });

  it.each<[string, Inferencer | 'image', string]>([
    ['tells no likelihoods', { type: 'PPLInferencer', labels: ['a'] }, '`loglikelihood`'],
    ['tells none of the next token either', { type: 'CLPInferencer', labels: ['a'] }, '`next-tok'],
    ['sees nothing', 'image', '`vision`'],
  ])('that %s is refused for what needs it', async (_, needing, ability) => {
    const picture: DatasetInput = {
      ...dataset,
      infer_cfg: {
        prompt_template: {
          type: 'MMPromptTemplate',
          template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{q}' } }] },
        },
      },
    };
    const own = needing === 'image' ? picture : withInferencer(needing);
    await expect(
      plansOf({ model: { ...endpoint, vision: false }, dataset: own }),
    ).rejects.toMatchObject({
      code: 'model.ability_missing',
      message: expect.stringContaining(ability),
    });
  });

  it('may be none, where prompts are looked at', async () => {
    const [plan] = await plansOf({ options: { purpose: 'view' } });
    expect(plan?.requests[0]?.asked).toMatchObject({ prompt: { type: 'text', text: 'hi' } });
    await expect(plansOf({})).rejects.toMatchObject({ code: 'usage.nothing_to_run' });
  });
});

describe('of several models and datasets', () => {
  const models = ['x', 'y', 'z'].map((abbr) => ({ ...endpoint, abbr, judge: abbr === 'y' }));
  const datasets = ['d', 'e'].map((abbr) => ({ ...dataset, abbr }));

  async function namesOf(options: OpenOptions): Promise<string[]> {
    const config = await parseConfig({ models, datasets });
    await using evaluations = await openEvaluations(config, { purpose: 'plan', ...options });
    return evaluations.map(({ modelName, task }) => `${modelName}/${task.name}`);
  }

  it.each<[string, OpenOptions, string[]]>([
    ['judges are left out', {}, ['x/d', 'x/e', 'z/d', 'z/e']],
    ['unless they are named', { models: ['y'] }, ['y/d', 'y/e']],
    ['also to look at', { purpose: 'view', datasets: ['d'] }, ['x/d', 'z/d']],
    ['names have their order', { models: ['z', 'x'], datasets: ['e'] }, ['z/e', 'x/e']],
  ])('%s', async (_, options, expected) => {
    expect(await namesOf(options)).toEqual(expected);
  });

  it.each<[OpenOptions, string, string]>([
    [{ models: ['xx'] }, 'Unknown model `xx`', 'Did you mean `x`?'],
    [{ datasets: ['f'] }, 'Unknown dataset `f`', 'Datasets: d, e.'],
  ])('%j is refused', async (options, message, hint) => {
    await expect(namesOf(options)).rejects.toMatchObject({
      code: 'usage.unknown_name',
      message,
      hint: expect.stringContaining(hint),
    });
  });

  it('the rows are opened once for models whose rules take the same', async () => {
    const config = await parseConfig({
      models: [
        { ...endpoint, abbr: 'x' },
        { ...endpoint, abbr: 'y' },
        { ...endpoint, abbr: 'z', compat: 'opencompass' },
      ],
      datasets: [dataset],
    });
    await using evaluations = await openEvaluations(config, { purpose: 'plan' });
    const [x, y, z] = evaluations.map(({ rows }) => rows);
    expect(y).toBe(x);
    expect(z).not.toBe(x);
  });
});

it('what is wrong with a config has its place in the file', async () => {
  const text = `models: [{ abbr: m, type: OpenAI, base_url: 'http://h/v1' }]
datasets:
  - abbr: d
    rows: [{ q: 1 }]
    reader_cfg: { input_columns: [nope], output_column: null }
    infer_cfg: { prompt_template: { template: '{q}' } }
`;
  const config = checkConfig(await loadText('c.yaml', text));
  const error = await openEvaluations(config, { purpose: 'plan' }).catch((thrown) => thrown);
  expect([error.code, show(error.at)]).toEqual(['data.unknown_column', '5:17']);
});

const exact = { evaluator: { type: 'exact' } };
const notALabel = 'data.gold_not_a_label';
const glued = 'template.glued_choices';
const clp = (template: string, labels: readonly string[]) => ({
  prompt_template: { template },
  inferencer: { type: 'CLPInferencer', labels },
});
const ppl = (template: unknown, inferencer: object = {}) => ({
  prompt_template: { template },
  inferencer: { type: 'PPLInferencer', ...inferencer },
});

it.each<[name: string, infer: object, evaluation: object, codes: readonly string[]]>([
  ['labels that are no gold answer', ppl({ zero: 'bad', one: 'good' }), exact, [notALabel]],
  ['given labels', ppl('{q} {a}', { labels: ['zero', 'one'] }), exact, [notALabel]],
  ['one that is no label', ppl('{q} {a}', { labels: ['1', '2'] }), exact, [notALabel]],
  ['a label without a row', ppl('{q} {a}', { labels: ['0', '1', '2'] }), exact, []],
  ['labels as in the column', ppl({ 0: 'bad', 1: 'good' }), exact, []],
  [
    'gold answers that are changed',
    ppl({ zero: 'bad', one: 'good' }),
    { ...exact, dataset_postprocessor: { type: 'trimmed' } },
    [notALabel],
  ],
  ['choices right after a colon', clp('{q}:', ['0', '1']), exact, [glued]],
  ['choices after a hidden space', clp('{q}: {a}', ['0', '1']), exact, []],
  ['choices with spaces of their own', clp('{q}:', [' 0', ' 1']), exact, []],
  ['choices in brackets', clp('{q} (', ['0', '1']), exact, []],
])('a warning of what is measured: %s', async (_, infer_cfg, eval_cfg, codes) => {
  const config = await parseConfig({
    models: [{ abbr: 'm', type: 'OpenAICompletions', model: 'x', base_url: 'http://127.0.0.1:9' }],
    datasets: [
      {
        abbr: 'd',
        rows: [
          { q: 'x', a: '0' },
          { q: 'y', a: '1' },
        ],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg,
        eval_cfg,
      },
    ],
  } as unknown as ConfigInput);
  for (const purpose of ['view', 'plan'] as const) {
    await using evaluations = await openEvaluations(config, { purpose });
    const [evaluation] = evaluations;
    const found = evaluation?.diagnostics.map(({ code }) => code) ?? [];
    expect(found.filter((code) => [notALabel, glued].includes(code))).toEqual(codes);
  }
});

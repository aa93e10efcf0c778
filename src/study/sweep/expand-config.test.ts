import { expect, test } from 'vitest';
import { checkConfig } from '../../config/check-config.ts';
import { spelledConfig } from '../../config/load-config.ts';
import { formatPath } from '../../errors.ts';
import { expandConfig } from './expand-config.ts';

const templates = ['x', 'y'].map((name) => ({
  name,
  prompt_template: { template: `${name} {q}` },
}));
const dataset = (abbr: string, inferCfg: object = {}) => ({
  abbr,
  rows: [{ q: '1', a: '1' }],
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: inferCfg,
});
const named = (abbrs: readonly { readonly abbr: string }[]) => abbrs.map(({ abbr }) => abbr);

test('cells take the places of datasets that have no template of their own', async () => {
  const loaded = await spelledConfig({
    datasets: [dataset('d')],
    more_datasets: [dataset('e')],
    summarizer: { summary_groups: [{ name: 'both', subsets: ['d', 'e'] }] },
    sweep: { templates, shots: [0] },
  });
  const located: string[] = [];
  const locate = (path: readonly (string | number)[]) => {
    located.push(formatPath(path));
    return undefined;
  };
  const { config, cells } = await expandConfig(
    { ...loaded, locate },
    { axes: { meta_templates: ['own', 'chatml'] }, sameTemplate: false },
  );
  expect(named(config.datasets)).toEqual(named(cells));
  expect(named(cells).slice(0, 3)).toEqual([
    'd.x.0-shot.own',
    'd.x.0-shot.chatml',
    'd.y.0-shot.own',
  ]);
  expect(config.datasets.slice(0, 2).map(({ metaTemplate }) => metaTemplate)).toEqual([
    undefined,
    'chatml',
  ]);
  config.written.locate(['datasets', 6, 'infer_cfg', 'prompt_template', 'template']);
  config.written.locate(['datasets', 6, 'reader_cfg']);
  expect(located).toEqual([
    'sweep.templates[1].prompt_template.template',
    'more_datasets[0].reader_cfg',
  ]);
});

test('a checked config keeps what was changed of it', async () => {
  const own = { prompt_template: { template: '{q}' } };
  const written = await spelledConfig({
    models: [{ abbr: 'm' }],
    datasets: [dataset('d', own), dataset('e', own)],
  });
  const checked = checkConfig(written);
  const changed = {
    ...checked,
    models: checked.models.map((model) => ({ ...model, maxOutLen: 7 })),
    datasets: checked.datasets.slice(1),
  };
  const { config } = await expandConfig(changed, { axes: { templates }, sameTemplate: false });
  expect(config.models[0]?.maxOutLen).toBe(7);
  expect(named(config.datasets)).toEqual(['e.x', 'e.y']);
});

test('a task is expanded once it has its template', async () => {
  const loaded = await spelledConfig({ datasets: [{ task: 'arithmetic' }] });
  const axes = { templates: ['equation', 'postfix'] };
  const { config } = await expandConfig(loaded, { axes, sameTemplate: false });
  expect(config.datasets.map(({ stamp }) => stamp?.version)).toEqual(axes.templates);
});

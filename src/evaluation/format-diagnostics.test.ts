import { expect, test } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { formatOf } from '../prompt/format.ts';
import { formatDiagnostics } from './format-diagnostics.ts';

async function codesOf(metaTemplate: string | object) {
  const config = await parseConfig({
    models: [
      {
        abbr: 'm',
        type: 'OpenAICompletions',
        base_url: 'http://127.0.0.1:9/v1',
        model: 'm',
        meta_template: metaTemplate,
      } as never,
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } },
          inferencer: { type: 'GenInferencer' },
        },
      },
    ],
  });
  const [[model], [dataset]] = [config.models, config.datasets];
  if (!model || !dataset) throw new Error('nothing was read');
  const format = formatOf({ takes: 'text', metaTemplate: model.metaTemplate, path: [] });
  const found = formatDiagnostics({
    ...{ model, dataset, format },
    mode: 'gen',
    encode: undefined,
    prefix: undefined,
  });
  return found.map(({ code }) => code);
}

const round = [{ role: 'HUMAN' }, { role: 'BOT', generate: true }];

test.each<[string, string | object, string[]]>([
  ['a format by its name', 'llama3', ['model.doubled_bos']],
  ['a format that is written out', { begin: '<s>', round }, ['model.doubled_bos']],
  [
    'a mark of the first role',
    { round: [{ role: 'HUMAN', begin: '<s>' }, round[1]] },
    ['model.doubled_bos'],
  ],
  ['a format without a mark', { begin: 'Rules.', round }, []],
])('before any prompt is made: %s', async (_, metaTemplate, codes) => {
  expect(await codesOf(metaTemplate)).toEqual(codes);
});

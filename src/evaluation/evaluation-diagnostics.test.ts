import { expect, test } from 'vitest';
import type { ModelConfig } from '../config/config.ts';
import { stopBeforeAnswer } from './evaluation-diagnostics.ts';

const row = { id: 0, position: 0, row: {} };
const source = ['datasets', 0, 'infer_cfg', 'inferencer'];

function check(lead: string, parts: { model?: object; inferencer?: object; ofFormat?: string[] }) {
  const { model, inferencer = {}, ofFormat = [] } = parts;
  return stopBeforeAnswer(
    { leadOf: () => lead },
    {
      model: model && ({ source: ['models', 0], ...model } as unknown as ModelConfig),
      inferencer: { type: 'GenInferencer', source, ...inferencer },
      ofFormat,
      row,
    },
  );
}

test.each<[string, Parameters<typeof check>[1], string]>([
  [
    'of the inferencer',
    { inferencer: { stoppingCriteria: ['\n'] } },
    'datasets[0].infer_cfg.inferencer.stopping_criteria',
  ],
  ['of the model', { model: { stop: ['x', '\n'] } }, 'models[0].stop'],
  ['of the meta template', { model: {}, ofFormat: ['\n'] }, 'models[0].meta_template'],
  [
    'of the chat template',
    { model: { chatTemplate: 'a' }, ofFormat: ['\n'] },
    'models[0].chat_template',
  ],
  [
    'of settings',
    { model: { generationKwargs: { stop: '\n' } } },
    'models[0].generation_kwargs.stop',
  ],
])('a stop %s that the model has to write first is named with its place', (_, parts, place) => {
  const found = check('\nA:', parts);
  expect(found).toMatchObject({ code: 'template.stop_before_answer' });
  expect(found?.message).toContain(`${place}: the stop "\\n"`);
  expect(check('A:', parts)).toBeUndefined();
});

test('without stops, and for an empty one, there is nothing to say', () => {
  expect(check('\n', {})).toBeUndefined();
  expect(check('\n', { inferencer: { stoppingCriteria: [''] } })).toBeUndefined();
});

test.each([
  [' ', 'keep_trailing_spaces'],
  ['\n', 'as the examples do'],
])('the hint for %j', (lead, hint) => {
  expect(check(lead, { inferencer: { stoppingCriteria: [lead] } })?.hint).toContain(hint);
});

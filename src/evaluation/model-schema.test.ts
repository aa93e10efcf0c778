import { expect, test } from 'vitest';
import { configText } from '../../test/fixtures/config/config-text.ts';
import { loadText, show, takeMark } from '../../test/fixtures/config/write-config.ts';
import { checkConfig } from '../config/check-config.ts';

const parse = async (parts: Parameters<typeof configText>[0]) =>
  checkConfig(await loadText('c.yaml', configText(parts)));

test('how a model is asked', async () => {
  const settings = 'stream: true, timeout: 2.5, max_rps: 3.0, retries: 2';
  const { models } = await parse({ model: `{abbr: m, type: OpenAI, ${settings}}` });
  expect(models[0]).toMatchObject({ stream: true, timeout: 2.5, maxRps: 3, retries: 2 });
});

test.each([
  [
    '{type: AISDK, package: "@ai-sdk/anthropic", model: claude, options: {a: 1.0}}',
    { type: 'AISDK', abbr: 'claude', package: '@ai-sdk/anthropic', options: { a: 1 } },
  ],
  [
    '{type: typecase.Replay, path: answers/run.jsonl}',
    { type: 'Replay', abbr: 'run.jsonl', path: 'answers/run.jsonl' },
  ],
  ['{type: Replay, path: a.jsonl, meta_template: chatml}', { type: 'Replay' }],
])('%s', async (model, expected) => {
  const config = await parse({ model });
  expect(config.models[0]).toMatchObject(expected);
});

test.each([
  ['▸{abbr: m, type: AISDK, model: x}', 'config.missing_key', 'has no `package`'],
  ['▸{abbr: m, type: AISDK, package: x}', 'config.missing_key', 'has no `model`'],
  ['▸{abbr: m, type: Replay}', 'config.missing_key', 'has neither `path` nor `answer_column`'],
  ['▸{abbr: m, type: OpenAI, package: x}', 'config.conflicting_keys', 'has `package`'],
  ['▸{abbr: m, options: {}}', 'config.conflicting_keys', 'has `options`'],
  ['▸{type: Replay, path: x, base_url: x}', 'config.conflicting_keys', 'has `base_url`'],
  ['{abbr: m, timeout: ▸0}', 'config.wrong_type', 'must be a number above 0, not 0'],
  ['{abbr: m, max_rps: ▸fast}', 'config.wrong_type', 'must be a number above 0, not a string'],
  ['{abbr: m, retries: ▸0}', 'config.wrong_type', 'must be a whole number above 0'],
  ['{abbr: m, stream: ▸"yes"}', 'config.wrong_type', 'must be true or false'],
])('%s is refused', async (marked, code, message) => {
  const { text, place } = takeMark(configText({ model: marked }));
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  expect(show(error.at)).toBe(place);
});

test('groups of datasets', async () => {
  const groups = '{type: X, summary_groups: [{name: all, subsets: [d]}]}';
  expect((await parse({ top: `summarizer: ${groups}` })).groups).toEqual({
    all: { datasets: ['d'] },
  });
  expect((await parse({ top: 'summarizer: {type: X}' })).groups).toBeUndefined();
});

test.each([
  ['[{name: all, subsets: [d, ▸e]}]', 'is `e`, which is not a dataset of this config'],
  ['[{name: all, ▸subset: [d]}]', 'has the unknown key `subset`'],
  ['▸{}', 'must be a list of groups'],
])('summary_groups: %s is refused', async (marked, message) => {
  const { text, place } = takeMark(configText({ top: `summarizer: {summary_groups: ${marked}}` }));
  const error = await loadText('c.yaml', text)
    .then(checkConfig)
    .catch((thrown) => thrown);
  expect(error.message).toContain(message);
  expect(show(error.at)).toBe(place);
});

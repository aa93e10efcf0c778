import { expect, it, test } from 'vitest';
import {
  compareNames,
  isOtherModel,
  ServedNames,
  servedOtherwise,
  servedSoFar,
} from './served-models.ts';
import type { RecordedModel } from './store/run-file.ts';

const model = (identity: RecordedModel['identity'], more: object = {}) =>
  ({ name: 'm', identity, ...more }) as RecordedModel;

test('names are counted, the most frequent first, and not without end', () => {
  const names = new ServedNames();
  names.add('a');
  names.addAll([
    { name: 'b', answers: 3 },
    { name: 'a', answers: 1 },
  ]);
  expect(names.list).toEqual([
    { name: 'b', answers: 3 },
    { name: 'a', answers: 2 },
  ]);
  for (let index = 0; index < 110; index += 1) names.add(`n${index}`);
  names.add('a', 5);
  expect(names.list).toHaveLength(101);
  expect(names.list.slice(0, 2)).toEqual([
    { name: 'other names', answers: 12 },
    { name: 'a', answers: 7 },
  ]);
});

test.each([
  ['asked', ['asked'], false, false],
  ['asked', ['asked', 'asked-2025-01-01'], true, false],
  ['asked', ['asked-2025-01-01'], true, false],
  ['asked', ['imposter'], true, true],
  ['asked', [], false, false],
  ['default', ['anything'], false, false],
  ['default', ['one', 'two'], true, false],
  [undefined, ['anything'], false, false],
])('asked as %s and served as %j: told %j, another %j', (asked, served, isTold, isOther) => {
  const names = served.map((name) => ({ name, answers: 1 }));
  const told = servedOtherwise([model({ model: asked }, { served: names })]);
  const isNamed = asked !== undefined && asked !== 'default';
  expect(told).toStrictEqual(isTold ? [{ model: 'm', ...(isNamed && { asked }), names }] : []);
  expect(told.some(isOtherModel)).toBe(isOther);
});

test('answers of another model under the same name do not count until it is that model again', () => {
  const [first, second] = [model({ url: 'a' }), model({ url: 'b' })];
  const served = [{ name: 'x', answers: 2 }];
  expect(servedSoFar(first, undefined)).toEqual({ names: [], before: [] });
  expect(servedSoFar(first, { ...first, served })).toEqual({ names: served, before: [] });
  const { names, before } = servedSoFar(second, { ...first, served });
  expect([names, before]).toEqual([[], [{ identity: expect.any(String), served }]]);
  const again = servedSoFar(first, {
    ...second,
    served: [{ name: 'y', answers: 1 }],
    servedBefore: before,
  });
  expect(again.names).toEqual(served);
  expect(again.before.map((one) => one.served)).toEqual([[{ name: 'y', answers: 1 }]]);
  expect(servedSoFar(second, first)).toEqual({ names: [], before: [] });
});

it.each([
  ['gpt-x', 'gpt-x', 'same'],
  ['gpt-x', 'gpt-x-2024-08-06', 'version'],
  ['gpt-x', 'gpt-x-0613', 'version'],
  ['claude-x', 'claude-x@20240620', 'version'],
  ['llama', 'llama:latest', 'version'],
  ['gemini', 'gemini-v2.1', 'version'],
  ['gpt-x-2024-08-06', 'gpt-x', 'version'],
  ['Qwen/Qwen3-8B', 'qwen3-8b', 'version'],
  ['qwen3-8b', '/models/Qwen3-8B.gguf', 'version'],
  ['gpt-x', 'gpt-x-mini', 'other'],
  ['llama-3', 'llama-3-8b', 'other'],
  ['llama-3', 'llama-3.1', 'other'],
  ['gpt-x', 'gpt-imposter', 'other'],
  ['gpt-x', '', 'other'],
] as const)('asked for %s, served as %s: %s', (asked, served, expected) => {
  expect(compareNames(asked, served)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadText, show } from '../../test/fixtures/config/write-config.ts';
import type { ConfigPath } from '../errors.ts';
import { toPlain } from '../prompt/mapping.ts';
import { Float } from '../prompt/values.ts';
import { parseJson } from './json-source.ts';

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      const { value } = parseJson({ file: 'c.json', text });
      expect(JSON.stringify(toPlain(value))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('keeps key order, floats and big integers', () => {
  const text = '{"t": {"1": 1.0, "0": 1e2}, "n": [12345678901234567890, -1, 0.5]}';
  const { value } = parseJson({ file: 'c.json', text }) as { value: Record<string, unknown> };
  expect([...(value.t as Map<string, unknown>)]).toStrictEqual([
    ['1', new Float(1)],
    ['0', new Float(100)],
  ]);
  expect(value.n).toStrictEqual([12345678901234567890n, -1, 0.5]);
});

const text = `\uFEFF{
  "models": [
    { "abbr": "m" }, {}
  ],
  "t": {"1": "a\\n\\u0041\\"{x}", "é": null}
}`;

test.each<[ConfigPath, string, string]>([
  [[], '1:1', '1:1'],
  [['models'], '2:13', '2:3'],
  [['models', 0, 'abbr'], '3:15', '3:7'],
  [['models', 1], '3:22', '3:22'],
  [['models', 1, 'abbr'], '3:22', '3:22'],
  [['t', '1'], '5:14', '5:9'],
  [['t', 'é'], '5:37', '5:32'],
])('%j is at %s, its key at %s', async (path, value, key) => {
  const loaded = await loadText('c.json', text);
  expect([show(loaded.locate(path)), show(loaded.locateKey(path))]).toEqual([value, key]);
});

test.each([
  [0, '5:15'],
  [1, '5:16'],
  [2, '5:18'],
  [3, '5:24'],
  [4, '5:26'],
])('character %i of a string is at %s', async (index, place) => {
  const loaded = await loadText('c.json', text);
  expect(show(loaded.locateInString(['t', '1'], index))).toBe(place);
});

test.each<[string, string, string, string]>([
  ['{"a": 1,}', 'config.syntax', '1:9', 'expected a key in double quotes, found `}`'],
  ['{\n"a" 1}', 'config.syntax', '2:5', 'expected `:`, found `1`'],
  ['{"a": [1 2]}', 'config.syntax', '1:10', 'expected `,` or `]`, found `2`'],
  ["{'a': 1}", 'config.syntax', '1:2', "found `'`"],
  ['{"a": 01}', 'config.syntax', '1:8', 'expected `,` or `}`, found `1`'],
  ['{"a": "x\ny"}', 'config.syntax', '1:7', 'the text has a line break'],
  ['{"a": "x\\q"}', 'config.syntax', '1:7', 'escape that JSON does not allow'],
  ['{"a": "x}', 'config.syntax', '1:7', 'the text has no closing quote'],
  ['{"a', 'config.syntax', '1:2', 'the text has no closing quote'],
  ['{"a": "x\\"}', 'config.syntax', '1:7', 'the text has no closing quote'],
  ['{"a": 1', 'config.syntax', '1:8', 'found the end of the file'],
  ['{} // no', 'config.syntax', '1:4', 'expected the end of the file'],
  ['{"a": 1, "b": {"a": 1, "a": 2}}', 'config.duplicate_key', '1:24', '`a` is written twice'],
])('refuses %j', async (json, code, place, message) => {
  const error = await loadText('c.json', json).catch((thrown) => thrown);
  expect({ code: error.code, place: show(error.at) }).toEqual({ code, place });
  expect(error.message).toContain(message);
});

test('refuses deep nesting with its place', () => {
  const text = `{"a":\n${'['.repeat(100_000)}`;
  expect(() => parseJson({ file: 'c.json', text })).toThrow(
    'c.json, line 2: lists and mappings are nested more than 200 levels deep',
  );
});

import { expect, test } from 'vitest';
import { loadText, show } from '../../test/fixtures/config/write-config.ts';
import type { ConfigPath } from '../errors.ts';
import { Float } from '../prompt/values.ts';

test.each<[string, string, unknown]>([
  ['string keys make an object', '{b: 1, a: 2}', { b: 1, a: 2 }],
  [
    'integer keys keep type and order',
    '{1: x, 0: y}',
    new Map([
      [1, 'x'],
      [0, 'y'],
    ]),
  ],
  [
    'integer-like strings keep order',
    '{"1": x, "0": y}',
    new Map([
      ['1', 'x'],
      ['0', 'y'],
    ]),
  ],
  [
    'keys of several types stay apart',
    '{1: a, "1": b, true: c, "true": d, null: e}',
    new Map<unknown, string>([
      [1, 'a'],
      ['1', 'b'],
      [true, 'c'],
      ['true', 'd'],
      [null, 'e'],
    ]),
  ],
  ['__proto__ is data', '{__proto__: 1}', new Map([['__proto__', 1]])],
  [
    'a number with a point is a float',
    '[1, 1.0, 1.5, 1e3, -0.0]',
    [1, new Float(1), 1.5, new Float(1000), new Float(-0)],
  ],
  [
    'big integers are exact',
    '[9007199254740991, 9007199254740993]',
    [9007199254740991, 9007199254740993n],
  ],
  ['words of YAML 1.1 are strings', '[yes, no, on, 0o10, ~]', ['yes', 'no', 'on', 8, null]],
])('%s', async (_, yaml, expected) => {
  const { value } = await loadText('c.yaml', `value: ${yaml}\n`);
  expect(value).toStrictEqual({ value: expected });
  const mapping = (value as { value: unknown }).value;
  if (mapping instanceof Map)
    expect([...mapping]).toStrictEqual([...(expected as Map<unknown, unknown>)]);
});

test('merge keys: own values win, the first source wins, places point into the source', async () => {
  const loaded = await loadText(
    'c.yaml',
    `a: &a {x: 1, y: 2}
b: &b {y: 3, z: 4}
c:
  <<: [*a, *b]
  x: 5
d: {<<: *a}
e: *b
`,
  );
  expect(loaded.value).toMatchObject({ c: { x: 5, y: 2, z: 4 }, d: { x: 1, y: 2 }, e: { y: 3 } });
  expect(Object.keys((loaded.value as Record<string, object>).c ?? {})).toEqual(['x', 'y', 'z']);
  const places = ['x', 'y', 'z'].map((key) => show(loaded.locate(['c', key])));
  expect(places).toEqual(['5:6', '1:17', '2:17']);
  expect(show(loaded.locate(['d', 'y']))).toBe('1:17');
  expect(show(loaded.locate(['e']))).toBe('2:7');
  expect(show(loaded.locateKey(['e']))).toBe('7:1');
});

const text = `# settings
models:
  - abbr: 'm'
    generation_kwargs: {temperature: 0}
datasets:
- template:
    1: one
    "1": two
    true: three
  messages: &m |
    hello
      {name}
  empty:
  again: *m
  😀: {k: "😀", v: 1}
`;

test.each<[ConfigPath, string, string]>([
  [[], '2:1', '2:1'],
  [['models'], '3:3', '2:1'],
  [['models', 0], '3:5', '3:5'],
  [['models', 0, 'abbr'], '3:11', '3:5'],
  [['models', 0, 'generation_kwargs', 'temperature'], '4:38', '4:25'],
  [['datasets', 0, 'template', 1], '7:8', '7:5'],
  [['datasets', 0, 'template', '1'], '8:10', '8:5'],
  [['datasets', 0, 'template', 'true'], '9:11', '9:5'],
  [['datasets', 0, 'messages'], '10:16', '10:3'],
  [['datasets', 0, 'empty'], '13:9', '13:3'],
  [['datasets', 0, 'again'], '10:16', '14:3'],
  [['datasets', 0, '😀', 'v'], '15:20', '15:17'],
  [['datasets', 0, 'nothing', 'deeper'], '6:3', '6:3'],
  [['datasets', 7], '6:1', '6:1'],
])('%j is at %s, its key at %s', async (path, value, key) => {
  const loaded = await loadText('c.yml', text);
  expect([show(loaded.locate(path)), show(loaded.locateKey(path))]).toEqual([value, key]);
  expect(loaded.locate(path).file).toBe(loaded.file);
});

test.each<[string, string, number, string]>([
  ['plain', 't: see {x}', 4, '1:8'],
  ['plain over lines, first line', 't: see\n  {x}', 2, '1:6'],
  ['plain over lines, later line', 't: see\n  {x}', 5, '1:4'],
  ['single quotes', "t: 'it''s {x}'", 5, '1:11'],
  ['double quotes', 't: "a\\n{x}"', 2, '1:8'],
  ['double quotes, long escape', 't: "\\U0001F600\\x41{x}"', 3, '1:19'],
  ['double quotes, joined lines', 't: "a\n  {x}"', 2, '1:4'],
  ['block', 't: |\n  a\n\n    {x}\n', 5, '4:5'],
  ['block with indicator and CRLF', 't: |2-\r\n   a\r\n  {x}\r\n', 3, '3:3'],
  ['folded block, one line', 't: >\n  a {x}\n', 2, '2:5'],
  ['folded block, joined lines', 't: >\n  a\n  {x}\n', 2, '1:4'],
  ['not a string', 't: 1234', 2, '1:4'],
])('place in a string: %s', async (_, yaml, index, place) => {
  const loaded = await loadText('c.yaml', yaml);
  expect(show(loaded.locateInString(['t'], index))).toBe(place);
});

test.each<[string, string, string, string]>([
  ['a: 1\nb: [1, 2\nc: 3\n', 'config.syntax', '3:1', 'Flow sequence'],
  ['a: "x\n', 'config.syntax', '2:1', 'Missing closing'],
  ['a:\n  - b: 1\n   c: 2\n', 'config.syntax', '3:4', 'Sequence item without - indicator'],
  ['a:\n  b: 1\n  b: 2\n', 'config.duplicate_key', '3:3', '`b` is written twice'],
  ['{1: a, 0x1: b}', 'config.duplicate_key', '1:8', '`1` is written twice'],
  ['a: !env HOME', 'config.syntax', '1:4', 'Unresolved tag'],
  ['a: *b', 'config.syntax', '1:4', '`*b` refers to an anchor that is not defined'],
  ['a: &b [*b]', 'config.syntax', '1:8', '`*b` refers to a value that contains it'],
  ['a: {[x]: 1}', 'config.syntax', '1:5', 'a key must be a single value'],
  ['a: {<<: 1}', 'config.syntax', '1:5', '`<<` needs a mapping'],
  ['a: 1\n---\nb: 1\n', 'config.syntax', '2:1', 'multiple documents'],
])('refuses %j', async (yaml, code, place, message) => {
  const error = await loadText('c.yaml', yaml).catch((thrown) => thrown);
  expect({ code: error.code, place: show(error.at) }).toEqual({ code, place });
  expect(error.message).toContain(message);
});

test.each([
  ['lists', `a: ${'['.repeat(100_000)}`, '1:204'],
  ['mappings', `a: ${'{b: '.repeat(100_000)}`, '1:804'],
  ['mappings by indent', lines(3_000, (index) => `${' '.repeat(index)}a:`), '202:202'],
  ['lists in a line', `${'- '.repeat(100_000)}x`, '1:403'],
  ['an explicit key', `${'? '.repeat(100_000)}x`, '1:403'],
])('nesting of 100,000 %s is refused with its place', async (_, text, place) => {
  const error = await loadText('deep.yaml', text).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'config.syntax',
    message: expect.stringContaining('nested more than 200 levels deep'),
  });
  expect(show(error.at)).toBe(place);
});

function lines(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n');
}

test.each([
  ['lists', (index: number) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`],
  ['merges', (index: number) => `a${index}: &a${index} {<<: [*a${index - 1}, *a${index - 1}]}`],
])('aliases of %s that multiply are refused', async (_, write) => {
  const text = `a0: &a0 {x: 1}\n${lines(40, (index) => write(index + 1))}`;
  await expect(loadText('aliases.yaml', text)).rejects.toMatchObject({
    code: 'config.syntax',
    message: expect.stringContaining('expand to more than 100,000 values'),
  });
});

test('many aliases of one anchor take no long time', async () => {
  const text = `shared: &shared [1]\nlist:\n${lines(20_000, () => '- *shared')}`;
  const { value } = await loadText('many.yaml', text);
  expect((value as { list: unknown[] }).list).toHaveLength(20_000);
});

test('an alias stands for the last anchor of its name before it', async () => {
  const { value } = await loadText('again.yaml', 'a: &x 1\nb: *x\nc: &x 2\nd: *x');
  expect(value).toEqual({ a: 1, b: 1, c: 2, d: 2 });
});

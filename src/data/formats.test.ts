import { expect, it } from 'vitest';
import { Float, formatValue, type Row } from '../prompt/values.ts';
import { openRows } from './open-rows.ts';
import { collect, writeFiles } from './test-sources.ts';

async function read(name: string, content: string | Buffer): Promise<Row[]> {
  const folder = await writeFiles({ [name]: content });
  return (await collect(await openRows(name, { folder }))).map(({ row }) => row);
}

it.each([
  ['rows.jsonl', '{"q": 1}\n{"q": 2}\n'],
  ['rows.jsonl', '\uFEFF{"q": 1}\r\n\r\n  {"q": 2}  \r\n\n'],
  ['rows.ndjson', '{"q":1}\n{"q":2}'],
  ['rows.json', '[{"q": 1}, {"q": 2}]'],
  ['rows.json', '\uFEFF [\n{"q": 1}\r\n,\n{"q": 2}\n]\n'],
  ['rows.json', '{"about": {"list": [1]}, "rows": [{"q": 1}, {"q": 2}], "end": "]\\"["}'],
  ['rows.json', '{"q": 1}\n{"q": 2}\n'],
  ['rows.txt', '{"q": 1}\n{"q": 2}\n'],
  ['rows', ' [{"q": 1}, {"q": 2}]'],
  ['rows.data', '{\n"rows": [{"q": 1}, {"q": 2}]}'],
])('reads %s holding %j', async (name, text) => {
  expect(await read(name, text)).toEqual([{ q: 1 }, { q: 2 }]);
});

it.each([
  ['rows.csv', 'q,a\r\n1,"x, ""y"""\r\n\r\n2,"two\nlines"\r\n'],
  ['rows.csv', '\uFEFFq,a\n1,"x, ""y"""\n2,"two\nlines"'],
  ['rows.txt', 'q,a\n1,"x, ""y"""\n2,"two\nlines"\n'],
])('reads %s with values as strings', async (name, text) => {
  expect(await read(name, text)).toEqual([
    { q: '1', a: 'x, "y"' },
    { q: '2', a: 'two\nlines' },
  ]);
});

it.each([
  ['rows.json', '[]'],
  ['rows.json', '{"rows": [ \n ]}'],
  ['rows.csv', 'q,a\n'],
])('%s holding %j has no rows', async (name, text) => {
  expect(await read(name, text)).toEqual([]);
});

const numbers = [
  '{"a": 1.0, "b": [1e3, 0.5, -2.0], "c": 12345678901234567890, "d": {"e": -0.0}, "f": 7}',
  '{"a": "1.0, 2", "b": 3}',
  '{"a": "1.0, 2", "b": 3.0}',
  '{"a": "\u007F1.0", "b": 3.0}',
  '{"b": 9007199254740993, "a": 9007199254740994}',
  `{"a": 1${'0'.repeat(400)}}`,
  '{"a": "字 1.0, 2", "b": \t-3.00 }',
];

it.each([
  ['rows.jsonl', numbers.join('\n')],
  ['rows.json', `[${numbers.join(',\n')}]`],
])('keeps numbers in %s as they were written', async (name, text) => {
  expect(await read(name, text)).toEqual([
    {
      a: new Float(1),
      b: [new Float(1000), 0.5, new Float(-2)],
      c: 12345678901234567890n,
      d: { e: new Float(-0) },
      f: 7,
    },
    { a: '1.0, 2', b: 3 },
    { a: '1.0, 2', b: new Float(3) },
    { a: '\u007F1.0', b: new Float(3) },
    { b: 9007199254740993n, a: 9007199254740994n },
    { a: 10n ** 400n },
    { a: '字 1.0, 2', b: new Float(-3) },
  ]);
});

it('keeps the order of keys that are numbers', async () => {
  const text = '{"2": "b", "1": "a"}';
  const [row] = await read('rows.jsonl', `{"q": ${text}}`);
  expect(formatValue(row?.q)).toBe(text);
});

it.each([
  ['rows.jsonl', '{"__proto__": {"x": 1.5}, "constructor": "c"}'],
  ['rows.jsonl', '{"__proto__": {"x": 1.0}, "constructor": "c"}'],
  ['rows.csv', '__proto__,constructor\nx,c'],
])('%s holding %j has `__proto__` as a column', async (name, text) => {
  const [row = {}] = await read(name, text);
  expect(Object.keys(row)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});

it.each(['rows.jsonl', 'rows.json', 'rows.csv'])('reads %s across chunks', async (name) => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: String(index),
    text: `${'\\"[{,é字🂡'.repeat(index * 1_500)}\n`,
  }));
  const csv = rows.map(({ id, text }) => `${id},"${text.replaceAll('"', '""')}"`);
  const texts: Record<string, string> = {
    'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    'rows.json': JSON.stringify({ rows }, null, 1),
    'rows.csv': ['id,text', ...csv].join('\n'),
  };
  expect(await read(name, texts[name] ?? '')).toEqual(rows);
});

function nest(levels: number, open = '[', close = ']'): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

it.each(['rows.jsonl', 'rows.json'])('%s may have 200 levels and no more', async (name) => {
  const [start, end] = name === 'rows.json' ? ['[', ']'] : ['', ''];
  const [row] = await read(name, `${start}{"q": ${nest(199)}}${end}`);
  expect(JSON.stringify(row)).toBe(`{"q":${nest(199)}}`);
  for (const [levels, open, close, column] of [
    [200, '[', ']', 206],
    [100_000, '[', ']', 206],
    [100_000, '{"a":', '}', 1002],
  ] as const) {
    const text = `${start}{"q": ${nest(levels, open, close)}}${end}`;
    await expect(read(name, text)).rejects.toMatchObject({
      code: 'data.syntax',
      message: expect.stringContaining('nested more than 200 levels deep'),
      at: { line: 1, column: column + start.length },
    });
  }
});

it('a header of very many columns takes no longer for each of them', async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join();
  const start = performance.now();
  await expect(read('rows.csv', `${names}\n${names}\n`)).resolves.toHaveLength(1);
  expect(performance.now() - start).toBeLessThan(4000);
});

it.each([
  ['rows.jsonl', '{"q": 1}\n{"q": }', 'data.syntax', { line: 2, column: 7 }],
  ['rows.jsonl', '\uFEFF{"字": "字"}\n\n{"字": "字" 1}', 'data.syntax', { line: 3, column: 11 }],
  ['rows.jsonl', '{"q": 1\n"r": 2}\n', 'data.syntax', { line: 1, column: 8 }],
  ['rows.jsonl', '{"q": 1},{"q": 2}', 'data.syntax', { line: 1, column: 9 }],
  ['rows.jsonl', '{"q": [{"r": 1}\n{"r": 2}]}', 'data.syntax', { line: 1, column: 16 }],
  ['rows.jsonl', '{"q": 1}\n  [1]', 'data.not_a_row', { line: 2, column: 3 }],
  ['rows.json', '[{"q": 1},\n {"q" 2}]', 'data.syntax', { line: 2, column: 7 }],
  ['rows.json', '[{"q": 1},\n "x"]', 'data.not_a_row', { line: 2, column: 2 }],
  ['rows.json', '[{"q": 1},\n]', 'data.syntax', { line: 2, column: 1 }],
  ['rows.json', '[{"q": 1},]', 'data.syntax', { line: 1, column: 10 }],
  ['rows.json', '[{"q": 1}', 'data.syntax', { line: 1, column: 10 }],
  ['rows.jsonl', '{"q": 1}\n{"q": "a\\":", "q": 2}', 'data.duplicate_key', { line: 2, column: 15 }],
  [
    'rows.jsonl',
    '{"q": 1}\n{"q" : {"r":1, "r" :2}}',
    'data.duplicate_key',
    { line: 2, column: 16 },
  ],
  ['rows.json', '[{"q": 1},\n {"q": 1, "q": 1}]', 'data.duplicate_key', { line: 2, column: 11 }],
  [
    'rows.json',
    '[{"q": 1},\n {"q": 1, "7": 1, "7": 2}]',
    'data.duplicate_key',
    { line: 2, column: 19 },
  ],
  ['rows.json', '{"rows": [{"q": 1}],\n x}', 'data.syntax', { line: 2, column: 2 }],
  ['rows.json', '{"q": 1}', 'data.not_a_list', { line: 1, column: 1 }],
  ['rows.csv', 'q,a\n1,"x\n2,y\n', 'data.syntax', { line: 3 }],
  ['rows.csv', 'q,a\n1,2\n1,"x"y\n', 'data.syntax', { line: 3 }],
  ['rows.csv', 'q,a\n1,x"y"\n', 'data.syntax', { line: 2 }],
  ['rows.csv', 'q,a\n1,2\n1,2,3\n', 'data.syntax', { line: 3 }],
  ['rows.csv', 'q,q\n1,2\n', 'data.duplicate_column', { line: 1 }],
  ['rows.jsonl', Buffer.from('{"q": 1}\n{"q": "\xe9"}', 'latin1'), 'data.encoding', { line: 2 }],
])('says where in %s the problem of %j is', async (name, content, code, location) => {
  await expect(read(name, content)).rejects.toMatchObject({
    name: 'DataError',
    code,
    at: { file: name, ...location },
    hint: expect.any(String),
  });
});

it.each([
  ['rows.jsonl', '', 'data.empty'],
  ['rows.csv', ' \r\n\n', 'data.empty'],
  ['rows.parquet', '', 'data.empty'],
  ['rows.json', '{"a": [{"q": 1}], "b": []}', 'data.several_lists'],
  ['rows.csv', Buffer.from('q,a\n1,\xe9\n', 'latin1'), 'data.encoding'],
  ['rows.csv', Buffer.from('\uFEFFq,a\n1,2\n', 'utf16le'), 'data.encoding'],
  ['rows.jsonl.gz', Buffer.from([0x1f, 0x8b, 8, 0]), 'data.encoding'],
  ['rows.txt', 'just text', 'data.unknown_format'],
])('refuses %s holding %j', async (name, content, code) => {
  await expect(read(name, content)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(name),
    hint: expect.any(String),
  });
});

it.each([
  ['at the start', '\n{"q": 1}\n{"q": 2}\n'],
  ['with spaces', '  \t\r\n{"q": 1}\n \n\n{"q": 2}'],
  ['at the end, without a line feed', '{"q": 1}\n{"q": 2}\n  '],
])('blank lines are no rows: %s', async (_, content) => {
  const folder = await writeFiles({ 'rows.jsonl': content });
  expect(await (await openRows('rows.jsonl', { folder })).count()).toBe(2);
  expect((await read('rows.jsonl', content)).map(({ q }) => Number(q))).toEqual([1, 2]);
});

it('one list in a mapping holds the rows, whatever stands beside it', async () => {
  const rows = await read('rows.json', '{"version": 1, "data": [{"q": 1}], "other": {"q": 2}}');
  expect(rows).toHaveLength(1);
});

it('a row that cannot be read is named by its line, also far into a file', async () => {
  // Files are read in pieces of 2 MB.
  const row = `${JSON.stringify({ q: 'x'.repeat(100_000) })}\n`;
  for (const rows of [3, 30, 60]) {
    const broken = `${row.repeat(rows)}{"q": nothing}\n${row}`;
    await expect(read('rows.jsonl', broken)).rejects.toThrow(`line ${rows + 1}:`);
  }
});

it.each([
  ['[', '\n]', []],
  ['[', '\n {"q": 1}]', [{ q: 1 }]],
  ['[ ', '{"q": 1}]', [{ q: 1 }]],
  ['{"rows": [', ' ]}', []],
])('a list that begins at the end of a piece: %j, then %j', async (before, after, rows) => {
  const piece = 2 << 20;
  const text = ' '.repeat(piece - before.length) + before + after;
  expect(await read('rows.json', text)).toEqual(rows);
});

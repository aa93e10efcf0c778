import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatValue } from '../../prompt/values.ts';
import { readJson } from '../json-reader.ts';
import { areEndsWithoutExponents } from './edge-numbers.ts';
import { parseRow, parseRows } from './exact-json.ts';

const whole = fc.oneof(fc.nat(20), fc.bigInt({ min: 10n ** 14n, max: 10n ** 18n })).map(String);
const suffix = fc.constantFrom('', '', '.0', '.00', 'e0', 'E+2', 'e-1');
const number = fc.oneof(
  fc.tuple(fc.constantFrom('', '-'), whole, suffix).map((parts) => parts.join('')),
  fc.constantFrom('0.5', '-1.50', '2.5e1', '0.25E-3'),
);

const string = fc
  .oneof(fc.string(), fc.constantFrom('1.0', ', 1.0, ', '[2e3]', ':1.0}', '"', '\\', '\u007F1.0'))
  .map((text) => JSON.stringify(text));

const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom('true', 'null')),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.oneof(string, fc.constantFrom('"1"', '"0"')), tie('value')), {
      maxLength: 3,
      selector: ([key]) => JSON.parse(key),
    })
    .map((members) => `{${members.map(([key, item]) => `${key}: ${item}`).join(',')}}`),
}));

const row = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), value), {
    maxLength: 4,
    selector: ([key]) => key,
  })
  .map((members) => `{${members.map(([key, item]) => `"${key}":${item}`).join(',')}}`);

/** What a row says, told by the reader that looks at every character. */
function exactText(text: string): string {
  return formatValue(readJson(text).value);
}

it('reads rows together or apart as the slow reader does', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const expected = rows.map(exactText);
      expect(rows.map((text) => formatValue(parseRow(text)))).toEqual(expected);
      const together = parseRows(`[${rows.join(',')}]`, { count: rows.length });
      if (together) expect(together.map(formatValue)).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

const separator = fc.constantFrom(':', ': ', ' : ');
const rowOfNumbers = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'say "d"')),
    separator,
    fc.infiniteStream(fc.oneof(number, string)),
  )
  .map(([keys, colon, values]) => {
    const members = keys.map((key) => `${JSON.stringify(key)}${colon}${values.next().value}`);
    return `{${members.join(', ')}}`;
  });

it('keeps the exponents of the numbers that rows begin and end with', () => {
  fc.assert(
    fc.property(fc.array(rowOfNumbers, { minLength: 1, maxLength: 4 }), (rows) => {
      const text = `[${rows.join(',')}]`;
      let end = 0;
      const ends = rows.map((written) => (end += Buffer.byteLength(written) + 1));
      const piece = { list: Buffer.from(text), offset: 0, ends };
      const together = parseRows(text, {
        count: rows.length,
        endsWithoutExponents: () => areEndsWithoutExponents(piece),
      });
      if (together) expect(together.map(formatValue)).toEqual(rows.map(exactText));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['{"a":12,"b":"x"}', true],
  ['{"a":"x","b":-3}', true],
  ['{"a": -1.5, "b": 2}', true],
  ['{"a":"1e3"}', true],
  ['{"a":1e3,"b":"x"}', false],
  ['{"a":"x","b":1E+3}', false],
  ['{"a":"x","b":100e-2}', false],
  ['{"a":"x","b":1e3 }', false],
  ['{"a" :1e3,"b":"x"}', false],
])('%s has no exponents at its ends: %j', (text, isPlain) => {
  const piece = { list: Buffer.from(`[${text}]`), offset: 0, ends: [text.length + 1] };
  expect(areEndsWithoutExponents(piece)).toBe(isPlain);
});

it.each([
  ['[{"a": 1.0}, {"a": 2}]', 2, true],
  ['[{"a": ", 1.0, "}, {"a": 2.0}]', 2, false],
  ['[{"a": 1}]', 2, false],
  ['[{"a": {"1": 0, "0": 0}}]', 1, false],
  ['[[1]]', 1, false],
  ['[{"a": "it is 1.0, or 2e3, "}, {"a": 2}]', 2, true],
  ['[{"a": 01.0}]', 1, false],
  ['[{"a": .0}]', 1, false],
  ['[{"a": -.0}]', 1, false],
  ['[{"a": --1.0}]', 1, false],
  ['[{"a": 1.}, {"a": 1.0}]', 2, false],
  ['[{"a": 01e2}]', 1, false],
  ['[{"a": 0123456789012345678}]', 1, false],
])('%s as %d rows at once: %j', (list, count, isRead) => {
  expect(parseRows(list, { count }) !== undefined).toBe(isRead);
});

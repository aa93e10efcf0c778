import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../data/json-reader.ts';
import { CompatError } from '../compat-error.ts';
import { toPython } from '../convert.ts';
import { pyStr } from '../repr.ts';
import type { PyDict } from '../values.ts';
import { parseFormat } from './format-fields.ts';
import { formatMap } from './format-map.ts';

const file = join(import.meta.dirname, 'format-map.fixture.jsonl');
const [, ...cases] = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => toPython(readJson(line).value) as PyDict);

/** The text, or the name of the exception. */
function format(template: string, values: PyDict): string {
  const lookUp = (name: string) => (values.has(name) ? (values.get(name) ?? null) : '');
  try {
    return formatMap(parseFormat(template), lookUp);
  } catch (error) {
    if (!(error instanceof CompatError)) throw error;
    return error.pythonType;
  }
}

test('agrees with Python on all recorded templates', () => {
  const differences = cases.flatMap((recorded) => {
    const template = pyStr(recorded.get('template') ?? '');
    const values = recorded.get('values') as PyDict;
    const expected = pyStr(recorded.get('text') ?? recorded.get('error') ?? '');
    const actual = format(template, values);
    return actual === expected ? [] : [{ template, expected, actual }];
  });
  expect(cases).toHaveLength(500);
  expect(differences).toEqual([]);
});

// All expected values were printed by CPython 3.11.7.
describe('rules that are easily missed', () => {
  const values = toPython({ text: 'café', whole: 1234567, list: ['a', { k: 1 }] }) as PyDict;
  test.each([
    ['{whole:,}', '1,234,567'],
    ['{whole:012,d}', '0,001,234,567'],
    ['{whole:011,d}', '001,234,567'],
    ['{whole:_x}', '12_d687'],
    ['{whole:e}', '1.234567e+06'],
    ['{whole:%}', '123456700.000000%'],
    ['{text!a:>10}', " 'caf\\xe9'"],
    ['{text:😀^8.3}', '😀😀caf😀😀😀'],
    ['{list[1][k]}', '1'],
    ['{list[0]!r}', "'a'"],
    ['{{{text}}}', '{café}'],
    ['{missing}|{missing!r}', "|''"],
    ['{missing[0]}', 'IndexError'],
    ['{missing.x}', 'AttributeError'],
    ['{list:>3}', 'TypeError'],
    ['{text:d}', 'ValueError'],
    ['{missing.x} {', 'AttributeError'],
    ['{ {', 'ValueError'],
    ['{text:{missing:{text}}}', 'ValueError'],
    ['{}', 'ValueError'],
    ['{whole:999999999999}', 'MemoryError'],
  ])('%s', (template, expected) => {
    expect(format(template, values)).toBe(expected);
  });
});

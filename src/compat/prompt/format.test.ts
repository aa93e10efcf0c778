import { expect, test } from 'vitest';
import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { type TracedText, traceText } from '../../python/traced-text.ts';
import { PyDict } from '../../python/values.ts';
import { safeFormat } from './format.ts';

const template = (text: string): TracedText =>
  traceText(text, { type: 'literal', at: { path: ['t'], start: 0 } });

test.each<[string, [string, unknown][], string]>([
  [
    '{a} {b} {z}',
    [
      ['a', 1],
      ['b', 'x'],
    ],
    '1 x {z}',
  ],
  ['{{a}} {{{a}}}', [['a', 'V']], '{V} {{V}}'],
  ['{ a } {a:d} {a!r}', [['a', 'V']], '{ a } {a:d} {a!r}'],
  [
    '{a}',
    [
      ['a', '{b}'],
      ['b', 'X'],
    ],
    'X',
  ],
  [
    '{b}',
    [
      ['a', 'X'],
      ['b', '{a}'],
    ],
    '{a}',
  ],
  ['{a}', [['a', '{a}{a}']], '{a}{a}'],
  [
    '{x{a}}',
    [
      ['a', 'b'],
      ['xb', 'X'],
    ],
    'X',
  ],
  ['{}', [['', 'E']], 'E'],
  ['{a}', [['a', '$& $1']], '$& $1'],
  ['{a}', [['a', [1.5, null, 'x']]], "[1.5, None, 'x']"],
])('%s', (text, fields, expected) => {
  const entry = new PyDict(fields.map(([key, value]) => [key, toPython(value)]));
  expect(pyStr(safeFormat(template(text), { entry, row: 7 }))).toBe(expected);
});

test('each span says which field it is and where its placeholder was', () => {
  const entry = new PyDict([
    ['q', 'ask {a}'],
    ['a', ''],
  ]);
  const filled = safeFormat(template('Q: {q}\nA: {a}'), {
    entry,
    row: 7,
    shot: 2,
    maskedField: 'a',
  });
  const at = (start: number): object => ({ path: ['t'], start });
  expect((filled as TracedText).spans).toEqual([
    { text: 'Q: ', origin: { type: 'literal', at: at(0) } },
    { text: 'ask ', origin: { type: 'field', field: 'q', row: 7, at: at(3), shot: 2 } },
    { text: '', origin: { type: 'mask', field: 'a', at: at(3) } },
    { text: '\nA: ', origin: { type: 'literal', at: at(6) } },
    { text: '', origin: { type: 'mask', field: 'a', at: at(10) } },
  ]);
});

test.each<[unknown, unknown, string, string]>([
  [
    'x',
    new Map([['input_str', 1]]),
    'TypeError',
    "safe_format() got multiple values for argument 'input_str'",
  ],
  ['x', new Map([[1, 1]]), 'TypeError', 'keywords must be strings'],
  [null, { a: 1 }, 'AttributeError', "'NoneType' object has no attribute 'replace'"],
])('%o filled from %o', (value, row, pythonType, pythonMessage) => {
  const entry = toPython(row) as PyDict;
  expect(() => safeFormat(toPython(value), { entry, row: 0 })).toThrow(
    expect.objectContaining({ pythonType, pythonMessage }),
  );
});

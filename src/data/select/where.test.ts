import { expect, it } from 'vitest';
import { Float } from '../../prompt/values.ts';
import { compileWhere } from './where.ts';

const row = {
  level: 3,
  text: '3',
  name: "O'Neil",
  tags: ['a', 'b', 4],
  ok: true,
  none: null,
  float: new Float(2),
  big: 9007199254740993n,
  'two words': 'x',
  größe: 1.5,
  not_a: 1,
};

it.each([
  ['level == 3', true],
  ['level != 3', false],
  ['level >= 3 and level <= 3 and not level < 3', true],
  ['text > 2', true],
  ['text == 3', true],
  ['text == "3"', true],
  ['name > 2', false],
  ['float == 2 and float < 2.5', true],
  ['big > 9007199254740992 and big == 9007199254740993', true],
  ['big == 9007199254740992', false],
  ['größe == 1.5 and größe > -1e3', true],
  ["name == 'O\\'Neil'", true],
  ['name == "O\'Neil"', true],
  ['`two words` == "x"', true],
  ['none == null', true],
  ['none < 1 or none > 1 or none == 0', false],
  ['absent == null', true],
  ['ok', true],
  ['ok == true and ok != false', true],
  ['level', false],
  ['level in [1, 2, 3]', true],
  ['level not in [1, 2, 3]', false],
  ['not level in []', true],
  ["'a' in tags and 4 in tags", true],
  ['tags contains "c"', false],
  ['tags == ["a", "b", 4]', true],
  ["name contains 'Nei'", true],
  ["name ~ '^O.N' and level ~ '^\\\\d$'", true],
  ["level ~ '^\\d$' and name ~ '\\'N'", true],
  ["none ~ 'null'", false],
  ['true or false and false', true],
  ['(true or false) and false', false],
  ['not_a == 1', true],
])('%s is %j', (expression, expected) => {
  expect(compileWhere(expression).matches(row)).toBe(expected);
});

it('gives up a pattern that takes too long', () => {
  const { matches } = compileWhere("text ~ '(a+)+$'");
  expect(matches({ text: 'xaa' })).toBe(true);
  expect(() => matches({ text: `${'a'.repeat(45)}b` })).toThrow(
    expect.objectContaining({ code: 'pattern.too_slow' }),
  );
});

it('names the columns that it reads', () => {
  const { columns } = compileWhere("a == 1 and (`b c` in ['d'] or not e ~ 'f')");
  expect([...columns]).toEqual(['a', 'b c', 'e']);
});

it.each([
  ['', 1, 'expected a column or a value', 'level >= 3'],
  ['level = 3', 7, '`=` is not allowed here', 'Write == to compare.'],
  ['a == 1 && b', 8, '`&` is not allowed here', 'Write `and`.'],
  ['a == "x', 6, '`"` is not allowed here', 'closing quote'],
  ['a == ', 5, 'found `the end`', 'level >= 3'],
  ['a == and', 6, 'found `and`', 'level >= 3'],
  ['in == 3', 1, 'found `in`', 'level >= 3'],
  ['a == contains', 6, 'found `contains`', 'level >= 3'],
  ['a b', 3, 'expected `and`, `or` or the end of the condition', 'level >= 3'],
  ['(a == 1', 8, 'expected `)`', 'level >= 3'],
  ['a in [1 2]', 9, 'expected `,`', 'level >= 3'],
  ['a not == 1', 7, 'expected `in` after `not`', 'level >= 3'],
  ['a ~ b', 5, 'expected a regular expression', 'level >= 3'],
  ["a ~ '('", 5, 'Invalid regular expression', 'level >= 3'],
  ['process.exit()', 8, '`.` is not allowed here', 'level >= 3'],
])('%s is refused in column %d', (expression, column, problem, hint) => {
  const message = expect.stringMatching(/^where /);
  const error = { code: 'data.bad_where', message, hint: expect.stringContaining(hint) };
  expect(() => compileWhere(expression)).toThrow(expect.objectContaining(error));
  expect(() => compileWhere(expression)).toThrow(`column ${column}: `);
  expect(() => compileWhere(expression)).toThrow(problem);
});

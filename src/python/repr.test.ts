import { describe, expect, test } from 'vitest';
import { Float } from '../prompt/values.ts';
import { dumpJson } from './json.ts';
import { isPrintable } from './printable.ts';
import { pyRepr, pyStr } from './repr.ts';
import { PromptList, PyDict, PyObject, PyTuple, type PyValue } from './values.ts';

// recorded with Python 3.11
describe('repr of scalars', () => {
  test.each<[PyValue, string]>([
    [0, '0'],
    [-7, '-7'],
    [100000000000000000000n, '100000000000000000000'],
    [1e20, '100000000000000000000'],
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
    [new Float(1), '1.0'],
    [new Float(-0), '-0.0'],
    [0.1, '0.1'],
    [-2.5, '-2.5'],
    [new Float(1e16), '1e+16'],
    [new Float(1.5e16), '1.5e+16'],
    [new Float(9999999999999998), '9999999999999998.0'],
    [123456789.123, '123456789.123'],
    [0.0001, '0.0001'],
    [0.00012345, '0.00012345'],
    [0.00001, '1e-05'],
    [5e-324, '5e-324'],
    [new Float(1.7976931348623157e308), '1.7976931348623157e+308'],
    [Number.POSITIVE_INFINITY, 'inf'],
    [Number.NEGATIVE_INFINITY, '-inf'],
    [Number.NaN, 'nan'],
  ])('%o', (value, expected) => {
    expect(pyRepr(value)).toBe(expected);
    expect(pyStr(value)).toBe(expected);
  });
});

describe('repr of text', () => {
  test.each([
    ["it's", `"it's"`],
    ['q"q', `'q"q'`],
    [`both ' "`, `'both \\' "'`],
    ['back\\slash', `'back\\\\slash'`],
    ['\n\r\t\u0000\u001f\u007f', `'\\n\\r\\t\\x00\\x1f\\x7f'`],
    ['\u0080\u00a0\u00ad\u00ff', `'\\x80\\xa0\\xad\u00ff'`],
    ['é日本\u3000\u200b\ufeff', `'é日本\\u3000\\u200b\\ufeff'`],
    ['😀👩\u200d👧', `'😀👩\\u200d👧'`],
    ['\u2028', `'\\u2028'`],
    ['\ud800', `'\\ud800'`],
  ])('%j', (text, expected) => {
    expect(pyRepr(text)).toBe(expected);
    expect(pyStr(text)).toBe(text);
  });

  test('characters of Unicode 15 and later count as unassigned', () => {
    expect(pyRepr('\u0378\u{1f6dc}\u{1e4d0}\ue000\u{10ffff}')).toBe(
      `'\\u0378\\U0001f6dc\\U0001e4d0\\ue000\\U0010ffff'`,
    );
    expect(isPrintable(0x1f6dd)).toBe(true);
  });
});

test('repr of containers', () => {
  const dict = new PyDict([
    [1, 'x'],
    [null, ['y', new Float(2)]],
    ['k', new PyTuple([1])],
  ]);
  expect(pyStr(dict)).toBe("{1: 'x', None: ['y', 2.0], 'k': (1,)}");
  expect(pyStr([new PyTuple([]), new PyTuple([1, 'a']), new PyDict([])])).toBe(
    "[(), (1, 'a'), {}]",
  );
  expect(pyStr(new PromptList(['a']))).toBe("['a']");
});

test('json.dumps escapes all but ASCII', () => {
  const dict = new PyDict([
    ['é', '😀\u007f\n'],
    [true, null],
    [1.5, [new Float(1), Number.NaN]],
  ]);
  expect(dumpJson(dict)).toBe(
    '{"\\u00e9": "\\ud83d\\ude00\\u007f\\n", "true": null, "1.5": [1.0, NaN]}',
  );
});

test('json.dumps with options', () => {
  const dict = new PyDict([
    ['b', [1, new PyDict([])]],
    ['a', 'é\u007f'],
  ]);
  expect(dumpJson(dict, { ensureAscii: false, indent: '  ', sortKeys: true })).toBe(
    '{\n  "a": "é\u007f",\n  "b": [\n    1,\n    {}\n  ]\n}',
  );
  expect(dumpJson(dict, { separators: [',', ':'] })).toBe('{"b":[1,{}],"a":"\\u00e9\\u007f"}');
  const opaque = new PyObject('function', () => '<function f>');
  expect(pyRepr([opaque])).toBe('[<function f>]');
  expect(() => dumpJson([opaque])).toThrow('a value of type function cannot be written as JSON');
});

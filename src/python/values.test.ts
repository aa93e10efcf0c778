import { describe, expect, test } from 'vitest';
import { Float } from '../prompt/values.ts';
import { CompatError } from './compat-error.ts';
import { sortDictKeys, toPython, toTracedPython } from './convert.ts';
import { pyAdd, pyAddInPlace, pyCompare, pyContains, pyEquals, pySubscript } from './operators.ts';
import { pyStr } from './repr.ts';
import { traceText } from './traced-text.ts';
import { isTruthy, PromptList, PyDict, PyTuple, type PyValue } from './values.ts';

function errorOf(step: () => unknown): string {
  try {
    step();
  } catch (error) {
    if (error instanceof CompatError) return `${error.pythonType}: ${error.pythonMessage}`;
    throw error;
  }
  return 'no error';
}

describe('keys of a dict', () => {
  const traced = traceText('a', { type: 'literal', at: { path: [], start: 0 } });
  test.each<[PyValue, PyValue, boolean]>([
    [1, true, true],
    [1, new Float(1), true],
    [1, 1n, true],
    [0, false, true],
    [1, '1', false],
    [null, 'None', false],
    ['a', traced, true],
    [new PyTuple([1, 'a']), new PyTuple([true, 'a']), true],
    [new PyTuple(['a', 'b']), new PyTuple(['a,b']), false],
    [0.5, 0.25, false],
  ])('%o and %o', (left, right, same) => {
    expect(new PyDict([[left, 'x']]).has(right)).toBe(same);
    expect(
      new PyDict([
        [left, 'x'],
        [right, 'y'],
      ]).size,
    ).toBe(same ? 1 : 2);
  });

  test('a known key keeps its first spelling and its position', () => {
    const dict = new PyDict([
      [1, 'a'],
      ['z', 'b'],
    ]).with(true, 'c');
    expect(pyStr(dict)).toBe("{1: 'c', 'z': 'b'}");
  });

  test('lists and dicts cannot be keys', () => {
    expect(errorOf(() => new PyDict([[[], 1]]))).toBe("TypeError: unhashable type: 'list'");
    expect(errorOf(() => new PyDict([]).get(new PyDict([])))).toBe(
      "TypeError: unhashable type: 'dict'",
    );
  });
});

test.each<[PyValue, boolean]>([
  ['', false],
  ['0', true],
  [0, false],
  [new Float(0), false],
  [Number.NaN, true],
  [null, false],
  [[], false],
  [new PyTuple([]), false],
  [new PyDict([]), false],
  [new PromptList([]), false],
  [new PromptList(['']), true],
])('truth of %o is %s', (value, expected) => {
  expect(isTruthy(value)).toBe(expected);
});

test('equality is by value, through lists and dicts', () => {
  expect(pyEquals([1, new PyDict([['a', true]])], [new Float(1), new PyDict([['a', 1]])])).toBe(
    true,
  );
  expect(pyEquals(new PromptList(['a']), ['a'])).toBe(true);
  expect(pyEquals(new PyTuple(['a']), ['a'])).toBe(false);
  expect(pyEquals(null, 0)).toBe(false);
});

describe('operators and their errors', () => {
  test.each<[string, () => unknown, string]>([
    [
      'str + None',
      () => pyAdd('a', null),
      'TypeError: can only concatenate str (not "NoneType") to str',
    ],
    [
      'None + str',
      () => pyAdd(null, 'a'),
      "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'",
    ],
    [
      'in None',
      () => pyContains(null, 'a'),
      "TypeError: argument of type 'NoneType' is not iterable",
    ],
    [
      'in str',
      () => pyContains('a', 1),
      "TypeError: 'in <string>' requires string as left operand, not int",
    ],
    ['missing key', () => pySubscript(new PyDict([]), 'round'), "KeyError: 'round'"],
    [
      'str of str',
      () => pySubscript('a', 'round'),
      "TypeError: string indices must be integers, not 'str'",
    ],
    [
      'str of list',
      () => pySubscript([], 'a'),
      'TypeError: list indices must be integers or slices, not str',
    ],
    [
      'str of None',
      () => pySubscript(null, 'a'),
      "TypeError: 'NoneType' object is not subscriptable",
    ],
    ['list += int', () => pyAddInPlace([1], 2), "TypeError: 'int' object is not iterable"],
  ])('%s', (_, step, expected) => {
    expect(errorOf(step)).toBe(expected);
  });

  test('a list takes in the characters of a text', () => {
    expect(pyStr(pyAddInPlace([1], 'a😀'))).toBe("[1, 'a', '😀']");
  });
});

describe('plain values', () => {
  test('maps and objects are dicts, what is undefined is left out', () => {
    const value = toPython({ a: new Map<unknown, unknown>([[0, [undefined]]]), b: undefined });
    expect(pyStr(value)).toBe("{'a': {0: [None]}}");
  });

  test('every string of a template knows its location', () => {
    const value = toTracedPython({ round: [{ prompt: 'hi' }] }, ['t']);
    const prompt = pySubscript((pySubscript(value, 'round') as PyValue[])[0] ?? null, 'prompt');
    expect(prompt).toMatchObject({
      spans: [{ text: 'hi', origin: { at: { path: ['t', 'round', 0, 'prompt'], start: 0 } } }],
    });
  });

  test('keys are sorted by their text and code points', () => {
    const dict = new PyDict([
      ['b', 1],
      [10, 2],
      [9, 3],
      ['\u{1f600}', 4],
      [
        '\uffee',
        new PyDict([
          ['y', 0],
          ['x', 0],
        ]),
      ],
    ]);
    expect(pyStr(sortDictKeys(dict))).toBe(
      "{10: 2, 9: 3, 'b': 1, '\uffee': {'x': 0, 'y': 0}, '😀': 4}",
    );
  });

  test('functions are refused with their location', () => {
    expect(() => toTracedPython({ a: [() => 1] }, ['t'])).toThrow(
      expect.objectContaining({ code: 'compat.unsupported_value', path: ['t', 'a', 0] }),
    );
  });
});

test('order is that of Python', () => {
  const lists = [[2], [1, 5], [1]];
  expect(lists.toSorted(pyCompare)).toEqual([[1], [1, 5], [2]]);
  expect(['😀', '\uffff'].toSorted(pyCompare)).toEqual(['\uffff', '😀']);
  expect(pyCompare(2n ** 60n, new Float(2 ** 60))).toBe(0);
  expect(pyCompare(Number.NaN, 1)).toBeNaN();
  expect(() => pyCompare('1', 1)).toThrow('values of types str and int have no order');
});

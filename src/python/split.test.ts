import { expect, test } from 'vitest';
import { lineEndRanges, type Range, type SplitOptions, splitRanges } from './split.ts';

function between(text: string, cuts: readonly Range[]): string[] {
  const starts = [0, ...cuts.map(([, end]) => end)];
  return starts.map((start, index) => text.slice(start, cuts[index]?.[0]));
}

// recorded with Python 3.11, but for the white space at the ends
test.each<[string, SplitOptions, string[]]>([
  ['a  b\u3000c', { separator: undefined, limit: 1, from: 'left' }, ['a', 'b\u3000c']],
  ['a  b c', { separator: undefined, limit: 1, from: 'right' }, ['a  b', 'c']],
  ['a,b,,c', { separator: ',', limit: 2, from: 'right' }, ['a,b', '', 'c']],
  ['a,b', { separator: ',', limit: 0, from: 'left' }, ['a,b']],
  ['aaa', { separator: 'aa', limit: -1, from: 'right' }, ['a', '']],
  ['aaa', { separator: 'aa', limit: undefined, from: 'left' }, ['', 'a']],
])('%j split by %j', (text, options, expected) => {
  expect(between(text, splitRanges(text, options).cuts)).toEqual(expected);
});

test('an empty separator is refused, and lines end as in Python', () => {
  const options: SplitOptions = { separator: '', limit: undefined, from: 'left' };
  expect(() => splitRanges('ab', options)).toThrow('the separator is empty');
  expect(between('a\x1cb\r\nc\n', lineEndRanges('a\x1cb\r\nc\n'))).toEqual(['a', 'b', 'c', '']);
});

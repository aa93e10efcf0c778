import { expect, test } from 'vitest';
import { choicesInAnswer } from './answer-choices.ts';

// Scores of the original's model classes are compared with recorded ones in test/conformance.

// Places as CPython 3.11's `re.search` finds them.
test.each([
  ['2.5%', '215%', 0],
  ['a$', 'xa\n', 1],
  ['a.b', 'a\rb', 0],
  ['a.b', 'a\nb', undefined],
  ['\\d', 'x３', 1],
  ['\\w', '-ア', 1],
  ['{', 'a{', 1],
  ['a{}', 'xa{}', 1],
  ['a{,2}b', 'caab', 1],
  ['[a-c]+', 'xxcab', 2],
  ['[]x]', 'a]', 1],
  ['[\\d%]', 'あ5', 1],
  ['[&&]', 'a&', 1],
  ['[^ア]', 'アアイ', 2],
  ['(?P<n>b)', 'ab', 1],
  ['A＋B(注)', 'A＋B注', 0],
  ['a|b', 'xb', 1],
  ['^b', 'ab', undefined],
  ['x', '𠮷x', 1],
])('%j in %j', (choice, answer, place = Number.POSITIVE_INFINITY) => {
  const [found] = choicesInAnswer(answer, [choice], { alsoNormalized: false });
  expect(found?.logLikelihood).toBe(-place);
});

test.each(['*a', 'a)', '(', '[a', '+'])('%j is no pattern', (choice) => {
  expect(() => choicesInAnswer('a', [choice], { alsoNormalized: false })).toThrow(
    expect.objectContaining({ code: 'model.bad_choice_pattern', retryable: false }),
  );
});

test('one leading space belongs to the delimiter', () => {
  const found = choicesInAnswer(' a', [' a', '  a'], { alsoNormalized: false });
  expect(found).toEqual([
    { logLikelihood: -1, isFirst: false },
    { logLikelihood: -0, isFirst: true },
  ]);
});

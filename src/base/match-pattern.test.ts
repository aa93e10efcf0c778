import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlowPattern } from './heavy-work.ts';
import { patternMatcher } from './match-pattern.ts';

function outcome(pattern: RegExp, text: string): string {
  try {
    return patternMatcher(pattern)(text)?.[0] ?? 'no match';
  } catch (error) {
    return isSlowPattern(error) ? error.code : String(error);
  }
}

const letters = `${'a'.repeat(45)}b`;

test.each<[RegExp, string]>([
  [/(?<!x)(a+)+\1$/iu, letters],
  [/.*.*.*.*=/, 'a'.repeat(3000)],
])('%s is given up', (pattern, text) => {
  expect(outcome(pattern, text)).toBe('pattern.too_slow');
});

test('the error says which pattern, which still works on other texts', () => {
  const matchOf = patternMatcher(/(a+)+$/u);
  expect(() => matchOf(letters)).toThrow(
    expect.objectContaining({
      code: 'pattern.too_slow',
      message: 'the pattern `(a+)+$` takes more than a second on a text of 46 characters',
      hint: expect.stringContaining('(a+)+'),
    }),
  );
  expect(matchOf('baa')?.[0]).toBe('aa');
});

test('errors of a pattern that is watched are its own', () => {
  const pattern = /(a+)+/;
  pattern.exec = () => {
    throw new RangeError('no');
  };
  expect(outcome(pattern, letters)).toBe('RangeError: no');
});

test('whether it is watched or not, a pattern finds what it finds', () => {
  const pieces = ['a', 'b', ' ', 'ab', '12', '.', '#', 'Answer: ', '\n'];
  const parts = [
    ...['a', '[ab]', '\\d', '(a|b)', '(a+)', '\\s', '.', '(?:ab)', '(?=b)', 'Answer: ', '#', '\\.'],
    ...[
      'a*',
      'b+?',
      '\\d{1,3}',
      '(ab)*',
      '(a|b)+',
      'x?',
      '(\\w+)',
      '(\\w+\\s?)*',
      '^',
      '$',
      '|',
      '\\b',
    ],
  ];
  const source = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 });
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 });
  fc.assert(
    fc.property(source, text, fc.constantFrom('u', 'iu', 'du', 's'), (source, text, flags) => {
      const pattern = new RegExp(source.join(''), flags);
      const searched = text.join('');
      expect(patternMatcher(pattern)(searched)).toEqual(pattern.exec(searched));
    }),
  );
});

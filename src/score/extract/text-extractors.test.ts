import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Extractor, runChain, within } from './extractor.ts';
import { afterMarker, boxed } from './marked-answer.ts';
import { firstNumber, lastNumber } from './number-extractors.ts';
import { firstOption } from './option-extractors.ts';
import { firstLine, regex, trimmed } from './text-extractors.ts';

const answer = afterMarker(['####', 'Answer:']);

test.each<[Extractor, string, string | undefined]>([
  [trimmed, '  a b \n', 'a b'],
  [trimmed, ' \u3000\n', undefined],
  [firstLine, '\n \n one \r\ntwo', 'one'],
  [firstLine, '', undefined],
  [regex(/\d+/), 'a 12 34', '12'],
  [regex(/x=(\d+)/g), 'y=1 x=2 x=3', '2'],
  [regex(/(?<name>b)c/, 'name'), 'abc', 'b'],
  [regex(/(a)(b)?/, 2), 'a', undefined],
  [regex(/a( *)/), 'a  ', undefined],
  [regex(/a/, 3), 'a', undefined],
  [boxed, 'so \\boxed{ \\frac{1}{2} } ok', '\\frac{1}{2}'],
  [boxed, '\\boxed{1} then \\boxed{2}', '2'],
  [boxed, '\\boxed{\\boxed{5}}', '5'],
  [boxed, '\\boxed{a\\}b}', 'a\\}b'],
  [boxed, '\\fbox{B}', 'B'],
  [boxed, '\\boxed{1} \\boxed{2', '1'],
  [boxed, '}} \\boxed{}', undefined],
  [answer, 'work\n#### 18\n', '18'],
  [answer, 'Answer: 1\nanswer： 2 ', '2'],
  [answer, '**Answer:** **B**', 'B'],
  [answer, '**ANSWER**: B\n**Answer:**\n\n  C \nD', 'C'],
  [answer, 'Answer:', undefined],
  [afterMarker(['(.*']), 'x (.* y', 'y'],
  [within(boxed, lastNumber), '1 \\boxed{x = 2,000 m} 3', '2000'],
  [within(boxed, lastNumber), '1 \\boxed{x}', undefined],
])('%o of %j', ({ extract }, text, expected) => {
  expect(extract(text)?.value).toBe(expected);
});

test('a chain stops at the first extractor that finds something', () => {
  expect(runChain([boxed, answer, lastNumber], 'Answer: 7 or 8')).toEqual({
    found: { value: '7 or 8', start: 8, end: 14 },
    tried: ['boxed', 'after-marker'],
  });
  expect(runChain([boxed, lastNumber], 'x')).toEqual({
    found: undefined,
    tried: ['boxed', 'last-number'],
  });
});

test('an inner extractor keeps the position in the whole text', () => {
  const text = 'so \\boxed{ x = ７ }';
  const found = within(boxed, firstNumber).extract(text);
  expect(text.slice(found?.start, found?.end)).toBe('７');
});

const verbatim = [trimmed, firstLine, boxed, answer, regex(/\w+(.*)/s)];
const others = [firstNumber, lastNumber, firstOption([{ label: 'A' }]), within(answer, boxed)];
const pieces = [
  '\\boxed{',
  '{',
  '}',
  '\\',
  'Answer:',
  '####',
  '*',
  '\n',
  ' ',
  'A',
  '７',
  '1,',
  '𝐀',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

test('no extractor throws, finds blank text, or leaves the text', () => {
  fc.assert(
    fc.property(text, (text) => {
      for (const { extract } of [...verbatim, ...others]) {
        const found = extract(text);
        if (!found) continue;
        expect(found.value.trim()).not.toBe('');
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeLessThanOrEqual(text.length);
        expect(found.start).toBeLessThan(found.end);
      }
      for (const { extract } of verbatim) {
        const found = extract(text);
        expect(text.slice(found?.start ?? 0, found?.end ?? 0)).toBe(found?.value ?? '');
      }
    }),
    { numRuns: 1000 },
  );
});

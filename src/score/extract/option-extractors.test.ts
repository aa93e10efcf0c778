import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstOption, lastOption } from './option-extractors.ts';
import type { Option } from './option-texts.ts';

const letters = (labels: string): Option[] => Array.from(labels, (label) => ({ label }));
const abcd = letters('ABCD');
const cities: Option[] = [
  { label: 'A', text: 'Rome' },
  { label: 'B', text: 'New Rome' },
  { label: 'C', text: 'Paris.' },
  { label: 'D', text: 'Vitamin C' },
];

test.each([
  ['B', 'B'],
  [' (b) ', 'B'],
  ['Ｂ', 'B'],
  ['**C**', 'C'],
  ['C. Paris', 'C'],
  ['(D) because A and B are wrong', 'D'],
  ['d', 'D'],
  ['- B', 'B'],
  ['The answer is B.', 'B'],
  ['The answer is (B), not A.', 'B'],
  ['The correct answer is: **D**', 'D'],
  ['**Answer:** C', 'C'],
  ['**Answer**: c', 'C'],
  ['Answer:\nB', 'B'],
  ['Final answer — B', 'B'],
  ['The answer to the question is option C.', 'C'],
  ['The answer is $\\boxed{D}$.', 'D'],
  ['\\boxed{\\text{B}}', 'B'],
  ['The answer is A because it is so.', 'A'],
  ['The answer is A given all of it.', 'A'],
  ['The answer is a tricky thing; I choose D', 'D'],
  ["I'd go with option B here, A is tempting", 'B'],
  ['A is wrong, B is not right, D is the correct answer and C is bad', 'D'],
  ['The answer is not A but B', 'B'],
  ['A and B are wrong, so C.', 'C'],
  ['A train leaves, so B', 'B'],
  ["Let's think. Clearly it is C", 'C'],
  ['答えはB', 'B'],
  ['答えはBです。', 'B'],
  ['正解：Ｃ', 'C'],
  ['正解は「Ａ」です', 'A'],
  ['正解はAではなくDです', 'D'],
  ['選択肢Aは誤り。選択肢Cが正しい。', 'C'],
  ['Bが正解です。Aは誤りです。', 'B'],
  ['答案是C', 'C'],
  ['答案：（D）', 'D'],
  ['选项A错误，故选B。', 'B'],
  ['A项不对，C是正确的', 'C'],
  ['因此，正确选项是 D', 'D'],
])('%j: first and last are %s', (text, expected) => {
  expect(firstOption(abcd).extract(text)?.value).toBe(expected);
  expect(lastOption(abcd).extract(text)?.value).toBe(expected);
});

test.each([
  ['B or rather D', 'B', 'D'],
  ['Answer: A. Wait. Answer: C', 'A', 'C'],
  ['答えはA。いや、答えはD', 'A', 'D'],
  ['maybe C, maybe D', undefined, undefined],
])('%j: first %s, last %s', (text, first, last) => {
  expect(firstOption(abcd).extract(text)?.value).toBe(first);
  expect(lastOption(abcd).extract(text)?.value).toBe(last);
});

test.each([
  '',
  "Let's think",
  'BAD CAB',
  'ABCD',
  'A train leaves the station',
  'vitamin-D, C++, C#, D.C., A-level, B12, A.1',
  'The answer cannot be A.',
  'It can’t be A',
  '答案不可能是A',
  'The answer is A or B',
  'Answer: (A/B/C/D)',
  'A) one\nB) two\nC) three\nD) four',
  'E',
  'アメリカ',
])('%j names no option', (text) => {
  expect(firstOption(abcd).extract(text)).toBeUndefined();
  expect(lastOption(abcd).extract(text)).toBeUndefined();
});

test.each([
  ['Rome', 'A'],
  ['It must be new rome!', 'B'],
  ['paris', 'C'],
  ['Vitamin C', 'D'],
  ['"Paris."', 'C'],
  ['Rome or Paris', undefined],
  ['Romeo', undefined],
  ['Paris is it, so A', 'A'],
])('with texts on offer %j is %s', (text, expected) => {
  expect(lastOption(cities).extract(text)?.value).toBe(expected);
});

test.each([
  ['1234', '3つの要素から、正解は2', '2'],
  ['1234', 'There are 3 steps. (4)', '4'],
  ['1234', '12 apples, 3.5 pears', undefined],
  ['アイウエ', '正解はイです', 'イ'],
  ['アイウエ', 'アメリカではウが正しい', 'ウ'],
  ['①②③', '答え：③', '③'],
  ['AI', 'I think it is A', 'A'],
  ['ＡＢ', 'answer: b', 'Ｂ'],
  [']^', 'answer: ]', ']'],
  ['', 'A', undefined],
])('labels %s: %j is %s', (labels, text, expected) => {
  expect(lastOption(letters(labels)).extract(text)?.value).toBe(expected);
});

test('labels may be words', () => {
  const words = [{ label: 'yes' }, { label: 'no' }, { label: 'unknown' }];
  expect(firstOption(words).extract('Yes, although nobody knows')?.value).toBe('yes');
  expect(lastOption(words).extract('I do not know. Answer: UNKNOWN')?.value).toBe('unknown');
});

test('the position is that of the label in the text as written', () => {
  const text = '正解は、（Ｃ）です';
  expect(lastOption(abcd).extract(text)).toEqual({ value: 'C', start: 5, end: 6 });
  expect(lastOption(cities).extract('I say: new rome.')).toEqual({ value: 'B', start: 7, end: 15 });
});

const pieces = fc.constantFrom(
  ...['A', 'B', 'a', 'Ｃ', ' ', '\n', '(', ')', '*', 'answer', ' is ', ':', '答えは', '选', '.'],
  ...['or', 'not ', 'Rome', '\\boxed{', '}', '、', 'x'],
);
const texts = fc.oneof(
  fc.array(pieces).map((parts) => parts.join('')),
  fc.string(),
);

test('any text gives an option on offer, read from within the text, or nothing', () => {
  const first = firstOption(cities);
  const last = lastOption(cities);
  fc.assert(
    fc.property(texts, (text) => {
      const found = [first.extract(text), last.extract(text)];
      expect(found[0] === undefined).toBe(found[1] === undefined);
      for (const { value, start, end } of found.filter((entry) => entry !== undefined)) {
        const written = text.slice(start, end).normalize('NFKC').toLowerCase();
        expect(cities.map(({ label }) => label)).toContain(value);
        expect([value.toLowerCase(), 'rome', 'new rome', 'paris', 'vitamin c']).toContain(written);
      }
      expect(found[0]?.start ?? 0).toBeLessThanOrEqual(found[1]?.start ?? 0);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['10', '10'],
  ['The answer is 12.', '12'],
  ['The answer is 1.', '1'],
  ['(11)', '11'],
])('of labels that begin alike the longest is read: %j', (text, expected) => {
  const twelve = Array.from({ length: 12 }, (_, index) => ({ label: String(index + 1) }));
  expect(lastOption(twelve).extract(text)?.value).toBe(expected);
  expect(lastOption([...twelve].reverse()).extract(text)?.value).toBe(expected);
});

test.each([
  ...['A, B, C, D', 'A\nB\nC\nD', 'Options: A B C D', 'A, B', 'A\nB', 'B、C', 'A，B', 'A; B'],
  ...['(A), (B)', '(A) (B)', '- A\n- B', 'A.\nB.', '**A**, **B**', 'A, or B', 'A, B, and C'],
  ...['A or B', 'A/B/C/D', 'The answer is A, B.', '答案是B、C', '正解はA、Bです', 'A | B'],
])('%j lists labels and settles on none', (text) => {
  expect(firstOption(abcd).extract(text)).toBeUndefined();
  expect(lastOption(abcd).extract(text)).toBeUndefined();
});

test.each([
  ['A, B, C, D: the answer is B', 'B'],
  ['Out of A, B, C and D, the answer is C.', 'C'],
  ['The answer is B, C is wrong', 'B'],
  ['The answer is B, C has the wrong unit', 'B'],
  ['The answer is B (not A, C, D)', 'B'],
  ['B\nA is too small', 'B'],
  ['B\nB', 'B'],
  ['B, B', 'B'],
  ['A\nNo, wait.\nC', 'C'],
  ['The answer is C\n\nA. too small\nB. too big', 'C'],
])('%j is no list: %s', (text, expected) => {
  expect(lastOption(abcd).extract(text)?.value).toBe(expected);
});

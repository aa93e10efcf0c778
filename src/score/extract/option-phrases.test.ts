import { expect, test } from 'vitest';

import { firstOption, lastOption } from './option-extractors.ts';
import { leavesOpen } from './option-phrases.ts';
import type { Option } from './option-texts.ts';

const words =
  'or,and,to,through,vs,versus,plus,as well as,along with,and/or,oder,und,bis,ou,et,o,y,e,of,en,lub,eller,veya,ve,или,и,либо,أو,و,hoặc,và,atau,dan,หรือ,และ';
const signs =
  '/ & + ~ 〜 … .. ... < <= > >= = ≥ ≤ → ⇒ ≻ ≺ ≈ ⟶ -> => --> \\ または もしくは あるいは および 及び と か や 或 或者 和 与 與 及 以及 还是 還是 또는 혹은 와 과 및 이나 나';

test.each(words.split(','))('%j between two labels leaves open which one is meant', (word) => {
  expect(leavesOpen(` ${word} `)).toBe(true);
  expect(leavesOpen(`) ${word.toUpperCase()} (`)).toBe(true);
  expect(leavesOpen(`, ${word} option `)).toBe(true);
  expect(leavesOpen(`x${word}x`)).toBe(false);
});

test.each(signs.split(' '))('%j between two labels leaves open which one is meant', (sign) => {
  for (const between of [sign, ` ${sign} `, `) ${sign} (`]) {
    expect([between, leavesOpen(between)]).toEqual([between, true]);
  }
});

test.each([' because ', ' but not ', '. ', ' is wrong, ', ''])('%j does not', (between) => {
  expect(leavesOpen(between)).toBe(false);
});

const letters = (labels: string): Option[] => Array.from(labels, (label) => ({ label }));
const first = (text: string, options = letters('ABCD')) =>
  firstOption(options).extract(text)?.value;

test.each([
  // Options of the question, repeated, are not chosen.
  ['(A) red (B) green (C) blue. The answer is (B).', 'B'],
  ['(A) red (B) green', undefined],
  ['A=1, B=2, so B', 'B'],
  ['A) red\nB) green\nI choose B', 'B'],
  ['(B) green (C) blue', 'B'],
  ['Answers: A) red B) green C) blue', undefined],
  ['The answer is A) red, B) green', 'A'],
  // Each option judged.
  ['A: wrong\nB: right\nC: wrong\nD: wrong', 'B'],
  ['A ✗ B ✓ C ✗ D ✗', 'B'],
  ['A is wrong. B is wrong. C is wrong.', 'D'],
  ['A and B are wrong. C is wrong.', 'D'],
  ['A is wrong. B is wrong.', undefined],
  ['A ✓ B ✓ C ✗ D ✗', undefined],
  ['A ✗ B ✗ C ✗ D ✗', undefined],
  // What is left open, or hedged.
  ['A or B', undefined],
  ['The answer is A or B', undefined],
  ['Either A or B. The answer is B.', 'B'],
  ['maybe A, maybe B', undefined],
  ['maybe A', 'A'],
  ['Maybe A. The answer is C.', 'C'],
  ['A, B, C', undefined],
  ['A\nB', undefined],
  // Retracted, excepted, reasoned.
  ['Everything except C is wrong', 'C'],
  ['B, because A is too long', 'B'],
  ['Vitamin C', undefined],
  ['Plan B', undefined],
  ['', undefined],
  ['nothing here', undefined],
])('%j is %s', (text, label) => {
  expect(first(text)).toBe(label);
});

test('labels are read near the start and the end of an answer', () => {
  const around = (count: number) =>
    `${'x C '.repeat(count)}The answer is B. ${'x C '.repeat(count)}`;
  expect(first(around(900))).toBe('B');
  expect(first(around(999))).toBe('B');
  expect(first(around(1100))).not.toBe('B');
});

test.each([
  ['Rome', 'A'],
  [' "Rome." ', 'A'],
  ['**rome**', 'A'],
  ['It is Rome.', 'A'],
  ['New Rome', 'B'],
  ['It is New Rome, of course', 'B'],
  ['Rome or Paris', undefined],
  ['Paris', undefined],
  ['..', undefined],
])('by its text %j is %s', (text, label) => {
  const cities: Option[] = [
    { label: 'A', text: 'Rome' },
    { label: 'B', text: 'New Rome' },
    { label: 'C', text: 'Paris' },
    { label: 'D', text: 'Paris' },
  ];
  expect(first(text, cities)).toBe(label);
});

test('what is said last takes back what was said before', () => {
  const text = 'The answer is A. Wait, no, B.';
  expect(lastOption(letters('ABCD')).extract(text)?.value).toBe('B');
});

test('what is found stands in the text', () => {
  for (const [text, written] of [
    [' ** Rome ** ', 'Rome'],
    ['The answer is (B), of course', 'B'],
    ['A: wrong\nB: right\nC: wrong', 'B'],
  ]) {
    const options = [{ label: 'A', text: 'Rome' }, { label: 'B' }, { label: 'C' }];
    const found = firstOption(options).extract(text ?? '');
    expect((text ?? '').slice(found?.start, found?.end)).toBe(written);
  }
});

test('options without labels have none that is mentioned', () => {
  expect(first('A', [{ label: '', text: 'x' }])).toBeUndefined();
});

import { expect, test } from 'vitest';
import { firstOption } from './first-option.ts';

test.each([
  ['The answer is (B).', 'B'],
  ['Because of A. The answer is D', 'D'],
  ['答案选项为 (**C**)', 'C'],
  ['The correct answer is: \\(x\n\\boxed{B}\\), not A there', 'B'],
  ['A, B; so 答案是C或D。', 'C'],
  ['答案是BA', 'B'],
  ['答案应该是xDB。', 'B'],
  ['1. none of them, so\nD or C', 'C'],
])('%j settles on %s', (text, expected) => {
  expect(firstOption({ options: 'ABCD', cushion: false })(text)).toBe(expected);
});

test.each([
  ['two phrases run together: the first alone is not enough', '故 B 故意', ''],
  ['two phrases run together', '故 B只有选项C是对的', 'B'],
  ['a letter between spaces counts at the start only', 'so B is it', ''],
  ['a letter at the start', 'B is it', 'B'],
  ['an earlier letter between spaces does not hide a later phrase', 'x A y 1) B z', 'B'],
  ['lower-case answers are found and then lost', 'ANSWER: c', ''],
  ['the class ends with a dollar sign, not the end', 'B$ x', 'B'],
])('keeps the quirk: %s', (_, text, expected) => {
  expect(firstOption({ options: 'ABCD', cushion: false })(text)).toBe(expected);
});

test('the cushion takes a letter with a colon, then any letter, by position in the text', () => {
  const find = firstOption({ options: 'ABCD' });
  expect(find('ANSWER: c')).toBe('A');
  expect(find('(A) or D: good')).toBe('D');
  expect(find('xD A y')).toBe('D');
  expect(find('none')).toBe('');
});

test('dotted and dotless i are taken for an i when case is ignored', () => {
  const find = firstOption({ options: 'HI', cushion: false });
  expect(find('AnſWER : I x')).toBe('I');
  expect(['ı', 'İ', 'i'].map((letter) => find(`answer: ${letter}, answer: I x`))).toEqual([
    '',
    '',
    '',
  ]);
});

test('options are characters, not pieces of a pattern', () => {
  expect(firstOption({ options: ']^-\\' })('答案是-')).toBe('-');
  expect(firstOption({ options: '𝐀𝐁' })('答案是𝐁𝐀')).toBe('𝐁');
  expect(firstOption({ options: '' })('答案是B')).toBe('');
});

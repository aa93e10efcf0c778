import { expect, it } from 'vitest';
import { openingsOf } from './scorer-of.ts';

it.each([
  ['Add.\n\nSum: {sum}\nResult:', ['Sum:']],
  ['What is {sum}?', ['What is']],
  ['Question {sum}', []],
  ['1) {sum}', []],
  ['问题：{sum}', ['问题：']],
  ['(a) {sum}', ['(a)']],
  ['{sum}', []],
  [`${'x'.repeat(400_000)}{sum}`, []],
])('%.20j begins questions with %j', (template, openings) => {
  expect(openingsOf({ promptTemplate: { config: { template } } })).toEqual(openings);
});

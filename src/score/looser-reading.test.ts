import { expect, test } from 'vitest';
import { compileScorer } from './compile-scorer.ts';
import { withLooser } from './looser-reading.ts';
import { splitAnswer } from './split-thought.ts';

/** What a scorer makes of an answer: right, wrong, without a score, or one of these with a mark. */
function end(type: string, answer: string, gold: unknown, options: object = {}): string {
  const scorer = compileScorer({ evaluator: { type, ...options } });
  const input = { answer: splitAnswer(answer), gold, row: {} };
  const score = withLooser(scorer, input, scorer.score(input));
  const outcome = score.type === 'scored' ? String(score.value) : score.type;
  return score.looser ? `${outcome}, looser` : outcome;
}

test.each([
  ['80 000 dollars', '80000', '1'],
  ['it is 80000 (2 steps)', '80000', '1'],
  ['It is 80 000 dollars (in 2 steps).', '80000', '1'],
  ['80,000.00 yen [see 3]', '80000', '1'],
  ['80000円（2回）', '80000', '1'],
  ['The result is 1,234.50', '1234.5', '1'],
  ['1.234,50', '1234.5', '1'],
  ['-3', '-3', '1'],
  ['The answer is − 3', '-3', '1'],
  ['1.5e3', '1500', '1'],
  ['It takes 2 hours (120 minutes)', '120', '1'],
  ['It is 1.5 million (1,500,000)', '1500000', '1'],
  ['3(4) = 12', '12', '1'],
  ['f(2) is 5 (mod 7)', '5', '1'],
  ['The answer is not 41 but 42', '42', '1'],
  ['The answer is not 41 but 42, by rule 3', '41', '0, looser'],
  ['The answer is not 40% but 50%', '0.5', '1'],
  ['The answer is not 41. It is 42.', '42', '1'],
  ['Step 3 is done. The answer is not 41.', '41', 'unscored, looser'],
  ['The answer isn’t 5', '5', 'unscored, looser'],
  ['The answer cannot be 5. Rule 3.', '5', 'unscored, looser'],
  ['The answer is not 5. The answer is 6.', '6', '1'],
  ['The answer is not an integer: 2.5', '2.5', '1'],
  ['It is 42 (not 43), not 44', '42', '1'],
  ['It is 42; 41 is wrong', '42', '1'],
  ['答えは5ではありません。', '5', 'unscored, looser'],
  ['答えは5ではなく6です', '6', '1'],
  ['答案不是5', '5', 'unscored, looser'],
  ['答案不是5，而是6', '6', '1'],
  ['The answer is negative 3.', '-3', '1'],
  ['minus 3', '3', '0, looser'],
  ['91 is not prime', '91', '1'],
  ['2^3', '3', '0, looser'],
  ['$80k', '80000', '0, looser'],
  ['about 1.5 million', '1500000', '0, looser'],
  ['80.000 Euro', '80000', '1'],
  ['1,5 liters', '1.5', '1'],
  ['80000, in 2 steps', '80000', '0, looser'],
  ['First 42. No, 41.', '42', '0, looser'],
  ['100 200 300', '300', '0, looser'],
  ['from - 7 on', '-7', '0, looser'],
  ['41', '42', '0'],
  ['7', '-7', '0'],
  ['142', '42', '0'],
  ['12345678901234567891', '12345678901234567890', '0'],
  ['12345678901234567890, then 1', '12,345,678,901,234,567,890', '0, looser'],
  ['none', '42', 'unscored'],
  ['<think>42</think>41', '42', '0'],
])('number: %s for %s', (answer, gold, expected) => {
  expect(end('number', answer, gold)).toBe(expected);
});

test.each<[type: string, answer: string, gold: unknown, expected: string, options?: object]>([
  ['exact', 'Paris', 'Paris', '1'],
  ['exact', 'It is paris.', 'Paris', '0, looser'],
  ['exact', 'Ｐａｒｉｓ', 'Paris', '0, looser'],
  ['exact', 'Parish', 'Paris', '0'],
  ['exact', 'B or A', 'A', '0'],
  ['exact', 'The answer is (B), not A.', 'B', '0, looser'],
  ['exact', 'The answer is (B), not A.', 'A', '0'],
  ['exact', '<think>A or C?</think>So \\boxed{C}.', '(C)', '0, looser'],
  ['exact', 'A cat sat on a mat', 'A', '0'],
  ['exact', 'E. Because it rained', 'E', '0'],
  ['exact', 'C', 'A', '0'],
  ['regex', 'I choose D.', 'D', 'unscored, looser', { pattern: 'answer: (.*)', group: 1 }],
  ['exact', 'in New  York', ['Rome', 'New York'], '0, looser'],
  ['exact', 'It is 1,000.', '1000', '0, looser'],
  ['regex', 'so paris', 'Paris', 'unscored, looser', { pattern: 'answer: (.*)', group: 1 }],
  ['choice', 'no idea', 'B', 'unscored', { options: 'ABCD' }],
  ['length', 'It is Paris.', 'Paris', '0', { max: 5 }],
  ['is-json', 'It is Paris.', 'Paris', '0'],
  ['is-json', 'It is Paris.', ['Paris'], '0'],
])('%s: %s for %j', (type, answer, gold, expected, options) => {
  expect(end(type, answer, gold, options)).toBe(expected);
});

test.each([
  ['no', '0'],
  ['x y', '0'],
  [`It is ${'Y'.repeat(40_000)}.`, '0, looser'],
  [`${'y'.repeat(40_001)}`, '0'],
])('a gold answer of 40,000 letters: %.8s', (answer, expected) => {
  expect(end('exact', answer, 'y'.repeat(40_000))).toBe(expected);
});

import { expect, test } from 'vitest';
import { runChain } from '../extract/extractor.ts';
import { splitAnswer } from '../split-thought.ts';
import { lastFormula } from './formula-extractors.ts';
import { answerFormula, mathEqual } from './math-equal.ts';

test.each([
  ['so $x = 2$, $y = 3$', 'y = 3'],
  ['so $x = 2$, $x = 3$', 'x = 2, x = 3'],
  ['so $x = 2$ and $y = 3$', 'x = 2, y = 3'],
  ['so $x = 2$ and $3 < 4$', '3 < 4'],
])('%s: the answer is %s', (text, value) => {
  expect(lastFormula.extract(text)?.value).toBe(value);
});

test.each([
  ['Thus $x=3$.\n<answer>7</answer>', '7'],
  ['<think>x</think><answer>x^2+1</answer>', 'x^2+1'],
  ['Thus $x=3$.\n<answer>\\sqrt{2}</answer>', '\\sqrt 2'],
  ['<answer>(1,2)</answer>', '(1,2)'],
  ['<answer>$x = 2$ or $x=3$</answer>', '2, 3'],
  ['<answer>The answer is x^2</answer>', 'x^2'],
  ['<answer>42</answer>\nConfidence: 95%', '42'],
  ['<answer>7 apples</answer>, with $n = 3$', '7'],
  ['1/3 (≈0.333)', '1/3'],
  ['1/3 (≈0.333)', '0.333'],
  ['The answer is 1/3 (approximately 0.333).', '1/3'],
  ['### Final Answer\n\n\\[\nx^2\n\\]\n\n### Notes\n\\( n = 3 \\)', 'x^2'],
  ['The answer is -3.5e-2.', '-0.035'],
  ['2.5e+04', '25000'],
  ['2e - 3', '2e-3'],
])('%j is %s to math', (text, gold) => {
  const { found } = runChain(answerFormula, text);
  const input = { answer: splitAnswer(text) };
  expect(mathEqual()(found?.value ?? '', gold, input)?.value).toBe(1);
});

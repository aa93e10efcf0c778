import { expect, test } from 'vitest';
import { lastFormula } from './formula-extractors.ts';

test.each([
  ['so $x = 2$, $y = 3$', 'y = 3'],
  ['so $x = 2$, $x = 3$', 'x = 2, x = 3'],
  ['so $x = 2$ and $y = 3$', 'x = 2, y = 3'],
  ['so $x = 2$ and $3 < 4$', '3 < 4'],
])('%s: the answer is %s', (text, value) => {
  expect(lastFormula.extract(text)?.value).toBe(value);
});

import { expect, test } from 'vitest';
import { resultNumber } from './number-extractors.ts';

test.each([
  ['24 students (12 boys and 12 girls)', '24'],
  ['24 students (12 boys and 11 girls)', '11'],
])('%s comes to %s', (text, value) => {
  expect(resultNumber.extract(text)?.value).toBe(value);
});

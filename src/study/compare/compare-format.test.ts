import { expect, test } from 'vitest';
import { formatSignedInterval, formatSizes } from './compare-format.ts';
import type { Assessment, Scale } from './comparison.ts';

const shares: Scale = { metric: 'accuracy', direction: 'higher', isShare: true };
const grades: Scale = { ...shares, metric: 'grade', isShare: false };

test.each([
  [shares, 0.0003, 0.21, '[+0.03, +21.00]'],
  [shares, -0.004, 0, '[−0.4, 0.0]'],
  [shares, -0.012, 0.052, '[−1.2, +5.2]'],
  [grades, -0.00004, 0.5, '[−0.00004, +0.50000]'],
])('an end that is not 0 does not look like it', (scale, low, high, text) => {
  const interval = { low, high, level: 0.95 };
  expect(formatSignedInterval({ interval } as unknown as Assessment, scale)).toBe(text);
});

test('sizes that differ are seen to', () => {
  expect(formatSizes([0.02504, 0.025], shares)).toEqual(['2.504 points', '2.500 points']);
  expect(formatSizes([0.03, 0.025], shares)).toEqual(['3.0 points', '2.5 points']);
});

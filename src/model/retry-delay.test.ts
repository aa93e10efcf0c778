import { describe, expect, test } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

const keys = Array.from({ length: 400 }, (_, index) => `key ${index}`);

function delays(attempt: number, retryAfterMs?: number): number[] {
  return keys.map((key) => retryDelayMs(key, attempt, retryAfterMs));
}

describe('the wait before the next attempt', () => {
  test.each([
    [1, 200],
    [2, 400],
    [3, 800],
    [8, 25_600],
    [9, 30_000],
    [40, 30_000],
  ])(
    'attempt %d waits about %d ms, and keys spread over half to one and a half of it',
    (attempt, middle) => {
      const found = delays(attempt);
      const [least, most] = [Math.min(...found), Math.max(...found)];
      expect(least).toBeGreaterThanOrEqual(0.5 * middle);
      expect(least).toBeLessThan(0.52 * middle);
      expect(most).toBeLessThan(1.5 * middle);
      expect(most).toBeGreaterThan(1.48 * middle);
      const mean = found.reduce((sum, delay) => sum + delay, 0) / found.length;
      expect(Math.abs(mean / middle - 1)).toBeLessThan(0.06);
      expect(new Set(found).size).toBe(keys.length);
    },
  );

  test('what the server asks for is waited for, and a little more that keys spread over', () => {
    const found = delays(3, 5000);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(5020);
    expect(Math.max(...found)).toBeLessThan(5060);
    expect(Math.max(...found) - Math.min(...found)).toBeGreaterThan(35);
  });

  test('the same request waits as long each time, and another attempt otherwise', () => {
    expect(delays(2)).toEqual(delays(2));
    const ratios = delays(2).map((delay, index) => delay / Number(delays(3)[index]));
    expect(new Set(ratios).size).toBeGreaterThan(300);
  });
});

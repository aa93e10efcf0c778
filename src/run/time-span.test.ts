import { expect, it, onTestFinished, vi } from 'vitest';
import { TimeSpan } from './time-span.ts';

it('does not end before it began, nor last a day longer, where clocks are set', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-02T12:00:00Z') });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const span = new TimeSpan();
  vi.setSystemTime(Date.parse('2026-03-01T12:00:00Z'));
  expect(span.now() >= span.startedAt).toBe(true);
  vi.setSystemTime(Date.parse('2026-03-03T12:00:00Z'));
  expect(span.ms).toBeLessThan(60_000);
  expect(span.now()).toBe('2026-03-03T12:00:00.000Z');
});

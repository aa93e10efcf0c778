import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { controlOf } from '../../run/run-control.ts';
import type { ModelRun } from '../../run/run-model.ts';
import { describeTerminal } from '../terminal.ts';
import { Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run of 1,000 rows, and what it shows on a stream. */
function watch({ isTTY, delayMs = 0 }: { isTTY: boolean; delayMs?: number }) {
  const counts = { resumed: 100, scored: 0, unscored: 0, failed: 0, outputTokens: 0 };
  const task = { counts, countAll: async () => 1000 };
  const run = { evaluations: [task], pacer: { inFlight: 7, delayMs: () => delayMs } };
  const shown: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => shown.push(text) };
  const target = stream as unknown as NodeJS.WriteStream;
  const progress = new Progress(controlOf([run as unknown as ModelRun]), {
    stream: target,
    terminal: describeTerminal(target),
  });
  return { progress, counts, shown };
}

it('elsewhere than on a terminal a line tells rows, rate, tokens, failures and time left', async () => {
  const { progress, counts, shown } = watch({ isTTY: false });
  await vi.advanceTimersByTimeAsync(4000);
  expect(shown).toEqual([]);
  Object.assign(counts, { scored: 398, failed: 2, outputTokens: 1234 });
  await vi.advanceTimersByTimeAsync(1000);
  progress.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual([
    '500/1000 rows · 5 s left · 100/s · 2 failed · 7 in flight · 1234 tokens out · 100 reused\n',
  ]);
});

it('a server that asks for patience is waited for visibly', async () => {
  const { shown } = watch({ isTTY: false, delayMs: 120_000 });
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown[0]).toContain('7 in flight · told to wait 2 min');
});

it('on a terminal one line is rewritten, cut to its width, and removed', async () => {
  const { progress, counts, shown } = watch({ isTTY: true });
  Object.assign(counts, { scored: 398, failed: 2, outputTokens: 1234 });
  await vi.advanceTimersByTimeAsync(2000);
  progress.stop();
  expect(shown).toHaveLength(11);
  const lines = shown.map((text) => text.replace('\r\x1b[2K', '>'));
  expect(lines[0]).toMatch(/^>500 rows · /);
  expect(lines[9]).toMatch(/^>500\/1000 rows · \d+ s left · /);
  expect(lines[9]).toHaveLength(60);
  expect(lines[10]).toBe('>');
});

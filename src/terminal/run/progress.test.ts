import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-width';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { controlOf } from '../../run/run-control.ts';
import type { ModelRun, SlowRequest } from '../../run/run-model.ts';
import { zeroCounts } from '../../run/stored-evaluation.ts';
import { describeTerminal } from '../terminal.ts';
import { Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers().stubEnv('TERM', 'xterm'));
afterEach(() => void vi.useRealTimers().unstubAllEnvs());

interface Watched {
  readonly isTTY: boolean;
  readonly delayMs?: number;
  readonly slowest?: SlowRequest;
  /** Further datasets. */
  readonly named?: readonly string[];
}

/** A run of 1,000 rows, and what it shows on a stream. */
function watch({ isTTY, delayMs = 0, slowest, named = [] }: Watched) {
  const counts = { ...zeroCounts(), resumed: 100 };
  const others = named.map((dataset) => ({
    counts: { ...zeroCounts(), scored: 5, scoreSum: 4 },
    countAll: async () => 10,
    evaluation: { model: { name: 'tiny' }, task: { name: dataset } },
  }));
  const task = {
    counts,
    countAll: async () => 1000,
    evaluation: { model: { name: 'tiny' }, task: { name: 'sums' } },
  };
  const evaluations = [task, ...others];
  const run = { evaluations, slowest, pacer: { inFlight: 7, delayMs: () => delayMs } };
  const shown: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => shown.push(text) };
  const target = stream as unknown as NodeJS.WriteStream;
  const progress = new Progress(controlOf([run as unknown as ModelRun]), {
    stream: target,
    terminal: describeTerminal(target),
  });
  return { progress, counts, shown };
}

it('elsewhere than on a terminal a line tells rows, rate of this start, tokens, failures and time left', async () => {
  const { progress, counts, shown } = watch({ isTTY: false });
  await vi.advanceTimersByTimeAsync(4000);
  expect(shown).toEqual([]);
  Object.assign(counts, {
    scored: 398,
    scoreSum: 199,
    failed: 2,
    inputTokens: 5000,
    outputTokens: 1234,
  });
  await vi.advanceTimersByTimeAsync(1000);
  progress.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual([
    '500/1,000 rows · score 50.0 so far · 7 s left · 80/s · 2 failed · 7 in flight · 1,234 tokens out · 1,000/s in, 247/s out · 100 reused\n',
  ]);
});

it('a terminal that can take nothing back gets lines without control sequences', async () => {
  vi.stubEnv('TERM', 'dumb');
  const { progress, shown } = watch({ isTTY: true });
  await vi.advanceTimersByTimeAsync(5000);
  progress.stop();
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatch(/^100\/1,000 rows · .*\n$/);
  expect(stripVTControlCharacters(shown[0] ?? '')).toBe(shown[0]);
});

it('a run in which nothing moves any more is not said to take thousands of years', async () => {
  const { counts, shown } = watch({ isTTY: false });
  counts.scored = 400;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(shown.at(-1)).toMatch(/^500\/1,000 rows · score 0\.0 so far · 0\/s · /);
});

it('a server that asks for patience is waited for visibly', async () => {
  const { shown } = watch({ isTTY: false, delayMs: 120_000 });
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown[0]).toContain('rows · waiting 2 min: the server asked for a pause · ');
});

it('a request that waits for long is named', async () => {
  const slowest = { dataset: 'sums', id: 17, waitedMs: 125_000 };
  const { shown } = watch({ isTTY: false, slowest });
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown[0]).toContain('7 in flight · row 17 of sums waiting for 2 min');
});

it('several evaluations have a line each, which the next ones take the place of', async () => {
  const { counts, progress, shown } = watch({ isTTY: true, named: ['words', 'reviews'] });
  Object.assign(counts, { scored: 400, scoreSum: 100 });
  await vi.advanceTimersByTimeAsync(1400);
  const [, , , , , , last = ''] = shown;
  expect(last.startsWith('\r\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K')).toBe(true);
  const [sums, words, reviews, sum] = stripVTControlCharacters(last).replace('\r', '').split('\n');
  expect(sums).toBe('tiny on sums    ██████████░░░░░░░░░░ 500/1,000 · score 25.0');
  expect(words).toBe('tiny on words   ██████████░░░░░░░░░░ 5/10 · score 80.0 so f');
  expect(reviews).toMatch(/^tiny on reviews ██/);
  expect(sum).toMatch(/^█{10}░{10} 510\/1,020 rows · score 26\.3 so far/);
  progress.stop();
  expect(shown.at(-1)).toBe(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(3)}`);
});

it('names of wide characters take two columns each: no line reaches the end of the screen', async () => {
  const { progress, counts, shown } = watch({
    isTTY: true,
    named: ['四択問題', '四択問題と記述式の問題の両方を含む長い名前', 'two\nlines'],
  });
  Object.assign(counts, { scored: 400, scoreSum: 100 });
  await vi.advanceTimersByTimeAsync(1400);
  progress.stop();
  const lines = stripVTControlCharacters(shown.at(-2) ?? '')
    .replace('\r', '')
    .split('\n');
  expect(lines).toHaveLength(5);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThan(60);
  const [bar] = lines.slice(0, 3).map((line) => stringWidth(line.slice(0, line.indexOf('█'))));
  expect(lines[1]).toMatch(/^tiny on 四択問題 +█/);
  expect(stringWidth((lines[1] ?? '').replace(/█.*/, ''))).toBe(bar);
});

it('on a terminal one line is rewritten, cut to its width, and removed', async () => {
  const { progress, counts, shown } = watch({ isTTY: true });
  Object.assign(counts, { scored: 398, failed: 2, outputTokens: 1234 });
  await vi.advanceTimersByTimeAsync(2000);
  progress.stop();
  expect(shown).toHaveLength(11);
  const lines = shown.map((text) => text.replace('\r\x1b[2K', '>'));
  expect(lines[0]).toMatch(/^>500 rows · /);
  expect(lines[9]).toMatch(/^>█{10}░{10} 500\/1,000 rows · /);
  expect(lines[9]).toHaveLength(60);
  expect(lines[10]).toBe('>');
});

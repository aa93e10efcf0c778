import type { MetricResult, RunSummary, TaskResult } from '../run/summary.ts';

/** A result for tests: 83.2 on 1,000 rows, all scored. */
export function sampleResult(change: Partial<TaskResult> = {}): TaskResult {
  return {
    model: 'small-chat',
    dataset: 'arithmetic',
    metric: 'accuracy',
    score: { value: 0.832, low: 0.811, high: 0.853, level: 0.95, method: 'bootstrap' },
    rows: { total: 1000, scored: 1000, unscored: 0, failed: 0, missing: 0 },
    reasons: [],
    tokens: { input: 120_000, output: 4000 },
    requests: { sent: 990, cached: 0, shared: 10, asked: 990, resumed: 0 },
    seconds: 62.4,
    promptHash: '0123456789abcdef',
    ...change,
  };
}

/** Further metrics for tests: a share, and a number of its own kind of which less is better. */
export const sampleMetrics: readonly MetricResult[] = [
  {
    name: 'rouge2',
    score: { value: 0.4, low: 0.38, high: 0.42, level: 0.95, method: 'bootstrap' },
  },
  {
    name: 'cer',
    score: { value: 0.12345, low: 0.1, high: 0.15, level: 0.95, method: 'bootstrap' },
    direction: 'lower',
    plain: true,
  },
];

/** A run for tests, of one result unless others are given. */
export function sampleSummary(change: Partial<RunSummary> = {}): RunSummary {
  return {
    name: 'first-run',
    version: '0.1.0',
    startedAt: '2025-03-01T10:00:00.000Z',
    finishedAt: '2025-03-01T10:01:02.400Z',
    complete: true,
    results: [sampleResult()],
    groups: [],
    ...change,
  };
}

import { expect, test } from 'vitest';
import type { TaskResult } from '../../run/summary.ts';
import type { SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { describeSweepGate, holdSweep } from './sweep-gates.ts';

const interval = { value: 0.9, low: 0.8, high: 1, level: 0.95, method: 'wilson' } as const;

function gateOf(
  failUnder: number,
  {
    a = {},
    b = {},
    kind = {},
  }: { a?: Partial<TaskResult['rows']>; b?: Partial<TaskResult['rows']>; kind?: object },
) {
  const cells = ['a', 'b'].map((template) => ({
    abbr: `sums.${template}`,
    settings: { template },
  }));
  const sheet = { model: 'm', dataset: 'sums', metric: 'accuracy', ...kind, cells };
  const best = { model: 'm', datasets: ['sums'], settings: { template: 'a' }, honest: interval };
  const summary = { sheets: [sheet], best: [best] } as unknown as SweepSummary;
  const result = (dataset: string, rows: Partial<TaskResult['rows']>) =>
    ({
      ...{ model: 'm', dataset },
      rows: { total: 40, scored: 40, unscored: 0, failed: 0, missing: 0, ...rows },
    }) as TaskResult;
  const [gate] = holdSweep(summary, failUnder, [result('sums.a', a), result('sums.b', b)]);
  return gate && { ...gate, told: describeSweepGate(gate) };
}

test('rows of the best configuration that failed count as wrong', () => {
  expect(gateOf(0.8, { a: { scored: 30, failed: 10 } })).toMatchObject({
    passed: false,
    got: expect.closeTo(0.675),
    told: 'Gate failed: m on sums: 67.5 to expect of the best configuration with 10 of 40 rows that failed counted as wrong, needs at least 80.0',
  });
  expect(gateOf(0.6, { a: { scored: 30, failed: 10 } })).toMatchObject({ passed: true });
});

test('rows that failed in other configurations do not', () => {
  expect(gateOf(0.8, { b: { scored: 0, failed: 40 } })).toMatchObject({
    passed: true,
    told: 'Gate passed: m on sums: 90.0 to expect of the best configuration, needs at least 80.0',
  });
});

test('answers without a score do not pass where lower is better', () => {
  const kind = { metric: 'ter', direction: 'lower' };
  expect(gateOf(0.95, { kind, a: { scored: 39, unscored: 1 } })).toMatchObject({
    passed: false,
    problem: 'uncounted_rows',
    told: 'Gate failed: m on sums: 90.0 to expect of the best configuration, 1 of 40 rows not scored, and not allowed, needs at least 95.0',
  });
  expect(gateOf(0.95, { kind })).toMatchObject({ passed: true });
});

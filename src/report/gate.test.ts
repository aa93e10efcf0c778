import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Gate } from '../config/gate.ts';
import type { RowCounts, RunSummary, TaskResult } from '../run/summary.ts';
import type { Estimate } from '../stats/estimate.ts';
import { describeGates } from './describe-gates.ts';
import { exitCodeOf, failedGates, holdToGate } from './gate.ts';
import { sampleResult, sampleSummary } from './sample-summary.ts';

const estimate = (value: number): Estimate => ({
  ...{ value, low: value, high: value, level: 0.95, method: 'wilson' },
});

/** A result whose rows ended in these ways, as a run would sum it up. */
function resultOf(
  { right = 0, wrong = 0, unscored = 0, thrown = 0, failed = 0, missing = 0 },
  change: Partial<TaskResult> = {},
): TaskResult {
  const scored = right + wrong;
  const without = unscored + thrown + failed;
  const { score: _, ...sample } = sampleResult({ model: 'm', dataset: 'd' });
  return {
    ...sample,
    ...(scored > 0 && { score: estimate(right / scored) }),
    ...(scored > 0 && without > 0 && { allRows: estimate(right / (scored + without)) }),
    rows: {
      total: scored + without + missing,
      scored,
      unscored: unscored + thrown,
      failed,
      missing,
    },
    ...(thrown > 0 && { scorerFailed: thrown }),
    ...change,
  };
}

function held(result: TaskResult, gate: Gate): RunSummary {
  const complete = result.rows.missing === 0;
  return sampleSummary({ complete, results: [result], gates: holdToGate(result, gate) });
}

const half = { right: 2, wrong: 1, unscored: 1, failed: 2 };
const { allRows: _, ...uncounted } = resultOf(half);
const asMetric = (value: number) => ({ name: 'pass@1', score: estimate(value) });

test.each<[string, TaskResult, Gate, code: number, lines: string[]]>([
  ['no gate', resultOf({ right: 2, wrong: 1 }), {}, 0, []],
  [
    'reached',
    resultOf({ right: 2, wrong: 1 }),
    { failUnder: 0.6 },
    0,
    ['Gate passed: m on d: accuracy 66.7, needs at least 60.0'],
  ],
  [
    'not reached',
    resultOf({ right: 2, wrong: 1 }),
    { failUnder: 0.7 },
    1,
    ['Gate failed: m on d: accuracy 66.7, needs at least 70.0'],
  ],
  [
    'unscored rows are wrong ones',
    resultOf({ right: 2, wrong: 1, unscored: 3 }),
    { failUnder: 0.6 },
    1,
    [
      'Gate failed: m on d: accuracy 66.7 with 3 of 6 rows not scored counted as wrong = 33.3, needs at least 60.0',
    ],
  ],
  ['unscored rows without a gate', resultOf({ right: 1, unscored: 3 }), {}, 0, []],
  [
    'too many unscored rows',
    resultOf({ right: 2, unscored: 2 }),
    { maxUnscored: { rows: 1 } },
    1,
    ['Gate failed: m on d: 2 of 4 rows not scored, allowed 1'],
  ],
  [
    'failed rows, with or without a gate',
    resultOf({ right: 9, failed: 1 }),
    { failUnder: 0.9 },
    3,
    ['Gate failed: m on d: 1 of 10 rows failed, allowed 0'],
  ],
  [
    'failed rows that are allowed are wrong ones',
    resultOf({ right: 9, failed: 1 }),
    { failUnder: 0.95, allowFailed: { share: 0.1 } },
    1,
    [
      'Gate failed: m on d: accuracy 100.0 with 1 of 10 rows not scored counted as wrong = 90.0, needs at least 95.0',
    ],
  ],
  [
    'failed rows that are allowed',
    resultOf({ right: 9, failed: 1 }),
    { failUnder: 0.9, allowFailed: { rows: 1 } },
    0,
    ['All 2 gates passed.'],
  ],
  [
    'a scorer that failed',
    resultOf({ right: 1, thrown: 2 }),
    {},
    3,
    ['Gate failed: m on d: the scorer failed on 2 of 3 rows, allowed 0'],
  ],
  [
    'nothing but failures, though allowed',
    resultOf({ failed: 2, thrown: 1 }),
    { allowFailed: { share: 1 } },
    3,
    ['Gate passed: m on d: 2 of 3 rows failed, the scorer failed on 1 of 3 rows, allowed 100%'],
  ],
  [
    'no score',
    resultOf({ unscored: 2 }),
    { failUnder: 0 },
    1,
    ['Gate failed: m on d: no row has a score, needs at least 0.0'],
  ],
  [
    'missing rows never pass',
    resultOf({ right: 2, missing: 1 }),
    { failUnder: 0, maxUnscored: { share: 1 } },
    3,
    [
      'Gate failed: m on d: 0 of 3 rows not scored, 1 of 3 rows missing, allowed 100%',
      'Gate failed: m on d: accuracy 100.0, 1 of 3 rows missing, needs at least 0.0',
    ],
  ],
  [
    'less is better',
    resultOf({ right: 1, wrong: 1 }, { metric: 'cer', direction: 'lower' }),
    { failUnder: 0.4 },
    1,
    ['Gate failed: m on d: cer 50.0, needs at most 40.0'],
  ],
  [
    'rows that a metric cannot count as wrong',
    { ...uncounted, metric: 'f1' },
    { failUnder: 0.1, allowFailed: { rows: 2 } },
    1,
    ['Gate failed: m on d: f1 66.7, 3 of 6 rows not scored, and not allowed, needs at least 10.0'],
  ],
  [
    'such rows, where they are allowed',
    { ...uncounted, metric: 'f1' },
    { failUnder: 0.1, allowFailed: { rows: 2 }, maxUnscored: { rows: 1 } },
    0,
    ['All 3 gates passed.'],
  ],
  [
    'a share asked of a grade',
    resultOf({ right: 1 }, { metric: 'grade', plain: true, score: estimate(5.5) }),
    { failUnder: 0.8 },
    1,
    [
      'Gate failed: m on d: grade 5.5, which is not a share; use `fail_under: { grade: … }`, needs at least 0.8',
    ],
  ],
  [
    'a grade asked of a grade',
    resultOf({ right: 1 }, { metric: 'grade', plain: true, score: estimate(5.5) }),
    { failUnder: { grade: 6 } },
    1,
    ['Gate failed: m on d: grade 5.5, needs at least 6'],
  ],
  [
    'a score that is lower by less than is shown of others',
    resultOf({ right: 1 }, { score: estimate(0.79996) }),
    { failUnder: 0.8 },
    1,
    ['Gate failed: m on d: accuracy 79.996, needs at least 80.000'],
  ],
  [
    'a further metric',
    resultOf({ right: 1, wrong: 1 }, { metrics: [asMetric(0.4)] }),
    { failUnder: { accuracy: 0.5, 'pass@1': 0.5 } },
    1,
    ['Gate failed: m on d: pass@1 40.0, needs at least 50.0'],
  ],
  [
    'a metric that is not there',
    resultOf({ right: 1 }, { metrics: [asMetric(1)] }),
    { failUnder: { acuracy: 0.5 } },
    1,
    [
      'Gate failed: m on d: no row has a score of acuracy; metrics: accuracy, pass@1, needs at least 50.0',
    ],
  ],
  [
    'samples without a score',
    resultOf({ right: 4 }, { samples: { asked: 8, unscored: 3 }, allRows: estimate(0.625) }),
    { failUnder: 0.9 },
    1,
    [
      'Gate failed: m on d: accuracy 100.0 with 3 of 8 samples not scored counted as wrong = 62.5, needs at least 90.0',
    ],
  ],
  [
    'more samples without a score than rows may have none',
    resultOf({ right: 20 }, { samples: { asked: 60, unscored: 40 }, allRows: estimate(1 / 3) }),
    { maxUnscored: { rows: 3 } },
    1,
    ['Gate failed: m on d: 0 of 20 rows and 40 of 60 samples not scored, allowed 3'],
  ],
  [
    'a larger share of samples than of rows',
    resultOf({ right: 19, unscored: 1 }, { samples: { asked: 57, unscored: 3 } }),
    { maxUnscored: { share: 0.05 } },
    1,
    ['Gate failed: m on d: 1 of 20 rows and 3 of 57 samples not scored, allowed 5%'],
  ],
  [
    'as many samples without a score as are allowed',
    resultOf({ right: 20 }, { samples: { asked: 60, unscored: 3 } }),
    { maxUnscored: { rows: 3 } },
    0,
    ['Gate passed: m on d: 0 of 20 rows and 3 of 60 samples not scored, allowed 3'],
  ],
])('%s', (_, result, gate, code, lines) => {
  const summary = held(result, gate);
  expect(describeGates(summary)).toEqual(lines);
  expect(exitCodeOf(summary)).toBe(code);
});

const outcomes = fc.record({
  right: fc.nat(6),
  wrong: fc.nat(6),
  unscored: fc.nat(4),
  thrown: fc.nat(2),
  failed: fc.nat(3),
  missing: fc.nat(2),
});
const limit = fc.oneof(
  fc.nat(6).map((rows) => ({ rows })),
  fc.nat(100).map((percent) => ({ share: percent / 100 })),
);
const gate = fc.record(
  {
    failUnder: fc.nat(20).map((part) => part / 20),
    maxUnscored: limit,
    allowFailed: limit,
  },
  { requiredKeys: [] },
);

/** What the documentation says, in other words than the code. */
function expectedCode(rows: RowCounts, thrown: number, right: number, held: Gate): number {
  const { failUnder, maxUnscored, allowFailed = { rows: 0 } } = held;
  const most = (wanted: NonNullable<Gate['maxUnscored']>) =>
    'rows' in wanted ? wanted.rows : Math.floor(wanted.share * rows.total + 1e-6);
  const failures = rows.failed + thrown;
  if (rows.missing > 0 || failures > most(allowFailed)) return 3;
  if (failures > 0 && failures === rows.total) return 3;
  if (maxUnscored && rows.unscored > most(maxUnscored)) return 1;
  if (failUnder === undefined) return 0;
  return rows.scored === 0 || right < Number(failUnder) * rows.total - 1e-6 ? 1 : 0;
}

test('drawn results and gates give the exit code that the rules give', () => {
  fc.assert(
    fc.property(outcomes, gate, (counts, drawn) => {
      const result = resultOf(counts);
      const summary = held(result, drawn);
      const code = expectedCode(result.rows, counts.thrown, counts.right, drawn);
      expect(exitCodeOf(summary)).toBe(code);
      if (code === 1) expect(failedGates(summary).length).toBeGreaterThan(0);
      expect(describeGates(summary).some((line) => line.startsWith('Gate failed'))).toBe(
        failedGates(summary).length > 0,
      );
    }),
    { numRuns: 500 },
  );
});

test('a gate passes only if every row without an answer could be wrong', () => {
  fc.assert(
    fc.property(outcomes, gate, (counts, drawn) => {
      const result = resultOf(counts);
      if (exitCodeOf(held(result, drawn)) !== 0) return;
      expect(counts.right).toBeGreaterThanOrEqual(
        Number(drawn.failUnder ?? 0) * result.rows.total - 1e-9,
      );
    }),
  );
});

test.each([
  ['cost: no price or token counts', 3],
  ['no price or token counts', 3],
  ['number abc: unusable gold answer', 3],
  ['f: the function gave no number', 3],
  ['empty answer', 0],
])('a run in which no row has a score because of “%s” ends with %s', (reason, code) => {
  const result = resultOf({ unscored: 2 }, { reasons: [{ reason, rows: 2 }] });
  expect(exitCodeOf(held(result, {}))).toBe(code);
  const others = resultOf({ right: 1, unscored: 1 }, { reasons: [{ reason, rows: 1 }] });
  expect(exitCodeOf(held(others, {}))).toBe(0);
});

import type { Comparison, TaskComparison } from '../../study/compare/comparison.ts';

/** A task for tests: B is 3.1 points better on 500 rows. */
export function sampleTask(change: Partial<TaskComparison> = {}): TaskComparison {
  return {
    name: 'sums',
    a: { model: 'm', dataset: 'sums' },
    b: { model: 'm', dataset: 'sums' },
    scale: { metric: 'accuracy', direction: 'higher', isShare: true },
    pairing: {
      by: 'content',
      rows: 502,
      moved: 0,
      unpaired: { a: 0, b: 0 },
      otherPrompts: 502,
    },
    unscored: { a: 2, b: 0 },
    leftOut: [{ reason: 'unscored in A (no answer found)', rows: 2, ids: [3, 9] }],
    result: {
      pairs: 500,
      a: 0.832,
      b: 0.863,
      difference: 0.031,
      interval: { value: 0.031, low: 0.01, high: 0.052, level: 0.95, method: 'score' },
      p: 0.004,
      test: { type: 'mcnemar', onlyA: 8, onlyB: 23, both: 408, neither: 61, midP: 0.003 },
      neededPairs: 530,
      detectable: 0.032,
    },
    verdict: { type: 'b-better', text: 'B is better by 3.1 points, 95% interval [1.0, 5.2].' },
    regressions: 8,
    flips: {
      total: 31,
      shown: [
        {
          a: { id: 17, score: 0, prompt: '1 + 1 =', answer: 'It is <3>.', extracted: '3' },
          b: { id: 17, score: 1, prompt: 'Sum: 1 + 1 =', answer: 'It is <2>.', extracted: '2' },
          gold: '2',
        },
      ],
    },
    ...change,
  };
}

/** A comparison for tests, of one task unless others are given. */
export function sampleComparison(change: Partial<Comparison> = {}): Comparison {
  return {
    a: { folder: 'runs/short', models: ['m'] },
    b: { folder: 'runs/long', models: ['m'] },
    level: 0.95,
    differences: [
      { kind: 'prompts', isSame: false, note: 'in 502 of 502 rows', changes: [] },
      { kind: 'model', isSame: true, changes: [] },
      {
        kind: 'settings',
        isSame: false,
        changes: [{ path: 'template', a: '{q} =', b: 'Sum: {q} =' }],
      },
    ],
    tasks: [sampleTask()],
    onlyIn: { a: [], b: [] },
    warnings: [
      'A (runs/short) lacks 2 rows; only the rows reached count, and they are not a random sample.',
    ],
    ...change,
  };
}

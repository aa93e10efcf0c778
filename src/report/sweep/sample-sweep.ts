import type { SweepSummary } from '../../study/sweep/sweep-summary.ts';

const score = (value: number) =>
  ({ value, low: value - 0.05, high: value + 0.05, level: 0.95, method: 'bca' }) as const;

/** A sweep for tests: two templates, of which the first is better. */
export const sampleSweep: SweepSummary = {
  name: 'wording',
  version: '0.1.0',
  level: 0.95,
  complete: true,
  requests: { sent: 400, reused: 80 },
  axes: [{ axis: 'template', values: ['plain', 'polite'] }],
  sheets: [
    {
      model: 'small',
      dataset: 'sums',
      metric: 'accuracy',
      rows: 120,
      cells: [
        { abbr: 'plain', settings: { template: 'plain' }, score: score(0.6) },
        { abbr: 'polite', settings: { template: 'polite' }, score: score(0.5) },
      ],
      templates: [
        { template: 'plain', score: score(0.6) },
        { template: 'polite', score: score(0.5) },
      ],
      comparisons: [],
      remarks: [],
    },
  ],
  best: [
    {
      model: 'small',
      datasets: ['sums'],
      title: 'No clear winner',
      text: 'plain leads with 60.0, but none of 2 can be told apart from it on these rows.',
      settings: { template: 'plain' },
      of: 2,
      leaders: [{ template: 'plain' }, { template: 'polite' }],
      naive: 0.6,
      choices: [],
    },
  ],
  flips: [],
};

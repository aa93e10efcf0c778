import { expect, test } from 'vitest';
import type { SheetSummary, SweepSummary } from '../../run/sweep-summary.ts';
import { heatMapOf, shadeOf } from './heat-map.ts';
import { sweepCsv } from './sweep-csv.ts';
import { sweepHtml } from './sweep-html.ts';
import { sweepMarkdown } from './sweep-markdown.ts';
import { sweepTerminal } from './sweep-terminal.ts';

const score = (value: number) =>
  ({ value, low: value - 0.05, high: value + 0.05, level: 0.95, method: 'bca' }) as const;
const cell = (template: string, shots: string, value: number) => ({
  abbr: `${template}.${shots}`,
  settings: { template, shots },
  score: score(value),
});

const sheet: SheetSummary = {
  model: 'small',
  dataset: 'sums',
  metric: 'accuracy',
  rows: 120,
  cells: [
    cell('plain', '0', 0.4),
    cell('plain', '4', 0.8),
    cell('<q>', '0', 0.1),
    cell('<q>', '4', 0.5),
  ],
  templates: [
    { template: 'plain', score: score(0.6) },
    { template: '<q>', score: score(0.3) },
  ],
  spread: { range: 0.3, deviation: 0.212, worst: '<q>' },
  variance: [
    { source: 'template', variance: 0.1, share: 0.25, isClipped: false },
    { source: 'rest', variance: 0.3, share: 0.75, isClipped: false },
  ],
  comparisons: [
    {
      axis: 'template',
      a: 'plain',
      b: '<q>',
      difference: { ...score(-0.3), low: -0.4, high: -0.2 },
      test: 'permutation',
      p: 0.0001,
      adjustedP: 0.0002,
      isDifferent: true,
    },
    {
      axis: 'shots',
      a: '0',
      b: '4',
      difference: score(0.01),
      test: 'permutation',
      p: 0.4,
      adjustedP: 0.4,
      isDifferent: false,
    },
  ],
  changing: {
    share: score(0.5),
    rows: 60,
    most: [
      {
        id: 7,
        gold: '42',
        cells: [
          { abbr: 'plain.0', score: 1, template: 'plain', prompt: '<i>40+2', answer: '42' },
          { abbr: '<q>.0', score: 0, template: '<q>', prompt: 'x', answer: '41' },
        ],
      },
    ],
  },
  remarks: ['2 rows left out.'],
};

const summary: SweepSummary = {
  name: 'a sweep',
  version: '1.2.3',
  level: 0.95,
  complete: true,
  requests: { sent: 400, reused: 80 },
  axes: [{ axis: 'template', values: ['plain', '<q>'] }],
  sheets: [sheet],
  best: [
    {
      model: 'small',
      datasets: ['sums'],
      template: 'plain',
      naive: 0.6,
      honest: score(0.58),
      optimism: 0.02,
      choices: [{ template: 'plain', share: 1 }],
    },
  ],
  flips: [],
};

test('a heat map has a line for each template, best first, and a column for each count', () => {
  const map = heatMapOf(sheet);
  expect(map.columns).toEqual(['0-shot', '4-shot']);
  expect(map.rows.map(({ name, scores }) => [name, ...scores])).toEqual([
    ['plain', 0.4, 0.8],
    ['<q>', 0.1, 0.5],
  ]);
  expect([0.1, 0.8].map((value) => shadeOf(value, map))).toEqual([0, 1]);
  expect(shadeOf(0.45, map)).toBeCloseTo(0.5);
  expect(shadeOf(0.3, { ...map, rows: [{ name: 'x', scores: [0.3] }] })).toBe(1);
});

test('the terminal shows it without colours', () => {
  expect(sweepTerminal(summary, { width: 80, color: false })).toMatchInlineSnapshot(`
    "small on sums  accuracy, 120 rows

    template  0-shot  4-shot   all, 95 % interval
    plain     40.0 ▒  80.0 █   60.0 [55.0, 65.0]
    <q>       10.0    50.0 ▒   30.0 [25.0, 35.0]

    Spread     30.0 points between the best template (plain) and the worst (<q>);
               standard deviation 21.2 points.
    Variance   template 25 %, rest 75 %.
    Rows       60 of 120 rows (50 %, interval 45 % to 55 %) are right with one
               template and wrong with another.
    Templates  plain over <q> +30.0 [+20.0, +40.0], p < 0.001.
    Shots      cannot be told apart.
    Note       2 rows left out.

    Best template
      plain: 58.0 [53.0, 63.0] expected on other rows (95 % interval).
      The best of 2 looks like 60.0 on the rows that chose it: 2.0 points too good.
      Half of the rows choose plain 100 %.

    400 requests sent, 80 answers shared or from before.
    "
  `);
  expect(sweepTerminal(summary, { width: 80, color: true })).toContain('\x1b[');
});

test('CSV has a line for each cell and each template', () => {
  const lines = sweepCsv(summary).trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 4 + 2);
  expect(lines[1]).toBe(
    'cell,small,sums,plain,0,,,,,,accuracy,120,0.4,0.35000000000000003,0.45,0.95,bca',
  );
});

test('Markdown keeps markup as text', () => {
  const text = sweepMarkdown(summary);
  expect(text).toContain('| &lt;q> | 10.0 | 50.0 | 30.0 \\[25.0, 35.0\\] |');
  expect(text).toContain('- **Note:** 2 rows left out.');
});

test('the page stands alone, and shows prompts and names as text', () => {
  const page = sweepHtml(summary);
  expect(page.match(/<svg /g)).toHaveLength(4);
  expect(page).not.toMatch(/<script|<q>|<i>|<link|<img/);
  expect(page).toContain('&lt;i&gt;40+2');
  expect(page).toContain('plain over &lt;q&gt; +30.0 [+20.0, +40.0], p &lt; 0.001');
});

test('a budget is told in words, and takes the place of the comparisons', () => {
  const round = { rows: 20, scores: [], dropped: ['bad'] };
  const races = [
    { model: 'small', dataset: 'sums', rounds: [round], left: ['plain', 'x'], winner: 'plain' },
  ];
  const budget = { requests: 500, spent: 400, full: 1600, errorRate: 0.05, races };
  const text = sweepTerminal({ ...summary, budget }, { width: 200, color: false });
  expect(text).toContain(
    '400 requests of 500; all templates on all rows would have taken 1,600: 75 % saved.',
  );
  expect(text).toContain('dropped after 20 rows bad.');
  expect(text).toContain('Left: plain, x; plain is ahead, which may be chance.');
});

test('models that disagree are told in words', () => {
  const flip = {
    dataset: 'sums',
    models: ['small', 'large'],
    templates: ['plain', 'chat'],
    differences: [0.1, -0.2],
    isClear: false,
  } as const;
  const text = sweepMarkdown({ ...summary, flips: [flip] });
  expect(text).toContain(
    'sums: chat by 10.0 points for small, plain by 20.0 points for large (not certain).',
  );
});

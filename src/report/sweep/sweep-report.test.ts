import { expect, test } from 'vitest';
import type {
  CellSettings,
  CellSummary,
  Race,
  SheetSummary,
  SweepSummary,
} from '../../study/sweep/sweep-summary.ts';
import { wholePercents } from './describe-sweep.ts';
import { heatMapOf, shadeOf } from './heat-map.ts';
import { sweepCsv } from './sweep-csv.ts';
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
    areVerdicts: true,
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
      title: 'Use plain with 4 shots',
      text: '80.0 on these rows, clearly better than each of 3 others.',
      settings: { template: 'plain', shots: '4' },
      of: 4,
      leaders: [{ template: 'plain', shots: '4' }],
      naive: 0.8,
      honest: score(0.78),
      optimism: 0.02,
      choices: [{ settings: { template: 'plain', shots: '4' }, share: 1 }],
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
  expect(shadeOf(0.1, { ...map, isLowerBetter: true })).toBe(1);
});

const named = (settings: CellSettings, value?: number) => ({
  abbr: Object.values(settings).join('.'),
  settings,
  ...(value !== undefined && { score: score(value) }),
});
const mapOf = (...cells: CellSummary[]) => {
  const { rowAxis, columns, rows } = heatMapOf({ ...sheet, templates: [], cells });
  return [[rowAxis, ...columns], ...rows.map(({ name, scores }) => [name, ...scores])];
};

test('a heat map is of what was varied', () => {
  expect(
    mapOf(named({ format: 'own', shots: '2' }, 0.5), named({ format: 'x', shots: '2' }, 0.1)),
  ).toEqual([
    ['format', '2-shot'],
    ['own', 0.5],
    ['x', 0.1],
  ]);
  expect(
    mapOf(
      named({ retriever: 'a', seed: '1' }, 0.5),
      named({ retriever: 'a', seed: '2' }, 0.25),
      named({ retriever: 'b', seed: '1' }, 0.1),
      named({ retriever: 'b', seed: '2' }),
    ),
  ).toEqual([
    ['retriever', 'seed 1', 'seed 2'],
    ['a', 0.5, 0.25],
    ['b', 0.1, undefined],
  ]);
  expect(mapOf(named({ shots: '0' }, 0.5), named({ shots: '1' }, 0.1))).toEqual([
    ['', '0-shot', '1-shot'],
    ['all', 0.5, 0.1],
  ]);
  expect(mapOf()).toEqual([
    ['', 'score'],
    ['all', undefined],
  ]);
});

test('what no row was scored for is no number', () => {
  const empty = {
    ...sheet,
    templates: [{ template: 'plain' }],
    cells: [named({ template: 'plain' })],
  };
  const nothing = { ...summary, sheets: [empty] };
  const all = [sweepTerminal(nothing, { width: 80, color: false }), sweepMarkdown(nothing)];
  for (const text of all) expect(text).toContain('–');
  expect(all.join()).not.toMatch(/NaN|undefined/);
});

test('where nothing differs it says so, and scores that are no verdicts only differ', () => {
  const alike = {
    ...sheet,
    spread: { range: 0, deviation: 0, worst: 'plain' },
    variance: [{ source: 'rest', variance: 0, share: 0, isClipped: false }],
    changing: { share: score(0.5), rows: 60, areVerdicts: false, most: [] },
  };
  const text = sweepTerminal({ ...summary, sheets: [alike] }, { width: 200, color: false });
  expect(text).toContain('All templates score the same.');
  expect(text).toContain('All row scores are the same.');
  expect(text).toContain('score differently with different templates.');
});

test('the terminal shows it without colours', () => {
  expect(sweepTerminal(summary, { width: 80, color: false })).toMatchInlineSnapshot(`
    "small on sums  accuracy, 120 rows

    template  0-shot  4-shot   all, 95% interval
    plain     40.0 ▒  80.0 █   60.0 [55.0, 65.0]
    <q>       10.0    50.0 ▒   30.0 [25.0, 35.0]

    Spread     30.0 points between the best template (plain) and the worst (<q>);
               standard deviation 21.2 points.
    Variance   of row scores: template 25%, rest 75%.
    Rows       60 of 120 rows (50%, 95% interval [45%, 55%]) are right with one
               template and wrong with another.
    Templates  plain over <q> +30.0 [+20.0, +40.0], p < 0.001.
    Shots      no clear difference.
    Note       2 rows left out.

    Use plain with 4 shots
      80.0 on these rows, clearly better than each of 3 others.
      78.0 [73.0, 83.0] expected on held-out rows (95% interval).
      Selection bias: 2.0 points (best of 4: 80.0 on the selection rows).
      Stability over random half-splits: plain with 4 shots 100%.

    400 requests sent, 80 answers shared or reused.
    "
  `);
  expect(sweepTerminal(summary, { width: 80, color: true })).toContain('\x1b[');
  for (let width = 40; width < 90; width += 1) {
    const lines = sweepTerminal(summary, { width, color: false }).split('\n');
    expect(lines.filter((line) => /^\s*%|^\s*[<=] \d|[<=]$/.test(line))).toEqual([]);
  }
});

test('CSV has a line for each cell and each template', () => {
  const lines = sweepCsv(summary).trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 4 + 2);
  expect(lines[1]).toBe(
    'cell,small,sums,plain,0,,,,,,accuracy,120,0.4,0.35000000000000003,0.45,0.95,bca,,',
  );
});

test('Markdown keeps markup as text', () => {
  const text = sweepMarkdown(summary);
  expect(text).toContain('| &lt;q> | 10.0 | 50.0 | 30.0 \\[25.0, 35.0\\] |');
  expect(text).toContain('- **Note:** 2 rows left out.');
});

test('a budget is told in words, and takes the place of the comparisons', () => {
  const scores = [
    { template: 'plain', score: 0.7 },
    { template: 'x', score: 0.6 },
  ];
  const race = {
    model: 'small',
    dataset: 'sums',
    rounds: [{ rows: 20, scores, dropped: ['bad', 'worse'] }],
    left: ['plain', 'x'],
    unanswered: ['mute'],
    winner: 'plain',
  };
  const told = (...races: Race[]) => {
    const budget = { requests: 500, spent: 400, full: 1600, errorRate: 0.05, races };
    return sweepTerminal({ ...summary, budget }, { width: 200, color: false });
  };
  const text = told(race);
  expect(text).toContain(
    '400 requests of 500; all templates on all rows would take 1,600: 75% saved.',
  );
  expect(text).toContain(
    '  No answers for mute. Dropped bad, worse after 20 rows. Left: plain, x; plain is ahead, possibly by chance.\n',
  );
  expect(text).toContain('dropped the best template: at most 5%.');
  const even = { ...race, rounds: [], unanswered: [], model: 'large' };
  expect(told(race, even)).toContain(
    '  large on sums: Nothing could be dropped. Left: plain, x; plain, x are tied; plain was picked at random.\n',
  );
  expect(told(race, even)).toContain(
    'dropped the best template: at most 5% for each model and dataset.',
  );
});

test('models that disagree are told in words', () => {
  const flip = {
    dataset: 'sums',
    models: ['small', 'large'],
    templates: ['plain', 'chat'],
    differences: [0.1, -0.2],
    isClear: true,
  } as const;
  const text = sweepMarkdown({ ...summary, flips: [flip, { ...flip, isClear: false }] });
  expect(text).toContain('- sums: chat by 10.0 points for small, plain by 20.0 points for large.');
  expect(text).toContain('- 1 other pair of templates changes places, which may be chance.');
  const errors = { ...sheet, metric: 'cer', direction: 'lower' as const };
  const turned = sweepMarkdown({ ...summary, sheets: [errors], flips: [flip] });
  expect(turned).toContain('sums: plain by 10.0 points for small, chat by 20.0 points for large.');
  expect(turned).toContain('<q> over plain −30.0 \\[−40.0, −20.0\\]'.replace('<', '&lt;'));
  expect(turned).toContain('cer ↓, 120 rows');
});

test('a variance that is too small to estimate is no share of 0', () => {
  const variance = [
    { source: 'template', variance: 0, share: 0, isClipped: true },
    { source: 'shots', variance: 0.1, share: 0.25, isClipped: false },
    { source: 'rest', variance: 0.3, share: 0.75, isClipped: false },
  ];
  const clipped = { ...summary, sheets: [{ ...sheet, variance }] };
  const text = sweepTerminal(clipped, { width: 200, color: false });
  expect(text).toContain(
    'Variance   of row scores: shots 25%, rest 75%. Too small to estimate: template.',
  );
  expect(sweepMarkdown(clipped)).toContain('Too small to estimate: template.');
});

test('shares of choices add up to 100, and ties are said to be shared', () => {
  expect(wholePercents([0.275, 0.275, 0.275, 0.175])).toEqual([28, 28, 27, 17]);
  expect(wholePercents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
  expect(wholePercents([1])).toEqual([100]);
  const choices = [0.4, 0.2, 0.15, 0.1, 0.1, 0.05].map((share, place) => ({
    settings: { template: `t${place}` },
    share,
  }));
  const best = summary.best.map((one) => ({ ...one, choices, hasTies: true }));
  expect(sweepMarkdown({ ...summary, best })).toContain(
    'Stability over random half-splits: t0 40%, t1 20%, t2 15%, t3 10%, 2 others 15%. Ties are shared.',
  );
});

test('what has no interval says so, everywhere', () => {
  const bare = { value: 0.25, interval: 'too few' } as const;
  const [template] = sheet.templates;
  const lone = {
    ...sheet,
    templates: [{ template: template?.template ?? '', score: bare }],
    comparisons: sheet.comparisons.map((one) => ({ ...one, difference: bare })),
  };
  const best = summary.best.map((one) => ({ ...one, honest: bare }));
  const nothing = { ...summary, sheets: [lone], best };
  const all = [sweepTerminal(nothing, { width: 80, color: false }), sweepMarkdown(nothing)];
  for (const text of all) expect(text).toContain('(too few rows)');
  expect([...all, sweepCsv(nothing)].join()).not.toMatch(/NaN|undefined/);
});

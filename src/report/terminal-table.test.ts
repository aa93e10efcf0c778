import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { sampleMetrics, sampleResult, sampleSummary } from './sample-summary.ts';
import { terminalTable } from './terminal-table.ts';

const plain = { width: 80, color: false };
const { score: even, ...scoreless } = sampleResult();
const lopsided = { value: 0.96, low: 0.9, high: 0.98, level: 0.95, method: 'wilson' } as const;
const rows = { total: 1319, scored: 1290, unscored: 24, failed: 5, missing: 0 };
const reasons = [
  { reason: 'no answer\nfound', rows: 24 },
  { reason: 'timed out', rows: 5 },
];

test('a clean run shows scores, intervals and rows, and nothing else', () => {
  expect(terminalTable(sampleSummary(), plain)).toBe(
    `  dataset     metric    score  interval       rows
──────────────────────────────────────────────────
small-chat
  arithmetic  accuracy   83.2  [81.1, 85.3]  1,000
──────────────────────────────────────────────────
Scores from 0 to 100 with 95% intervals.
`,
  );
});

test('trouble is counted and explained, in models, groups and runs that were cut off', () => {
  const summary = sampleSummary({
    complete: false,
    results: [
      sampleResult({ dataset: '算数', rows, reasons, score: lopsided }),
      {
        ...scoreless,
        model: 'large',
        rows: { total: 9, scored: 0, unscored: 0, failed: 0, missing: 9 },
        requests: { sent: 0, cached: 0, shared: 0, asked: 0, resumed: 0 },
      },
    ],
    groups: [
      { model: 'small-chat', group: 'all', datasets: ['算数'], ...(even && { score: even }) },
    ],
  });
  const lines = terminalTable(summary, { width: 100, color: false }).split('\n');
  expect(lines.slice(2, 8)).toEqual([
    'small-chat',
    '  算数        accuracy       96.0  [90.0, 98.0]  1,290/1,319        24       5        0',
    '  all         average of 1   83.2  [81.1, 85.3]                                        ',
    expect.stringMatching(/^─+$/),
    'large',
    '  arithmetic  accuracy          –                        0/9         0       0        9',
  ]);
  expect(lines).toContain('small-chat on 算数: 24 × no answer found, 5 × timed out');
  expect(lines).toContain('Incomplete: 9 rows not asked yet.');
});

test.each([
  [{ sent: 5, cached: 0, shared: 0, asked: 4, resumed: 0 }, '5 rows not asked yet'],
  [{ sent: 9, cached: 0, shared: 0, asked: 9, resumed: 0 }, '5 rows not finished yet'],
  [{ sent: 0, cached: 3, shared: 1, asked: 0, resumed: 2 }, '5 rows not finished yet'],
])('rows that a stopped run lacks, after %j', (requests, told) => {
  const rows = { total: 9, scored: 4, unscored: 0, failed: 0, missing: 5 };
  const results = [sampleResult({ rows, requests })];
  const table = terminalTable(sampleSummary({ complete: false, results }), plain);
  expect(table).toContain(`Incomplete: ${told}.`);
});

test('of many reasons the most frequent are shown', () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ reason: `r${index}`, rows: 9 - index }));
  const summary = sampleSummary({ results: [sampleResult({ reasons: many })] });
  expect(terminalTable(summary, plain)).toContain(
    'small-chat on arithmetic: 9 × r0, 8 × r1, 7 × r2, 6 × r3, 5 × r4, 7 × other reasons\n',
  );
});

test('what many datasets share is one line with the sums of its counts', () => {
  const results = [3, 1200, 40, 7].map((rows, index) =>
    sampleResult({
      dataset: `d${index}`,
      reasons: [{ reason: 'status 500 after 30 s', rows }],
      looser: { rows: index + 2, first: [index] },
    }),
  );
  const lines = terminalTable(sampleSummary({ results }), { width: 200, color: false }).split('\n');
  expect(lines).toContain(
    'small-chat on 4 datasets (d0, d1, d2, …): 1,250 × status 500 after 30 s',
  );
  expect(lines).toContain(
    'small-chat on 4 datasets (d0, d1, d2, …): 14 answers counted as wrong hold the gold answer under a looser reading',
  );
});

test('what happened to one row of each of many datasets is told in the words for several', () => {
  const results = [1, 1, 2, 1].map((rows, index) =>
    sampleResult({
      dataset: `d${index}`,
      answers: 17,
      cutOff: rows,
      stopped: [{ kind: 'content_filter', rows }],
      failures: [{ kind: 'refused', rows }],
      insideWord: { rows, first: [index] },
      unnamed: rows,
      ties: rows,
      dropped: rows,
      tooLong: rows,
    }),
  );
  const text = terminalTable(sampleSummary({ results }), { width: 200, color: false });
  const told = text.split('\n').flatMap((line) => line.split('(d0, d1, d2, …): ').slice(1));
  expect(told).toEqual([
    'failed: 5 × refused',
    '5 failed rows are not retried without `--retry refused`',
    '5 of 68 answers were cut off at the length limit',
    '5 of 68 answers were stopped by a content filter',
    expect.stringMatching(/^5 of [\d,]+ answers name no choice: the first one is taken$/),
    expect.stringMatching(/^5 answers have credit only for a short gold answer .* none\)$/),
    '5 rows lost examples to fit max_seq_len, 5 rows do not fit even without examples',
    '5 rows with tied labels; the first was taken',
  ]);
});

test('a score of 0 names the evaluator that would read the answers', () => {
  const score = { value: 0, low: 0, high: 0.04, level: 0.95, method: 'wilson' } as const;
  const hintOf = (looser: { rows: number; first: number[]; evaluator?: 'number' | 'choice' }) =>
    terminalTable(sampleSummary({ results: [sampleResult({ score, looser })] }), plain);
  const found = { rows: 2, first: [0, 1] };
  expect(hintOf({ ...found, evaluator: 'number' })).toContain('--evaluator number`');
  expect(hintOf({ ...found, evaluator: 'choice' })).toContain('--evaluator choice`');
  expect(hintOf(found)).toContain('try `typecase score FOLDER --evaluator contains`');
  const named = sampleSummary({ results: [sampleResult({ score, looser: found })] });
  expect(terminalTable(named, { ...plain, folder: 'runs/a' })).toContain(
    'try `typecase score runs/a --evaluator contains`',
  );
});

test('samples without a score are counted, not shown as a share', () => {
  const samples = { asked: 8000, unscored: 5 };
  const results = [sampleResult({ samples })];
  expect(terminalTable(sampleSummary({ results }), plain)).toContain(
    '\nsmall-chat on arithmetic: 5 of 8,000 samples without a score\n',
  );
  const uncounted = [sampleResult({ samples, metric: 'nll', uncounted: true })];
  expect(terminalTable(sampleSummary({ results: uncounted }), plain)).toContain(
    '5 of 8,000 samples without a score; nll covers only the others and cannot count these as wrong\n',
  );
  const none = [sampleResult({ samples: { asked: 8000, unscored: 0 } })];
  expect(terminalTable(sampleSummary({ results: none }), plain)).not.toContain('samples');
});

test('labels that tied are counted', () => {
  const line = (ties: number) =>
    terminalTable(sampleSummary({ results: [sampleResult({ ties })] }), plain);
  expect(line(3)).toContain(
    '\nsmall-chat on arithmetic: 3 rows with tied labels; the first was taken\n',
  );
  expect(line(0)).not.toContain('tied');
});

test('nothing but numbers of their own kind has no scale', () => {
  const metrics = sampleMetrics.filter(({ plain: isPlain }) => isPlain);
  const results = [sampleResult({ plain: true, metrics })];
  expect(terminalTable(sampleSummary({ results }), plain)).toContain(
    '\nScores with 95% intervals. ↓: lower is better.\n',
  );
});

test('further metrics stand under the first', () => {
  const summary = sampleSummary({ results: [sampleResult({ metrics: sampleMetrics })] });
  const lines = terminalTable(summary, plain).split('\n');
  expect(lines.slice(3, 6)).toEqual([
    '  arithmetic  accuracy    83.2  [81.1, 85.3]  1,000',
    '              rouge2      40.0  [38.0, 42.0]       ',
    '              cer ↓     0.1235  [0.1, 0.15]        ',
  ]);
  expect(lines).toContain('Scores from 0 to 100 with 95% intervals. ↓: lower is better.');
  const narrow = terminalTable(summary, { width: 40, color: false });
  expect(narrow).toContain('\n    cer ↓     0.1235  [0.1, 0.15]');
  const coloured = terminalTable(summary, { ...plain, color: true });
  expect(coloured).toContain('\u001b[2m              rouge2 ');
});

test('numbers of their own kind are shown as they are, and so are their averages', () => {
  const score = { value: 12.3456, low: 9e-16, high: 14, level: 0.95, method: 'bootstrap' } as const;
  const perplexity = { metric: 'ppl', score, plain: true, direction: 'lower' } as const;
  const summary = sampleSummary({
    results: [sampleResult(perplexity), sampleResult({ dataset: 'other' })],
    groups: [{ model: 'small-chat', group: 'all', datasets: ['arithmetic'], score }],
  });
  const lines = terminalTable(summary, plain).split('\n');
  expect(lines.slice(3, 6)).toEqual([
    '  arithmetic  ppl ↓         12.35  [0, 14]       1,000',
    '  other       accuracy       83.2  [81.1, 85.3]  1,000',
    '  all         average of 1  12.35  [0, 14]            ',
  ]);
});

test.each([40, 60, 70, 100])('a table for %d columns has lines of one width', (width) => {
  const names = ['mmlu/college_chemistry', '公認会計士試験（短答式）監査論', 'e\u0301te\u0301'];
  const summary = sampleSummary({
    results: names.map((dataset) => sampleResult({ dataset, rows })),
  });
  const lines = terminalTable(summary, { width, color: false }).split('\n');
  const table = [lines[0], lines[1], ...lines.slice(3, 6)].map((line = '') => stringWidth(line));
  expect(new Set(table).size).toBe(1);
  if (width >= 70) expect(table[0]).toBeLessThanOrEqual(width);
});

test('colour marks trouble and changes no text', () => {
  const summary = sampleSummary({ results: [sampleResult({ rows, reasons })] });
  const coloured = terminalTable(summary, { ...plain, color: true });
  expect(coloured).toContain('\u001b[31m     5\u001b[39m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(terminalTable(summary, plain));
});

test('names cannot steer the terminal', () => {
  const summary = sampleSummary({ results: [sampleResult({ dataset: 'a\u001b[2J\u202eb' })] });
  expect(terminalTable(summary, plain)).toContain('a [2J b');
});

test('narrow intervals get another decimal', () => {
  const score = { value: 0.5, low: 0.4998, high: 0.5002, level: 0.99, method: 'wilson' } as const;
  const table = terminalTable(sampleSummary({ results: [sampleResult({ score })] }), plain);
  expect(table).toContain('50.00  [49.98, 50.02]');
  expect(table).toContain('99% intervals');
});

test.each([80, 60, 40])('names stay distinct at %i columns', (width) => {
  const names = ['pass@1', 'pass@10', 'pass^10', 'cons@10', 'turn_1', 'turn_10', 'all_turns'];
  const metrics = names.map((name) => ({ name, score: lopsided, rows: 1200 }));
  const datasets = ['mmlu_professional_law', 'mmlu_professional_medicine'];
  const results = datasets.map((dataset) =>
    sampleResult({ dataset, metrics, rows: { ...rows, missing: 3 }, allRows: lopsided }),
  );
  const lines = terminalTable(sampleSummary({ results }), { width, color: false }).split('\n');
  const cells = lines.map((line) => line.trim().split(/\s{2,}/)[0]);
  for (const name of names) expect(cells.filter((cell) => cell === name)).toHaveLength(2);
  const shown = new Set(cells.filter((cell) => cell?.startsWith('mmlu_')));
  expect(shown.size).toBe(2);
});

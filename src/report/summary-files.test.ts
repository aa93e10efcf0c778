import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { TaskResult } from '../run/summary.ts';
import { githubSummary } from './github-summary.ts';
import { junitXml } from './junit-xml.ts';
import { sampleMetrics, sampleResult, sampleSummary } from './sample-summary.ts';
import { summaryCsv } from './summary-csv.ts';
import { summaryMarkdown } from './summary-markdown.ts';

const { score, ...scoreless } = sampleResult({ dataset: 'nothing' });
const awkward = sampleResult({
  model: 'a "b", <c> & |d|',
  dataset: '*x*\ny',
  rows: { total: 10, scored: 7, unscored: 2, failed: 1, missing: 0 },
  reasons: [{ reason: 'said <think>\u0007', rows: 2 }],
});
const group = {
  model: 'small-chat',
  group: 'all',
  datasets: ['arithmetic'],
  ...(score && { score }),
};

test('CSV has every number in full, and any name', () => {
  const summary = sampleSummary({ results: [awkward, scoreless], groups: [group] });
  const rows: Record<string, string>[] = parse(summaryCsv(summary), { columns: true });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    kind: 'task',
    model: awkward.model,
    dataset: awkward.dataset,
    score: '0.832',
    low: '0.811',
    high: '0.853',
    method: 'bootstrap',
    rows: '10',
    scored: '7',
    requests_shared: '10',
    prompt_hash: '0123456789abcdef',
  });
  expect(rows[1]).toMatchObject({ dataset: 'nothing', score: '', low: '', rows: '1000' });
  expect(rows[2]).toMatchObject({ kind: 'group', dataset: 'all', score: '0.832', rows: '' });
});

test('Markdown', () => {
  expect(summaryMarkdown(sampleSummary({ results: [awkward], groups: [group] }))).toBe(
    `## first-run

| dataset | metric | score | interval | rows | unscored | failed |
| --- | --- | ---: | --- | ---: | ---: | ---: |
| \\*x\\* y | accuracy | 83.2 | ±2.1 | 7/10 | 2 | 1 |
| *all* | *average of 1* | *83.2* | *±2.1* |  |  |  |

Scores from 0 to 100 with their 95 % intervals.

Rows without a score:

- a "b", &lt;c> &amp; \\|d\\| on \\*x\\* y: 2 × said &lt;think>${' '}
`,
  );
  expect(summaryMarkdown(sampleSummary({ complete: false }))).toContain(
    '**The run is not complete:**',
  );
});

test('labels that tied are counted', () => {
  const summary = sampleSummary({ results: [sampleResult({ ties: 1 }), scoreless] });
  expect(summaryMarkdown(summary)).toContain(
    '\nTies:\n\n- small-chat on arithmetic: 1 row: labels tied; the first was taken\n',
  );
  const rows: Record<string, string>[] = parse(summaryCsv(summary), { columns: true });
  expect(rows.map(({ ties }) => ties)).toEqual(['1', '']);
});

const measured = sampleSummary({ results: [sampleResult({ metrics: sampleMetrics }), scoreless] });

test('further metrics follow their task in CSV and Markdown', () => {
  const rows: Record<string, string>[] = parse(summaryCsv(measured), { columns: true });
  expect(rows.map(({ kind, metric, score }) => [kind, metric, score])).toEqual([
    ['task', 'accuracy', '0.832'],
    ['metric', 'rouge2', '0.4'],
    ['metric', 'cer', '0.12345'],
    ['task', 'accuracy', ''],
  ]);
  expect(rows[1]).toMatchObject({ model: 'small-chat', dataset: 'arithmetic', rows: '' });
  expect(summaryMarkdown(measured)).toContain(
    `| arithmetic | accuracy | 83.2 | ±2.1 | 1,000 |
|  | rouge2 | 40.0 | ±2.0 |  |
|  | cer ↓ | 0.1235 | \\[0.1, 0.15\\] |  |
| nothing |`,
  );
});

test('JUnit has further metrics as properties', () => {
  const xml = junitXml(measured);
  expect(xml).toContain('<property name="metric.rouge2" value="0.4"/>');
  expect(xml).toContain('<property name="metric.cer.high" value="0.15"/>');
});

test.each([
  [0.7, ''],
  [0.832, ''],
  [0.9, 'above'],
])('where less is better a gate is an upper limit: %d', (value, side) => {
  const { level, method } = score ?? { level: 0, method: 'wilson' };
  const result = sampleResult({
    direction: 'lower',
    score: { value, low: value - 0.02, high: value + 0.02, level, method },
  });
  const xml = junitXml(sampleSummary({ results: [result] }), { failUnder: 0.832 });
  expect(/message="[^"]*(above|under) 83.2"/.exec(xml)?.[1] ?? '').toBe(side);
});

test('a GitHub summary says whether the gate holds, and names what misses it', () => {
  const summary = sampleSummary({ results: [sampleResult(), scoreless] });
  expect(githubSummary(summary)).toBe(summaryMarkdown(summary));
  expect(githubSummary(sampleSummary(), { failUnder: 0.832 })).toContain('✅ Every score is 83.2');
  const failing = githubSummary(summary, { failUnder: 0.9 });
  expect(failing).toContain('❌ Under 90.0');
  expect(failing).toContain('- small-chat on arithmetic: 83.2');
  expect(failing).toContain('- small-chat on nothing: no score');
});

test.each<[string, TaskResult, failUnder: number | undefined, expected: string]>([
  ['no gate', sampleResult(), undefined, ''],
  ['on the mark', sampleResult(), 0.832, ''],
  [
    'under',
    sampleResult(),
    0.84,
    '<failure type="fail-under" message="accuracy is 83.2 ±2.1, under 84.0"/>',
  ],
  [
    'no score',
    scoreless,
    undefined,
    '<error type="no-score" message="none of 1,000 rows has a score"/>',
  ],
  [
    'cut off',
    sampleResult({ rows: { total: 9, scored: 8, unscored: 0, failed: 0, missing: 1 } }),
    0.1,
    '<error type="incomplete" message="1 row of 9 missing"/>',
  ],
])('JUnit: %s', (_, result, failUnder, expected) => {
  const xml = junitXml(sampleSummary({ results: [result] }), { failUnder });
  expect(/<(?:failure|error)\b[^>]*>/.exec(xml)?.[0] ?? '').toBe(expected);
  const [failures, errors] = ['failure', 'error'].map((kind) =>
    Number(expected.startsWith(`<${kind}`)),
  );
  expect(xml).toContain(`tests="1" failures="${failures}" errors="${errors}" time="62.4"`);
});

test('JUnit has a suite for each model, and is well-formed whatever the names are', () => {
  const xml = junitXml(sampleSummary({ results: [awkward, sampleResult(), scoreless] }));
  expect(xml.match(/<testsuite /g)).toHaveLength(2);
  expect(xml).toContain('<testsuite name="a &quot;b&quot;, &lt;c&gt; &amp; |d|" tests="1"');
  expect(xml).toContain('<system-out>2 × said &lt;think&gt; </system-out>');
  expect(xml).toContain('<property name="score" value="0.832"/>');
  expect(xml).toContain('<testsuites name="first-run" tests="3"');
});

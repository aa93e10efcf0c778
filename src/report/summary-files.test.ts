import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { TaskResult } from '../run/summary.ts';
import { githubSummary } from './github-summary.ts';
import { junitXml } from './junit-xml.ts';
import { sampleResult, sampleSummary } from './sample-summary.ts';
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

| data set | metric | score | interval | rows | unscored | failed |
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

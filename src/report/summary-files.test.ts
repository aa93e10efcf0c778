import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Gate } from '../config/gate.ts';
import type { RowEnd } from '../run/row-sample.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { holdToGate } from './gate.ts';
import { githubSummary } from './github-summary.ts';
import { junitXml } from './junit-xml.ts';
import type { ReportRow } from './report-rows.ts';
import { sampleMetrics, sampleResult, sampleSummary } from './sample-summary.ts';
import { summaryCsv } from './summary-csv.ts';
import { summaryMarkdown } from './summary-markdown.ts';
import { terminalTable } from './terminal-table.ts';

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
| \\*x\\* y | accuracy | 83.2 | \\[81.1, 85.3\\] | 7/10 | 2 | 1 |
| *all* | *average of 1* | *83.2* | *\\[81.1, 85.3\\]* |  |  |  |

Scores from 0 to 100 with 95% intervals.

Rows without a score:

- a "b", &lt;c> &amp; \\|d\\| on \\*x\\* y: 2 × said &lt;think>${' '}

1,000 answers: 990 asked, 10 shared by identical rows.
`,
  );
  expect(summaryMarkdown(sampleSummary({ complete: false }))).toContain(
    '**The run is not complete:**',
  );
});

test('labels that tied are counted', () => {
  const summary = sampleSummary({ results: [sampleResult({ ties: 1 }), scoreless] });
  expect(summaryMarkdown(summary)).toContain(
    '\nTies:\n\n- small-chat on arithmetic: 1 row with tied labels; the first was taken\n',
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
    `| arithmetic | accuracy | 83.2 | \\[81.1, 85.3\\] | 1,000 |
|  | rouge2 | 40.0 | \\[38.0, 42.0\\] |  |
|  | cer ↓ | 0.1235 | \\[0.1, 0.15\\] |  |
| nothing |`,
  );
});

test('JUnit has further metrics as properties', () => {
  const xml = junitXml(measured);
  expect(xml).toContain('<property name="metric.rouge2" value="0.4"/>');
  expect(xml).toContain('<property name="metric.cer.high" value="0.15"/>');
});

/** A run that was held to gates. */
function held(gate: Gate, ...results: readonly TaskResult[]): RunSummary {
  const gates = results.flatMap((result) => holdToGate(result, gate));
  return sampleSummary({ results, gates });
}

test('a GitHub summary says whether gates hold, and names what misses them', () => {
  const summary = sampleSummary({ results: [sampleResult(), scoreless] });
  expect(githubSummary(summary)).toBe(summaryMarkdown(summary));
  expect(githubSummary(held({ failUnder: 0.832 }, sampleResult()))).toContain('✅ 1 gate passed.');
  const failing = githubSummary(held({ failUnder: 0.9 }, sampleResult(), scoreless), [
    { model: 'small-chat', dataset: 'arithmetic', rows: [wrongRow, failedRow] },
  ]);
  expect(failing.slice(failing.indexOf('❌'))).toBe(`❌ 2 gates failed:

- small-chat on arithmetic: accuracy 83.2, needs at least 90.0
  - row 7: failed: timed out
  - row 3: wrong: "8", expected "7"
- small-chat on nothing: no row has a score, needs at least 90.0
`);
});

const wrongRow: ReportRow = {
  ...{ id: 3, outcome: 'scored', score: 0, prompt: '3+4=', answer: 'It is 8.' },
  ...{ extracted: '8', gold: '7' },
};
const failedRow: ReportRow = {
  ...{ id: 7, outcome: 'failed', prompt: '1+1=', answer: '', reason: 'timed\nout' },
};

test.each<[string, TaskResult, gate: Gate, expected: string]>([
  ['no gate', sampleResult(), {}, ''],
  ['on the mark', sampleResult(), { failUnder: 0.832 }, ''],
  [
    'under',
    sampleResult(),
    { failUnder: 0.84 },
    '<failure type="fail-under" message="accuracy 83.2, needs at least 84.0"/>',
  ],
  [
    'two gates',
    { ...awkward, model: 'm' },
    { failUnder: 0.84, maxUnscored: { rows: 1 }, allowFailed: { share: 0.1 } },
    '<failure type="max-unscored" message="2 of 10 rows not scored, allowed 1; accuracy 83.2, 3 of 10 rows not scored, and not allowed, needs at least 84.0">',
  ],
  ['no score', scoreless, {}, '<error type="no-score" message="none of 1,000 rows has a score"/>'],
  [
    'cut off',
    sampleResult({ rows: { total: 9, scored: 8, unscored: 0, failed: 0, missing: 1 } }),
    { failUnder: 0.1 },
    '<error type="incomplete" message="1 row of 9 missing"/>',
  ],
])('JUnit: %s', (_, result, gate, expected) => {
  const xml = junitXml(held(gate, result));
  expect(/<(?:failure|error)\b[^>]*>/.exec(xml)?.[0] ?? '').toBe(expected);
  const [failures, errors] = ['failure', 'error'].map((kind) =>
    Number(expected.startsWith(`<${kind}`)),
  );
  expect(xml).toContain(
    `tests="1" failures="${failures}" errors="${errors}" skipped="0" time="62.4"`,
  );
});

test('JUnit names rows that are not right, in the failure where there is one', () => {
  const tasks = [{ model: 'small-chat', dataset: 'arithmetic', rows: [wrongRow, failedRow] }];
  const named = 'row 7: failed: timed out\nrow 3: wrong: &quot;8&quot;, expected &quot;7&quot;<';
  expect(junitXml(held({}, sampleResult()), tasks)).toContain(`<system-out>${named}/system-out>`);
  expect(junitXml(held({ failUnder: 0.9 }, sampleResult()), tasks)).toContain(
    `needs at least 90.0">${named}/failure>`,
  );
});

test('JUnit has a test for each row and each check, skipped where a gate allows for such rows', () => {
  const checks = [
    { name: 'is-json', score: 1, passed: true },
    { name: 'length', score: 0, passed: false, reason: '12 words & more' },
    { name: 'judge', score: 0.4, passed: false },
  ];
  const ends: RowEnd[] = [
    { id: 7, outcome: 'failed', verdict: 'failed', reason: 'timed out', ms: 1500 },
    { id: 0, outcome: 'scored', verdict: 'right', ms: 20 },
    { id: 3, outcome: 'scored', verdict: 'wrong', extracted: '8', gold: '7', reason: 'off by 1' },
    { id: 4, outcome: 'scored', verdict: 'partly', score: 0.5, checks },
    { id: 5, outcome: 'scored', verdict: 'partly', score: 0.5 },
  ];
  const tasks = [{ model: 'small-chat', dataset: 'arithmetic', rows: [], ends }];
  const xml = junitXml(held({}, sampleResult()), tasks);
  expect(xml).toContain('tests="9" failures="4" errors="1" skipped="0"');
  const rowsOf = (text: string) => text.slice(text.indexOf('<testcase name="row'));
  const head = (name: string, time = 0) =>
    `    <testcase name="${name}" classname="small-chat.arithmetic" time="${time}"`;
  expect(rowsOf(xml)).toBe(
    `${[
      `${head('row 0', 0.02)}/>`,
      `${head('row 3')}>`,
      '      <failure type="wrong" message="wrong: &quot;8&quot;, expected &quot;7&quot; (off by 1)"/>',
      '    </testcase>',
      `${head('row 4')}>`,
      '      <failure type="partly" message="length: 12 words &amp; more; judge: scored 0.4"/>',
      '    </testcase>',
      `${head('row 4: is-json')}/>`,
      `${head('row 4: length')}>`,
      '      <failure type="check" message="length: 12 words &amp; more"/>',
      '    </testcase>',
      `${head('row 4: judge')}>`,
      '      <failure type="check" message="judge: scored 0.4"/>',
      '    </testcase>',
      `${head('row 5')}/>`,
      `${head('row 7', 1.5)}>`,
      '      <error type="failed" message="failed: timed out"/>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
    ]
      .join('\n')
      .trimStart()}\n`,
  );
  expect(xml).toContain('995 more rows without their own test case');
  const allowed = junitXml(held({ failUnder: 0.5 }, sampleResult()), tasks);
  expect(allowed).toContain('tests="9" failures="0" errors="0" skipped="5"');
  expect(allowed).toContain('<skipped message="failed: timed out"/>');
  const missed = junitXml(held({ failUnder: 0.9 }, sampleResult()), tasks);
  expect(missed).toContain('tests="9" failures="5" errors="1" skipped="0"');
});

test('the score with all rows stands beside that of the scored ones', () => {
  const allRows = { value: 0.582, low: 0.5, high: 0.66, level: 0.95, method: 'wilson' } as const;
  const result = { ...awkward, model: 'm', allRows, cost: 0.5 };
  const summary = sampleSummary({
    results: [result, sampleResult({ model: 'm' })],
    cost: { total: 0.5 },
  });
  const markdown = summaryMarkdown(summary);
  expect(markdown).toContain('| dataset | metric | score | interval | all rows | rows |');
  expect(markdown).toContain('| 83.2 | \\[81.1, 85.3\\] | 58.2 | 7/10 | 2 | 1 |');
  expect(markdown).toContain('| 83.2 | \\[81.1, 85.3\\] | 83.2 | 1,000 | 0 | 0 |');
  expect(markdown).toContain('"All rows" counts unscored and failed rows as wrong.');
  expect(markdown).toContain('Cost: at least 0.5, without m.');
  const [row]: Record<string, string>[] = parse(summaryCsv(summary), { columns: true });
  expect(row).toMatchObject({ all_rows: '0.582', all_rows_low: '0.5', cost: '0.5' });
  expect(junitXml(summary)).toContain('<property name="allRows" value="0.582"/>');
});

test('JUnit has a suite for each model, and is well-formed whatever the names are', () => {
  const xml = junitXml(sampleSummary({ results: [awkward, sampleResult(), scoreless] }));
  expect(xml.match(/<testsuite /g)).toHaveLength(2);
  expect(xml).toContain('<testsuite name="a &quot;b&quot;, &lt;c&gt; &amp; |d|" tests="1"');
  expect(xml).toContain('<system-out>2 × said &lt;think&gt; </system-out>');
  expect(xml).toContain('<property name="score" value="0.832"/>');
  expect(xml).toContain('<testsuites name="first-run" tests="3"');
});

test('a score without an interval says so, and is no certain one', () => {
  const bare = { value: 0.25, interval: 'too few' } as const;
  const result = sampleResult({ score: bare, plain: true, metrics: [{ name: 'f', score: bare }] });
  const summary = sampleSummary({ results: [result], groups: [{ ...group, score: bare }] });
  const pages = [terminalTable(summary, { width: 120, color: false }), summaryMarkdown(summary)];
  for (const page of pages) expect(page).toContain('too few rows');
  const files = [summaryCsv(summary), junitXml(summary)];
  expect([...pages, ...files].join()).not.toMatch(/NaN|undefined|\[0\.25|name="low"/);
});

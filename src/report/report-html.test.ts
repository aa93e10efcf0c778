import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { reportHtml } from './report-html.ts';
import type { EmbeddedRow, ReportRow } from './report-rows.ts';
import { sampleMetrics, sampleResult, sampleSummary } from './sample-summary.ts';

const attack = '</script><script>alert(1)</script><img src=x onerror=alert(1)><!--';

function row(change: Partial<ReportRow> = {}): ReportRow {
  return { id: 0, outcome: 'scored', score: 1, prompt: 'Q', answer: 'A', ...change };
}

function tasksOf(rows: readonly ReportRow[]) {
  return [{ model: 'small-chat', dataset: 'arithmetic', rows }];
}

function embeddedTasks(html: string): { rows: EmbeddedRow[]; totals: Record<string, number> }[] {
  const json = /<script type="application\/json" id="rows">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  return JSON.parse(json);
}

function embedded(html: string): EmbeddedRow[][] {
  return embeddedTasks(html).map(({ rows }) => rows);
}

test('nothing in a run becomes markup', () => {
  const hostile = sampleResult({
    model: attack,
    dataset: attack,
    metric: attack,
    signature: attack,
    metrics: sampleMetrics.map((metric) => ({ ...metric, name: attack })),
    promptHash: attack,
    reasons: [{ reason: attack, rows: 1 }],
  });
  const groups = [{ model: attack, group: attack, datasets: [] }];
  const summary = {
    ...sampleSummary({ results: [hostile], groups }),
    name: attack,
    version: attack,
  };
  const texts = { prompt: attack, answer: attack, extracted: attack, gold: attack, reason: attack };
  const html = reportHtml({ ...summary, startedAt: attack }, [
    { model: attack, dataset: attack, rows: [row({ id: attack, ...texts })] },
  ]);
  expect(html).not.toContain('<img');
  expect(html).not.toContain('<!--');
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(embedded(html)[0]?.[0]).toMatchObject(texts);
});

test('the page loads nothing, and forbids itself to', () => {
  const html = reportHtml(sampleSummary(), tasksOf([row()]));
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src`);
  expect(html).not.toMatch(/https?:|\bsrc=|@import|url\(/);
});

test('the script is one', () => {
  const html = reportHtml(sampleSummary());
  const source = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(() => new Script(source)).not.toThrow();
  expect(source).not.toContain('innerHTML');
});

test.each([
  [{ outcome: 'scored', score: 1 }, 'right'],
  [{ outcome: 'scored', score: 0.5 }, 'partly'],
  [{ outcome: 'scored', score: 0 }, 'wrong'],
  [{ outcome: 'unscored' }, 'unscored'],
  [{ outcome: 'failed' }, 'failed'],
] as const)('a row that is %j counts as %s', (change, verdict) => {
  const html = reportHtml(sampleSummary(), tasksOf([row(change)]));
  expect(embedded(html)[0]?.[0]).toMatchObject({ verdict });
});

test('rows whose score is no share are neither right nor wrong', () => {
  const results = [sampleResult({ plain: true, direction: 'lower' })];
  const html = reportHtml(sampleSummary({ results }), tasksOf([row({ score: 3 })]));
  expect(embedded(html)[0]?.[0]).toMatchObject({ verdict: 'scored' });
});

test('further metrics are in the table and with their task', () => {
  const results = [sampleResult({ metrics: sampleMetrics, signature: 'tok:13a|<i>' })];
  const html = reportHtml(sampleSummary({ results }));
  expect(html).toContain('<tr class="metric"><td class="name"><small>rouge2</small></td>');
  expect(html).toContain('--low:38;--high:42;--value:40');
  expect(html).toMatch(/<small>cer ↓<\/small><\/td>.*0\.1235.*<td class="plot"><\/td>/);
  expect(html).toContain('<dt>rouge2</dt><dd>40.0 [38.0, 42.0]</dd>');
  expect(html).toContain('<dt>signature</dt><dd>tok:13a|&lt;i&gt;</dd>');
});

test('rows that ask for a look come first, and some right ones have room', () => {
  const answer = 'x'.repeat(1_000);
  const score = (count: number, value: number, first: number) =>
    Array.from({ length: count }, (_, index) => row({ id: first + index, score: value, answer }));
  const rows = [
    ...score(50, 1, 0),
    ...score(50, 0, 100),
    row({ id: 200, outcome: 'failed', answer }),
    row({ id: 201, outcome: 'unscored', answer }),
  ];
  const html = reportHtml(sampleSummary(), tasksOf(rows), { maxBytes: 20_000 });
  const [task] = embeddedTasks(html);
  const verdicts = task?.rows.map(({ verdict }) => verdict) ?? [];
  const runs = verdicts.filter((verdict, index) => verdict !== verdicts[index - 1]);
  expect(runs).toEqual(['failed', 'unscored', 'wrong', 'right']);
  expect(verdicts.filter((verdict) => verdict === 'right').length).toBeGreaterThan(1);
  expect(task?.totals).toEqual({ failed: 1, unscored: 1, wrong: 50, right: 50 });
  expect(JSON.stringify(task?.rows).length).toBeLessThan(20_000);
  expect(html).toMatch(/holds \d+ of 1,000 rows: first those that failed/);
});

test('tasks share the room', () => {
  const rows = Array.from({ length: 40 }, (_, id) =>
    row({ id, score: 0, answer: 'x'.repeat(900) }),
  );
  const results = ['first', 'second', 'third'].map((dataset) => sampleResult({ dataset }));
  const tasks = results.map(({ model, dataset }) => ({ model, dataset, rows }));
  const html = reportHtml(sampleSummary({ results }), tasks, { maxBytes: 30_000 });
  const counts = embedded(html).map(({ length }) => length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  expect(Math.min(...counts)).toBeGreaterThan(5);
});

test('says how many rows it holds', () => {
  expect(reportHtml(sampleSummary())).toContain('holds none of the rows');
  const rows = { total: 1, scored: 1, unscored: 0, failed: 0, missing: 0 };
  const small = sampleSummary({ results: [sampleResult({ rows })] });
  expect(reportHtml(small, tasksOf([row()]))).toContain('holds all 1 row.');
});

test('rows go to their own task', () => {
  const results = [sampleResult({ dataset: 'first' }), sampleResult({ dataset: 'second' })];
  const html = reportHtml(sampleSummary({ results }), [
    { model: 'small-chat', dataset: 'second', rows: [row({ id: 7 })] },
    { model: 'large', dataset: 'first', rows: [row({ id: 8 })] },
  ]);
  expect(embedded(html).map((rows) => rows.map(({ id }) => id))).toEqual([[], [7]]);
});

test('long texts lose their middle', () => {
  const prompt = `start${'x'.repeat(50_000)}end`;
  const [[long] = []] = embedded(reportHtml(sampleSummary(), tasksOf([row({ prompt })])));
  expect(long?.prompt).toMatch(/^start.*\[… 38008 characters left out …\].*end$/s);
});

test('scores, intervals, counts and reasons are on the page', () => {
  const rows = { total: 1319, scored: 1290, unscored: 24, failed: 0, missing: 5 };
  const reasons = [{ reason: 'no answer found', rows: 24 }];
  const results = [sampleResult({ rows, reasons, samples: { asked: 9000, unscored: 7 } })];
  const html = reportHtml(sampleSummary({ results, complete: false }));
  for (const text of [
    '--low:81.1;--high:85.3;--value:83.2',
    '>83.2<',
    '[81.1, 85.3]',
    '1,290 of 1,319',
    '24 unscored',
    '5 missing',
    '<b>24</b><span>no answer found</span>',
    '<dd>7 of 9,000 samples without a score</dd>',
    'The run is not complete: 5 rows missing.',
    'started 2025-03-01 10:00 UTC',
    'took 1 min 2 s',
  ]) {
    expect(html).toContain(text);
  }
});

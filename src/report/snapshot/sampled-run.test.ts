import { expect, test } from 'vitest';
import type { EvaluationSample, SampledRow, Verdict } from '../../run/row-sample.ts';
import { verdictOf } from '../../run/row-sample.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { sampleResult, sampleSummary } from '../sample-summary.ts';
import { RowColumns } from './row-columns.ts';
import { snapshotOfRun } from './sampled-run.ts';
import { columnsName, embedSnapshot, type HeldRow, rowsName, type Snapshot } from './snapshot.ts';

const attack = '</script><script>alert(1)</script><img src=x onerror=alert(1)><!-- %title% $&';
const template = '<title>%title%</title><pre>%text%</pre><i>%media%</i><b>%snapshot%</b>';

function row(record: Partial<RowRecord>, prompt = 'Q'): SampledRow {
  const whole = {
    id: 0,
    key: 'k',
    outcome: 'scored',
    score: 1,
    answer: 'A',
    ...record,
  } as RowRecord;
  const turns = [{ prompt: { type: 'text' as const, text: prompt }, answer: whole.answer ?? '' }];
  return { record: whole, verdict: verdictOf(whole, {}), turns };
}

function sampleOf(rows: readonly SampledRow[], dataset = 'arithmetic'): EvaluationSample {
  const totals = { failed: 0, unscored: 0, wrong: 0, partly: 0, scored: 0, right: 0 };
  for (const { verdict } of rows) totals[verdict] += 1;
  return { model: 'small-chat', dataset, rows, totals, ends: [] };
}

async function snapshotOf(
  samples: readonly EvaluationSample[],
  { maxBytes, results }: { maxBytes?: number; results?: ReturnType<typeof sampleResult>[] } = {},
): Promise<Snapshot> {
  return snapshotOfRun({
    summary: sampleSummary(results ? { results } : {}),
    samples,
    folder: 'runs/first',
    ruleOf: () => ({ evaluator: 'exact', postprocessors: [] }),
    maxBytes,
  });
}

function heldIn({ pieces }: Snapshot, evaluation = 0): readonly HeldRow[] {
  return pieces[rowsName(evaluation, 0)] as readonly HeldRow[];
}

test('nothing in a run ends the element that holds it, nor is taken for a place of the template', async () => {
  const hostile = sampleResult({ model: attack, dataset: attack });
  const texts = { answer: attack, extracted: attack, gold: attack, reason: attack };
  const sample = { ...sampleOf([row(texts, attack)]), model: attack, dataset: attack };
  const snapshot = await snapshotOf([sample], { results: [hostile] });
  const page = embedSnapshot(template, { ...snapshot, title: attack }, attack);
  expect(page.match(/<\/?(?:script|img)|<!--/g)).toBeNull();
  const json = /<b>(.*)<\/b>/s.exec(page)?.[1] ?? '';
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ ...snapshot, title: attack })));
  expect(heldIn(snapshot)[0]?.details.record).toMatchObject(texts);
  expect(page).toContain('<i>img-src data:; media-src data:</i>');
  const site = embedSnapshot(template, { ...snapshot, isSite: true }, '');
  expect(site).toContain("<i>img-src data: 'self'; media-src data: 'self'; connect-src 'self'</i>");
});

test('rows that ask for a look come first, and some right ones have room', async () => {
  const answer = 'x'.repeat(1000);
  const many = (count: number, score: number, first: number) =>
    Array.from({ length: count }, (_, index) => row({ id: first + index, score, answer }));
  const rows = [
    ...many(50, 1, 0),
    ...many(50, 0, 100),
    row({ id: 200, outcome: 'failed', answer }),
    row({ id: 201, outcome: 'unscored', answer }),
  ];
  const snapshot = await snapshotOf([sampleOf(rows)], { maxBytes: 40_000 });
  const held = heldIn(snapshot);
  const verdicts = held.map(({ details }) => (details as unknown as { verdict: Verdict }).verdict);
  const runs = verdicts.filter((verdict, index) => verdict !== verdicts[index - 1]);
  expect(runs).toEqual(['failed', 'unscored', 'wrong', 'right']);
  expect(verdicts.filter((verdict) => verdict === 'right').length).toBeGreaterThan(1);
  expect(JSON.stringify(held).length).toBeLessThan(40_000);
  expect(snapshot.evaluations[0]).toMatchObject({
    total: 102,
    counts: { failed: 1, unscored: 1, wrong: 50, right: 50, all: 102, problems: 52 },
    pieces: [held.length],
  });
  const columns = RowColumns.from(snapshot.pieces[columnsName(0)] as never);
  expect([...columns.ids.subarray(0, columns.length)]).toEqual(
    held.map(({ details }) => details.id),
  );
});

test('evaluations share the room, and what one leaves is for the others', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, id) => row({ id, score: 0, answer: 'x'.repeat(900) }));
  const results = ['a', 'b', 'c'].map((dataset) => sampleResult({ dataset }));
  const samples = results.map(({ dataset }, place) =>
    sampleOf(rows(place === 1 ? 2 : 60), dataset),
  );
  const snapshot = await snapshotOf(samples, { results, maxBytes: 90_000 });
  const counts = [0, 1, 2].map((index) => heldIn(snapshot, index).length);
  expect(counts[1]).toBe(2);
  expect(Math.abs((counts[0] ?? 0) - (counts[2] ?? 0))).toBeLessThanOrEqual(4);
  expect(JSON.stringify(snapshot.pieces).length).toBeGreaterThan(70_000);
});

test('rows go to their own evaluation, and one without rows says so', async () => {
  const results = [sampleResult({ dataset: 'first' }), sampleResult({ dataset: 'second' })];
  const snapshot = await snapshotOf([sampleOf([row({ id: 7 })], 'second')], { results });
  const ids = [0, 1].map((index) => heldIn(snapshot, index).map(({ details }) => details.id));
  expect(ids).toEqual([[], [7]]);
  expect(snapshot.evaluations.map(({ total }) => total)).toEqual([0, 1]);
});

test('long texts lose their middle, and the page knows how long they were', async () => {
  const prompt = `start${'x'.repeat(50_000)}end`;
  const snapshot = await snapshotOf([sampleOf([row({ answer: prompt }, prompt)])]);
  const [held] = heldIn(snapshot) as unknown as { details: object; prompt: object }[];
  expect(JSON.stringify(held?.prompt)).toMatch(/"start.*\[… 38008 characters left out …\].*end"/s);
  expect(held?.details).toMatchObject({ cut: [{ path: ['record', 'answer'], length: 50_008 }] });
});

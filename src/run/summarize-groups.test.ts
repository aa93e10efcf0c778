import { expect, test } from 'vitest';
import { hasInterval, type Measurement } from '../stats/estimate.ts';
import { MetricTally } from './metric-tally.ts';
import type { RowRecord } from './store/row-record.ts';
import { sampleRecord } from './store/sample-record.fixture.ts';
import { summarizeGroups } from './summarize-groups.ts';
import type { GroupResult, TaskResult } from './summary.ts';
import { openClusters } from './tallies.ts';

interface Member {
  readonly rows: readonly Partial<RowRecord>[];
  readonly by?: string;
}

const scorer = { metric: 'accuracy', direction: 'higher', range: [0, 1] } as const;

/** The average of datasets with these rows, and the results that it is of. */
async function averageOf(
  members: readonly Member[],
): Promise<{ readonly group: GroupResult | undefined; readonly results: readonly TaskResult[] }> {
  const names = members.map((_, place) => `d${place}`);
  const recorded = members.map(({ rows }, place) => ({
    model: 'm',
    dataset: `d${place}`,
    records: () => rows.map((row, id) => sampleRecord(id, row)),
  }));
  const results: TaskResult[] = [];
  for (const [place, { by }] of members.entries()) {
    const tally = new MetricTally(scorer, await openClusters(by));
    const records = recorded[place]?.records() ?? [];
    for (const record of records) {
      if (record.outcome === 'scored') tally.add(record);
      else tally.addWrong(record);
    }
    const scored = records.filter(({ outcome }) => outcome === 'scored').length;
    const failed = records.length - scored;
    const rows = { total: records.length, scored, unscored: 0, failed, missing: 0 };
    const name = { model: 'm', dataset: `d${place}` };
    const counts = { sent: 0, cached: 0, shared: 0 };
    results.push({
      ...{ ...name, ...tally.result, rows, reasons: [], tokens: { input: 0, output: 0 } },
      ...{ requests: counts, seconds: 0, promptHash: '' },
    });
  }
  const [group] = await summarizeGroups({ all: { datasets: names } }, { results, recorded });
  return { group, results };
}

function halfWidth(measured: Measurement | undefined): number {
  if (!hasInterval(measured)) throw new RangeError('no interval');
  return (measured.high - measured.low) / 2;
}

const rowAt = (id: number) => ({ row: `row ${id}`, score: Number(Math.floor(id / 4) % 3 > 0) });
const plain: Member = { rows: Array.from({ length: 120 }, (_, id) => rowAt(id)) };
const clusteredBy = (by: string, size: number): Member => ({
  by,
  rows: plain.rows.map((row, id) => ({ ...row, cluster: String(Math.floor(id / size)) })),
});

test.each<[string, Member, Member]>([
  ['the same rows twice', plain, plain],
  ['with and without clusters', plain, clusteredBy('doc', 4)],
  ['in clusters of two columns', clusteredBy('doc', 4), clusteredBy('user', 8)],
])('datasets on the same rows say no more than one: %s', async (_, one, other) => {
  const { group, results } = await averageOf([one, other]);
  const members = results.map(({ score }) => halfWidth(score));
  const mean = members.reduce((sum, width) => sum + width, 0) / members.length;
  expect(halfWidth(group?.score)).toBeCloseTo(mean, 6);
});

test('values of different columns make no clusters together', async () => {
  const others = (by: string, kind: string): Member => ({
    by,
    rows: plain.rows.map((row, id) => ({ ...row, row: `${kind} ${id}`, cluster: String(id) })),
  });
  const together = await averageOf([others('doc', 'a'), others('doc', 'b')]);
  const apart = await averageOf([others('doc', 'a'), others('user', 'b')]);
  expect(halfWidth(together.group?.score)).toBeGreaterThan(1.3 * halfWidth(apart.group?.score));
});

test('rows that failed in all datasets vary together in the average of all rows', async () => {
  // Of the scored rows the datasets are right about other ones; they fail on the same.
  const member = (right: number): Member => ({
    rows: Array.from({ length: 200 }, (_, id) =>
      id % 2 === 0
        ? { row: `row ${id}`, outcome: 'failed', score: undefined }
        : { row: `row ${id}`, score: Number(Math.floor(id / 2) % 4 !== right) },
    ),
  });
  const { group, results } = await averageOf([member(0), member(1)]);
  const [one = 0, other = 0] = results.map(({ allRows }) => halfWidth(allRows));
  expect(group?.allRows?.value).toBeCloseTo(0.375, 12);
  // Scores of 0 and 1 in rows as they are: the correlation of all rows is 0.4667.
  const scores = (right: number) =>
    Array.from({ length: 200 }, (_, id) =>
      id % 2 === 0 || Math.floor(id / 2) % 4 === right ? 0 : 1,
    );
  const product =
    scores(0).reduce<number>((sum, score, id) => sum + score * (scores(1)[id] ?? 0), 0) / 200;
  const correlation = (product - 0.375 ** 2) / (0.375 * 0.625);
  const expected = Math.sqrt(one ** 2 + other ** 2 + 2 * correlation * one * other) / 2;
  expect(correlation).toBeGreaterThan(0.4);
  expect(halfWidth(group?.allRows)).toBeCloseTo(expected, 2);
  expect(halfWidth(group?.score)).toBeLessThan(halfWidth(results[0]?.score));
});

test('a group without an average names the datasets that have no score', async () => {
  const failed: Member = { rows: [{ outcome: 'failed', score: undefined }] };
  const { group } = await averageOf([plain, failed]);
  expect(group).toMatchObject({ withoutScore: ['d1'] });
  expect(group?.score).toBeUndefined();
});

test('datasets count for their weights', async () => {
  const wrong: Member = { rows: plain.rows.map((row) => ({ ...row, score: 0 })) };
  const { results } = await averageOf([plain, wrong]);
  const groups = { all: { datasets: ['d0', 'd1'], weights: [3, 1] } };
  const [group] = await summarizeGroups(groups, { results, recorded: [] });
  const [first] = results;
  expect(group?.weights).toEqual([3, 1]);
  expect(group?.score?.value).toBeCloseTo(((first?.score?.value ?? 0) * 3) / 4, 12);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyedRandom } from '../../base/keyed-random.ts';
import {
  countChecks,
  countReasons,
  countRows,
  selectRows,
} from '../../report/snapshot/row-query.ts';
import { verdictOf } from '../../run/row-sample.ts';
import { readCurrentRows } from '../../run/store/current-rows.ts';
import { ProblemList } from '../../run/store/record-problem.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { sampleRecord } from '../../run/store/sample-record.fixture.ts';
import { RowTable } from './row-table.ts';

interface Log {
  readonly lines: readonly (RowRecord | string)[];
  /** The line that counts of each row, by number of line; left out: the run did not come to its end. */
  readonly counting?: ReadonlyMap<number, number>;
}

async function writeLog({ lines, counting }: Log) {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-table-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = { logFile: join(folder, 'a.jsonl'), indexFile: join(folder, 'a.index') };
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(files.logFile, texts.map((text) => `${text}\n`).join(''));
  if (counting) {
    const places = new Float64Array(Math.max(0, ...counting.keys()) + 1);
    for (const [id, line] of counting) {
      const before = texts
        .slice(0, line)
        .reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      places[id] = before + 1;
    }
    await writeFile(files.indexFile, new Uint8Array(places.buffer));
  }
  return files;
}

async function tableOf(files: { logFile: string; indexFile: string }): Promise<RowTable> {
  const table = new RowTable({ ...files, kind: {} });
  table.read();
  await table.wait(10_000);
  expect(table.isDone).toBe(true);
  return table;
}

/** Random logs: rows asked again, parts, failures, damaged lines. */
function randomLog(seed: number): Log {
  const random = keyedRandom(seed, 'log');
  const lines: (RowRecord | string)[] = [];
  const counting = new Map<number, number>();
  for (let step = 0; step < 60; step++) {
    const id = random.below(25);
    const draw = random.next();
    const score = random.below(3) / 2;
    if (draw < 0.1) lines.push(sampleRecord(id, { part: 'turn 1' }));
    else if (draw < 0.15) lines.push(`{"id":${id},"damaged`);
    else {
      const change: Partial<RowRecord> =
        draw < 0.3
          ? { outcome: 'failed', reason: `reason ${random.below(3)}`, score: undefined }
          : { score, answer: 'x'.repeat(random.below(90)), ms: random.below(500) };
      lines.push(sampleRecord(id, change));
      if (random.next() < 0.9) counting.set(id, lines.length - 1);
    }
  }
  return random.next() < 0.3 ? { lines } : { lines, counting };
}

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'a table says of log %i what every reader of logs says',
  async (seed) => {
    const files = await writeLog(randomLog(seed));
    const table = await tableOf(files);
    const wanted = new Map<number, RowRecord>();
    for await (const batch of readCurrentRows(files, { problems: new ProblemList() })) {
      for (const { record } of batch) wanted.set(record.id, record);
    }
    const ids = selectRows([table], { show: 'all', sort: 'id', order: 'up' });
    expect([...ids]).toEqual([...wanted.keys()].sort((left, right) => left - right));
    const counts = countRows([table]);
    for (const verdict of ['right', 'partly', 'wrong', 'failed'] as const) {
      const of = [...wanted.values()].filter((record) => verdictOf(record, {}) === verdict);
      expect(counts[verdict]).toBe(of.length);
      const found = selectRows([table], { show: verdict, sort: 'ms', order: 'down' });
      expect(new Set(found)).toEqual(new Set(of.map(({ id }) => id)));
      const times = [...found].map((id) => wanted.get(id)?.ms ?? Number.NEGATIVE_INFINITY);
      expect(times).toEqual([...times].sort((left, right) => right - left));
    }
  },
);

test('a log that grows is read on from where it was read to', async () => {
  const files = await writeLog({ lines: [sampleRecord(0), sampleRecord(1, { score: 0 })] });
  const table = await tableOf(files);
  expect(table.counts).toMatchObject({ right: 1, wrong: 1 });
  const more = [sampleRecord(1), sampleRecord(2)].map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(files.logFile, more.join(''), { flag: 'a' });
  table.read();
  await table.wait(10_000);
  expect(table.counts).toMatchObject({ right: 3, wrong: 0 });
  expect(table.offsetsOf(1)).toHaveLength(2);
});

test('rows that ended otherwise before they were asked again have changed', async () => {
  const failed = { outcome: 'failed', reason: 'timeout', score: undefined } as const;
  const lines = [
    ...[sampleRecord(0), sampleRecord(1, { score: 0 }), sampleRecord(2, failed), sampleRecord(3)],
    ...[sampleRecord(0), sampleRecord(1), sampleRecord(2), sampleRecord(4, { part: 'turn 1' })],
  ];
  const counting = new Map([4, 5, 6, 3].map((line, id) => [id, line]));
  for (const log of [{ lines }, { lines, counting }]) {
    const table = await tableOf(await writeLog(log));
    expect(countRows([table])).toMatchObject({ changed: 2, right: 4 });
    const found = selectRows([table], { show: 'changed', sort: 'id', order: 'up' });
    expect([...found]).toEqual([1, 2]);
  }
});

test('rows are grouped by the checks that they did not pass, those of several tables once', async () => {
  const checks = (...failed: string[]): Partial<RowRecord> => ({
    score: failed.length === 0 ? 1 : 0,
    checks: ['short', 'polite', 'json'].map((name) => ({
      name,
      score: failed.includes(name) ? 0 : 1,
      passed: !failed.includes(name),
    })),
  });
  const lost = { outcome: 'failed', reason: 'timeout', score: undefined } as const;
  const one = await tableOf(
    await writeLog({
      lines: [
        ...[sampleRecord(0, checks('short', 'json')), sampleRecord(1, checks('json'))],
        ...[sampleRecord(2, checks('polite')), sampleRecord(3, lost), sampleRecord(4, checks())],
        // Asked again: what counts of row 2 passes.
        sampleRecord(2, checks()),
      ],
    }),
  );
  const two = await tableOf(
    await writeLog({ lines: [sampleRecord(1, checks('json', 'polite')), sampleRecord(3, lost)] }),
  );
  const found = (tables: readonly RowTable[], check: string) => [
    ...selectRows(tables, { show: 'all', check, sort: 'id', order: 'up' }),
  ];
  expect(countChecks([one])).toEqual([
    { check: 'json', rows: 2 },
    { check: 'short', rows: 1 },
  ]);
  expect(found([one], 'json')).toEqual([0, 1]);
  expect(found([one], 'polite')).toEqual([]);
  expect(countChecks([one, two])).toEqual([
    { check: 'json', rows: 2 },
    { check: 'short', rows: 1 },
    { check: 'polite', rows: 1 },
  ]);
  expect(found([one, two], 'polite')).toEqual([1]);
  expect(countReasons([one, two])).toEqual([{ reason: 'timeout', rows: 1 }]);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCurrentRows } from '../../src/run/store/current-rows.ts';
import { LogDraft } from '../../src/run/store/log-draft.ts';
import { readRowIndex } from '../../src/run/store/read-row-index.ts';
import { RecordLookup } from '../../src/run/store/record-lookup.ts';
import { ProblemList } from '../../src/run/store/record-problem.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { sampleRecord } from '../../src/run/store/sample-record.fixture.ts';
import { Tally } from '../../src/run/summarize.ts';
import { readLoggedRows } from '../../src/study/compare/logged-rows.ts';

let files = { logFile: '', indexFile: '' };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-damage-'));
  files = { logFile: join(folder, 'd.jsonl'), indexFile: join(folder, 'd.index') };
});
afterAll(() => rm(folder, { recursive: true }));

const lineOf = (record: unknown) => `${JSON.stringify(record)}\n`;

const records = [
  ...Array.from({ length: 6 }, (_, id) => sampleRecord(id, { score: id % 2, answer: '日本 \\ "' })),
  sampleRecord(6, { outcome: 'unscored', score: undefined, reason: 'no answer found' }),
  sampleRecord(7, { outcome: 'failed', score: undefined, reason: 'timeout' }),
  sampleRecord(8, { cell: '["a","b"]', counts: [1, 2], metrics: { f1: 0.5 }, tokens: [1, 2] }),
  sampleRecord(9, {
    cell: '["a","a"]',
    counts: [3, 4],
    samples: [2, 1],
    loglikelihoods: [],
    logprobs: [],
  }),
];

async function write(hasIndex: boolean): Promise<void> {
  await writeFile(files.logFile, records.map(lineOf).join(''));
  await rm(files.indexFile, { force: true });
  const { index } = await readRowIndex(files);
  if (hasIndex)
    await writeFile(
      files.indexFile,
      index.toParts(() => true),
    );
}

const corruption = fc.oneof(
  fc.record({ type: fc.constant('byte'), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ type: fc.constant('insert'), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ type: fc.constant('delete'), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ type: fc.constant('line'), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ type: fc.constant('cut'), at: fc.nat(), value: fc.nat(255) }),
);

function corrupt(bytes: Buffer, { type, at, value }: { type: string; at: number; value: number }) {
  const place = at % bytes.length;
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place + 1)];
  const byte = Buffer.from([value]);
  if (type === 'byte') return Buffer.concat([before, byte, after]);
  if (type === 'insert') return Buffer.concat([before, byte, bytes.subarray(place)]);
  if (type === 'delete') return Buffer.concat([before, after]);
  if (type === 'cut') return before;
  const lines = bytes.toString().split('\n');
  lines[at % (lines.length - 1)] = '\0'.repeat(value);
  return Buffer.from(lines.join('\n'));
}

const scorer = {
  metric: 'bleu',
  direction: 'higher',
  range: [0, 1],
  datasetMetrics: [
    { name: 'bleu', direction: 'higher', range: [0, 1], type: 'sums', measure: () => 0.5 },
    {
      name: 'table',
      direction: 'higher',
      range: [0, 1],
      type: 'cells',
      measure: (cells: readonly string[]) => {
        for (const cell of cells) JSON.parse(cell);
        return () => 0.5;
      },
    },
  ],
} as const;

it.each([true, false])('survives any damage to a byte or a line (index: %s)', async (hasIndex) => {
  const range = [0, 1] as const;
  await fc.assert(
    fc.asyncProperty(corruption, async (damage) => {
      await write(hasIndex);
      const whole = Buffer.from(records.map(lineOf).join(''));
      const bytes = corrupt(whole, damage);
      await writeFile(files.logFile, bytes);

      const rows: RowRecord[] = [];
      const problems = new ProblemList();
      for await (const batch of readCurrentRows(files, { range, problems })) {
        rows.push(...batch.map(({ record }) => record));
      }
      const scores = rows.map(({ score = 0 }) => score);
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      // One damage hits one line, or joins two.
      const lost = damage.type === 'cut' ? records.length : 2;
      expect(rows.length).toBeGreaterThanOrEqual(records.length - lost);

      const tally = new Tally(scorer);
      for (const row of rows) tally.add(row);
      expect([tally.result.metric, tally.failed <= 1]).toEqual(['bleu', true]);
      const logged = await readLoggedRows(files, range);
      expect([...logged.ids()].length).toBe(rows.length);
      await readRowIndex(files, range);
      const draft = await LogDraft.open(files, range);
      for (const id of draft.ids()) await draft.read(id);
      await draft.keepOthers();
      await draft.close();
      await draft.discard();
      if (!hasIndex) return;
      const reader = await RecordLookup.open({
        logFile: files.logFile,
        indexFile: files.indexFile,
      });
      for (const { id } of records) expect([id, undefined]).toContain((await reader.row(id))?.id);
      await reader.close();
    }),
    { numRuns: 60 },
  );
});

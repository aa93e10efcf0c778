import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RecordLookup } from './record-lookup.ts';
import { sampleRecord } from './sample-record.fixture.ts';

test('records near and far, in any order, and longer than what is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-score-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sizes = [10, 3_000_000, 5_000_000, 0, 200];
  const lines = sizes.map(
    (size, id) => `${JSON.stringify(sampleRecord(id, { answer: '日'.repeat(size / 3) }))}\n`,
  );
  const file = join(folder, 'log.jsonl');
  await writeFile(file, lines.join(''));
  const offsets = lines.map((_, id) => Buffer.byteLength(lines.slice(0, id).join('')));
  const reader = await RecordLookup.open({ logFile: file });
  for (const id of [0, 4, 1, 3, 2, 0, 4]) {
    const record = await reader.recordAt(offsets[id] ?? 0);
    expect([record.id, record.answer?.length]).toEqual([id, Math.floor((sizes[id] ?? 0) / 3)]);
  }
  await expect(reader.recordAt(1)).rejects.toMatchObject({ code: 'run.torn_log' });
  await reader.close();
});

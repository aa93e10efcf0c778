import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCurrentRows } from './current-rows.ts';
import { LogDraft } from './log-draft.ts';
import { readRowIndex } from './read-row-index.ts';
import { describeProblems, ProblemList } from './record-problem.ts';
import type { RowRecord } from './row-record.ts';
import { sampleRecord } from './sample-record.fixture.ts';

let files = { logFile: '', indexFile: '' };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-rows-'));
  files = { logFile: join(folder, 'd.jsonl'), indexFile: join(folder, 'd.index') };
});
afterAll(() => rm(folder, { recursive: true }));

const lineOf = (record: unknown) => `${JSON.stringify(record)}\n`;

/** Writes a log, and an index of the newest records of some rows. */
async function write(
  records: readonly RowRecord[],
  isTaken: ((id: number) => boolean) | undefined,
) {
  await writeFile(files.logFile, records.map(lineOf).join(''));
  await rm(files.indexFile, { force: true });
  const { index } = await readRowIndex(files);
  if (isTaken) await writeFile(files.indexFile, index.toParts(isTaken));
}

async function read(range?: readonly [number, number]) {
  const problems = new ProblemList();
  const rows: RowRecord[] = [];
  for await (const batch of readCurrentRows(files, { range, problems })) {
    rows.push(...batch.map(({ record }) => record));
  }
  const faults = problems.items.map(({ line, reason }) => `${line}: ${reason}`);
  return { rows: rows.map(({ id, score }) => `${id}=${score}`), faults };
}

const history = [
  sampleRecord(0, { score: 0 }),
  sampleRecord(1),
  sampleRecord(1, { part: 'turn 1', score: 0 }),
  sampleRecord(2),
  sampleRecord(0),
];

it('takes the newest record of the rows of the last run', async () => {
  await write(history, (id) => id < 2);
  expect(await read()).toEqual({ rows: ['1=1', '0=1'], faults: [] });
  await write(history, undefined);
  expect(await read()).toEqual({ rows: ['1=1', '2=1', '0=1'], faults: [] });
});

it('does not take an older record for a damaged one', async () => {
  await write(history, () => true);
  const lines = history.map(lineOf);
  await writeFile(files.logFile, [...lines.slice(0, -1), lines[0]?.replace('{', '[')].join(''));
  expect(await read()).toEqual({ rows: ['1=1', '2=1'], faults: ['5: not JSON'] });
  const { index, problems } = await readRowIndex(files);
  expect([index.offsetOf(0), problems.total]).toEqual([undefined, 1]);
});

it('is silent about damaged lines that no row needs', async () => {
  await write(history, () => true);
  const [first = '', ...lines] = history.map(lineOf);
  await writeFile(files.logFile, [first.replace('{', '['), ...lines].join(''));
  expect(await read()).toEqual({ rows: ['1=1', '2=1', '0=1'], faults: [] });
  expect((await readRowIndex(files)).problems.total).toBe(0);
});

it('finds records that moved because a line was taken out by hand', async () => {
  await write(history, () => true);
  const lines = history.map(lineOf);
  await writeFile(files.logFile, [...lines.slice(0, 1), ...lines.slice(2)].join(''));
  expect(await read()).toEqual({ rows: ['2=1', '0=1'], faults: [] });
});

it('leaves out scores that the metric cannot have, wherever they are', async () => {
  await write([...history, sampleRecord(2, { score: 7 })], () => true);
  const fault = '6: score 7 is not within 0 and 1';
  expect(await read([0, 1])).toEqual({ rows: ['1=1', '0=1'], faults: [fault] });
});

it('takes up little for a row with a wild number', async () => {
  await write([...history, sampleRecord(2 ** 31 - 1)], undefined);
  expect((await read()).rows.at(-1)).toBe('2147483647=1');
  const { index } = await readRowIndex(files);
  const bytes = Buffer.concat([...index.toParts((id) => id < 10)]);
  expect(bytes.length).toBe(24);
  const draft = await LogDraft.open(files);
  for (const id of draft.ids()) draft.write(sampleRecord(id));
  await draft.keepOthers();
  await draft.close();
  await draft.commit();
  expect((await stat(files.indexFile)).size).toBe(24);
  expect(describeProblems(draft.problems)).toEqual([
    `${files.logFile}:6 skipped: id 2147483647 is far beyond the other rows`,
  ]);
});

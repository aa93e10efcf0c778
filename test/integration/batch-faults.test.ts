import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Batches } from '../../src/batch/batches.ts';
import { openAiModel } from '../../src/model/openai-model.ts';
import { type BatchServer, startBatchServer } from '../batch-server/start-batch-server.ts';
import { runCli, writeFolder } from './run-cli.ts';
import {
  configFor,
  countLines,
  endOf,
  readRows,
  runArguments,
  startRun,
  sums,
} from './run-task.ts';

const heapMb = 120;
const env = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };

async function folderFor(url: string, rows: number) {
  return writeFolder({ 'config.json': configFor(url), 'rows.jsonl': sums(rows) });
}

const requestsIn = ({ files }: BatchServer) => files.reduce((sum, { length }) => sum + length, 0);

it('results of 600 MB are read in little memory, and after a kill in their middle', async () => {
  await using server = await startBatchServer({ padding: { bytes: 100_000 } });
  const cwd = await folderFor(server.url, 6000);
  const running = startRun(cwd, '--batch');
  while ((await countLines(cwd)) < 500) await sleep(20);
  running.child.kill('SIGKILL');
  await endOf(running);
  const { code, stdout, stderr } = await runCli(runArguments('--batch'), { cwd, env });
  expect(stderr).not.toContain('heap');
  expect([code, JSON.parse(stdout).results[0].rows]).toEqual([
    0,
    expect.objectContaining({ scored: 6000, missing: 0 }),
  ]);
  expect(requestsIn(server)).toBe(6000);
  expect(await countLines(cwd)).toBe(6000);
  expect((await readdir(join(cwd, 'out'))).filter((name) => name.startsWith('batches.'))).toEqual([
    'batches.jsonl',
  ]);
}, 240_000);

it('long prompts wait in little memory, in as many batches as that takes', async () => {
  await using server = await startBatchServer({});
  const config = JSON.parse(configFor(server.url));
  const [{ infer_cfg }] = config.datasets;
  infer_cfg.prompt_template.template = `${'long '.repeat(10_000)}What is {question}?`;
  const cwd = await writeFolder({
    'config.json': JSON.stringify(config),
    'rows.jsonl': sums(1200),
  });
  const { code } = await runCli(runArguments('--batch'), { cwd, env });
  expect(code).toBe(0);
  expect(requestsIn(server)).toBe(1200);
  expect(server.files.length).toBeGreaterThan(2);
}, 240_000);

it('results that break off are read again, and nothing of them is asked twice', async () => {
  await using server = await startBatchServer({
    cutAfter: (download) => (download < 3 ? 10 * download : undefined),
    fateOf: (body, attempt) =>
      attempt === 1 && body.includes('is 29 + 7') ? { status: 429, message: 'later' } : 'answered',
  });
  const cwd = await folderFor(server.url, 30);
  const { code, stdout } = await runCli(runArguments('--batch'), { cwd });
  expect([code, JSON.parse(stdout).results[0].rows.scored]).toEqual([0, 30]);
  expect(server.files.map(({ length }) => length)).toEqual([30, 1]);
});

it.each([true, false])(
  'a batch that was made, though its answer was cut off, is found (marks kept: %s)',
  async (keepsMetadata) => {
    await using server = await startBatchServer({
      keepsMetadata,
      batchMs: 500,
      cutsOffBatch: (count) => count === 1,
    });
    const cwd = await folderFor(server.url, 20);
    const { code, stdout } = await runCli(runArguments('--batch'), { cwd });
    expect([code, JSON.parse(stdout).results[0].rows.scored]).toEqual([0, 20]);
    expect(server.files).toHaveLength(1);
  },
);

it('a run that is killed before it hears of its batch finds it, though the list fails at first', async () => {
  await using server = await startBatchServer({
    keepsMetadata: false,
    cutsOffBatch: () => true,
    failedLists: 2,
  });
  const cwd = await folderFor(server.url, 20);
  const running = startRun(cwd, '--batch');
  while (server.batches === 0) await sleep(10);
  running.child.kill('SIGKILL');
  await endOf(running);
  expect(await readFile(join(cwd, 'out/batches.jsonl'), 'utf8')).not.toContain('"id"');
  const { code } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(0);
  expect(server.files).toHaveLength(1);
  const alone = await folderFor(server.url, 20);
  expect((await runCli(runArguments(), { cwd: alone })).code).toBe(0);
  expect(await readRows(cwd, 20)).toEqual(await readRows(alone, 20));
});

it('a server that lists no batches is asked again', async () => {
  await using server = await startBatchServer({
    cutsOffBatch: (count) => count === 1,
    failedLists: Number.POSITIVE_INFINITY,
    listStatus: 404,
  });
  const cwd = await folderFor(server.url, 5);
  const { code } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(0);
  expect(server.files).toHaveLength(2);
});

it('a batch that waits for room goes out when another is lost', async () => {
  await using server = await startBatchServer({
    most: 1,
    batchMs: 60_000,
    lostBatch: 'batch_1',
  });
  const path = await writeFolder({});
  const { url: baseUrl } = server;
  const config = { abbr: 'm', type: 'OpenAI', baseUrl, source: [] } as const;
  const model = openAiModel({ takes: 'messages', baseUrl, model: 'm', source: [] });
  const batches = await Batches.open({ path }, { requests: 5, bytes: 1e9 });
  const asked = batches.meter(model, config, undefined);
  const { signal } = new AbortController();
  const answers = Array.from({ length: 10 }, async (_, id) =>
    asked.generate({ prompt: { type: 'text', text: `${id} + 1` } }, { signal }).catch(() => 'lost'),
  );
  // The server has no room for the second batch, and then forgets the first.
  const [first] = await Promise.all(answers.slice(0, 5));
  expect(first).toBe('lost');
  const sent = server.files.length;
  while (server.files.length === sent) await sleep(50);
  expect(server.files.at(-1)).toEqual(server.files[1]);
  await batches.close();
  await model.close();
}, 20_000);

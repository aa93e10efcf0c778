import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keyedRandom } from '../../src/base/keyed-random.ts';
import { maxLosses } from '../../src/queue/names.ts';
import { type Fault, startFaultServerProcess } from '../fault-server/index.ts';
import { runCli, writeFolder } from '../integration/run-cli.ts';
import {
  configFor,
  countLines,
  endOf,
  readRows,
  runArguments,
  startRun,
  sums,
} from '../integration/run-task.ts';
import { hasRedis, startRedis } from '../redis/start-redis.ts';
import { type StartedWorker, startWorker } from '../redis/start-worker.ts';

const faults: readonly Fault[] = [
  { type: 'status', status: 429, headers: { 'retry-after-ms': '50' } },
  { type: 'status', status: 503 },
  { type: 'reset' },
  { type: 'half-body' },
  { type: 'invalid-json' },
];
const rates = faults.map((fault) => ({ rate: 0.05 / faults.length, fault }));
const rows = 20_000;
const flags = ['--timeout', '5', '--retries', '20'];

it.skipIf(!hasRedis)(
  'workers killed every few seconds, the run twice and Redis once: the result of a single process',
  { timeout: 900_000 },
  async () => {
    const seed = Number(process.env.TYPECASE_SEED ?? Date.now());
    const random = keyedRandom(seed, 'queue');
    await using server = await startFaultServerProcess({ seed: 3, rates, latencyMs: 20 });
    const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(rows) };
    const alone = await writeFolder(files);
    expect((await runCli(runArguments(...flags), { cwd: alone })).code).toBe(0);
    const before = (await server.stats()).requests;

    await using redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'everysec');
    const start = () => startWorker(redis, { args: ['--concurrency', '16'] });
    const workers = await Promise.all(Array.from({ length: 4 }, start));
    const cwd = await writeFolder(files);
    const queued = ['--queue', redis.address, ...flags];
    const lost = { workers: 0, runs: 0, redis: 0 };
    let isOver = false;
    const killing = killWorkers();
    for (const share of [0.25, 0.6]) {
      const running = startRun(cwd, ...queued);
      while ((await countLines(cwd)) < share * rows && running.child.exitCode === null) {
        await sleep(250);
      }
      if (lost.redis === 0 && share > 0.5) {
        await redis.restart();
        lost.redis += 1;
        await sleep(2000);
      }
      running.child.kill('SIGKILL');
      await endOf(running);
      lost.runs += 1;
    }
    const { code, stdout, stderr } = await runCli(runArguments(...queued), { cwd });
    isOver = true;
    await killing;
    for (const worker of workers) await worker.kill();
    const asked = (await server.stats()).requests - before;
    process.stdout.write(
      `seed ${seed}: lost ${JSON.stringify(lost)}; ${asked} requests for ${rows} rows, ${before} by a single process\n`,
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).results[0].rows).toMatchObject({
      scored: rows,
      failed: 0,
      missing: 0,
    });
    expect(await readRows(cwd, rows)).toEqual(await readRows(alone, rows));
    const ids = (await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(ids).toHaveLength(rows);
    expect(lost.workers).toBeGreaterThan(2);

    async function killWorkers(): Promise<void> {
      while (!isOver) {
        await sleep(2000 + random.next() * 3000);
        if (isOver) return;
        const place = Math.floor(random.next() * workers.length);
        await (workers[place] as StartedWorker).kill();
        lost.workers += 1;
        workers[place] = await start();
      }
    }
  },
);

it.skipIf(!hasRedis)(
  'a row that workers die of fails by name, and takes no other with it',
  async () => {
    await using redis = await startRedis();
    const cwd = await writeFolder({
      'config.mjs': `export default {
      models: [{ abbr: 'm', version: '1', generate: async ({ row }) => {
        if (row.question === '5 + 7') process.kill(process.pid, 'SIGKILL');
        return row.question;
      } }],
      datasets: [{
        abbr: 'd', path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      }],
    };`,
      'rows.jsonl': sums(40),
    });
    let isOver = false;
    let lost = 0;
    const working = keepWorking();
    const { code, stderr } = await runCli(
      ['run', 'config.mjs', '--out', 'out', '--json', '--queue', redis.address],
      { cwd },
    );
    isOver = true;
    await working;
    expect(code).toBe(3);
    expect(stderr).toContain('1 row failed');
    const lines = (await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8')).trimEnd().split('\n');
    const failed = lines.filter((line) => line.includes('was lost'));
    expect([lines.length, failed.length]).toEqual([40, 1]);
    expect(failed[0]).toContain('"id":5');
    expect(lost).toBe(2 * (maxLosses + 1));

    /** Starts a worker again as often as it is lost. */
    async function keepWorking(): Promise<void> {
      while (!isOver) {
        const worker = await startWorker(redis, { args: ['config.mjs'], cwd });
        while (worker.child.exitCode === null && worker.child.signalCode === null && !isOver) {
          await sleep(50);
        }
        if (!isOver) lost += 1;
        await worker.kill();
      }
    }
  },
);

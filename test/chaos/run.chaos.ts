import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keyedRandom } from '../../src/base/keyed-random.ts';
import { type Fault, startFaultServer } from '../fault-server/index.ts';
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

const faults: readonly Fault[] = [
  { type: 'status', status: 429, headers: { 'retry-after-ms': '50' } },
  { type: 'status', status: 500 },
  { type: 'status', status: 503 },
  { type: 'reset' },
  { type: 'hang' },
  { type: 'half-body' },
  { type: 'invalid-json' },
  { type: 'web-page' },
  { type: 'late-error', message: 'out of memory' },
  { type: 'slow-stream', pauseMs: 5 },
];
const rates = faults.map((fault) => ({ rate: 0.2 / faults.length, fault }));
const kills = 20;

it.each([
  ['whole answers', {}],
  ['streams', { generation_kwargs: { stream: true } }],
])('a fifth of all requests faulty, %s: every row ends once', async (_name, model) => {
  const rows = 5000;
  await using server = await startFaultServer({ seed: 11, rates, latencyMs: 2 });
  const config = configFor(server.url, model);
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(rows) });
  const { code, stdout } = await runCli(runArguments('--timeout', '2'), { cwd });
  const [result] = JSON.parse(stdout).results;
  expect(code).toBe(result.rows.failed > 0 ? 3 : 0);
  expect(result.rows.scored + result.rows.failed).toBe(rows);
  expect(result.rows.missing).toBe(0);
  expect(await countLines(cwd)).toBe(rows);
  expect((await server.stats()).requests).toBe(result.requests.sent);
  for (const [id, record] of (await readRows(cwd, rows)).entries()) {
    if (record.outcome === 'failed') expect(record.reason).toMatch(/\w/);
    else expect(record).toMatchObject({ id, outcome: 'scored', answer: String(id + 7) });
  }
});

it.each([
  ['a server in good order', { latencyMs: 10 }],
  ['a fifth of all requests faulty', { latencyMs: 5, rates, seed: 5 }],
])(
  `killed ${kills} times at any moment, %s: the result of an undisturbed run`,
  async (name, options) => {
    const rows = 3000;
    const flags = ['--timeout', '2', '--retries', '20'];
    const files = { 'rows.jsonl': sums(rows) };
    await using server = await startFaultServer(options);
    const config = configFor(server.url);
    const untouched = await writeFolder({ ...files, 'config.json': config });
    expect((await runCli(runArguments(...flags), { cwd: untouched })).code).toBe(0);
    const cwd = await writeFolder({ ...files, 'config.json': config });
    const random = keyedRandom(Date.now(), name);
    const progress: number[] = [];
    for (let kill = 0; kill < kills && (progress.at(-1) ?? 0) < rows * 0.8; kill++) {
      const { requests } = await server.stats();
      const rowsBefore = progress.at(-1) ?? 0;
      const running = startRun(cwd, '--concurrency', '2', ...flags);
      // By what it has done, and not by the clock: on a busy machine all takes longer.
      const place = 1 + random.below(rows / kills);
      const isThere =
        kill % 2 === 0
          ? async () => (await server.stats()).requests >= requests + (place % 4)
          : async () => (await countLines(cwd)) >= rowsBefore + place;
      while (running.child.exitCode === null && !(await isThere())) await sleep(2);
      // Some die before they have asked anything.
      if (kill % 4 === 0) await sleep(random.next() * 20);
      running.child.kill('SIGKILL');
      await endOf(running);
      progress.push(await countLines(cwd));
      await expect(readFile(join(cwd, 'out/summary.json'))).rejects.toThrow('ENOENT');
    }
    console.log(`rows in the log after each kill: ${progress.join(' ')}`);
    expect(new Set(progress).size).toBeGreaterThanOrEqual(kills / 4);
    expect((await runCli(runArguments(...flags), { cwd })).code).toBe(0);
    expect(await readRows(cwd, rows)).toEqual(await readRows(untouched, rows));
    const [one, other] = await Promise.all(
      [cwd, untouched].map(async (folder) =>
        JSON.parse(await readFile(join(folder, 'out/summary.json'), 'utf8')),
      ),
    );
    expect([one.complete, one.results[0].rows, one.results[0].score]).toEqual([
      true,
      other.results[0].rows,
      other.results[0].score,
    ]);
  },
);

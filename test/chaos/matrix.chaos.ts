import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
import { report, seed } from './table.ts';

const faults: readonly (readonly [string, Fault])[] = [
  ['status 408', { type: 'status', status: 408 }],
  ['status 429, Retry-After', { type: 'status', status: 429, headers: { 'retry-after': '0.05' } }],
  [
    'status 429, Retry-After < 0',
    { type: 'status', status: 429, headers: { 'retry-after': '-5' } },
  ],
  ['status 500', { type: 'status', status: 500 }],
  ['status 503, an HTML body', { type: 'status', status: 503, body: '<html>busy</html>' }],
  ['connection reset', { type: 'reset' }],
  ['no answer', { type: 'hang' }],
  ['no answer after headers', { type: 'hang', afterHeaders: true }],
  ['half a body', { type: 'half-body' }],
  ['no JSON', { type: 'invalid-json' }],
  ['a web page', { type: 'web-page' }],
  ['too large a body', { type: 'huge', bytes: 80_000_000 }],
  ['an error after 200', { type: 'late-error', message: 'out of memory' }],
  ['a slow stream', { type: 'slow-stream', pauseMs: 5 }],
  ['a stream that is cut', { type: 'cut-stream' }],
  ['a stream that stays open', { type: 'open-end' }],
];
const rows = 150;

test.each(faults)('%s: rows are those of an undisturbed run', async (name, fault) => {
  for (const stream of [false, true]) {
    const rate = fault.type === 'huge' ? 0.02 : 0.3;
    await using server = await startFaultServer({ seed, rates: [{ rate, fault }] });
    const config = configFor(server.url, { stream });
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(rows) });
    const { code, stdout } = await runCli(runArguments('--timeout', '1', '--retries', '30'), {
      cwd,
    });
    const [result] = JSON.parse(stdout).results;
    expect([name, stream, code, result.rows.scored]).toEqual([name, stream, 0, rows]);
    for (const [id, record] of (await readRows(cwd, rows)).entries()) {
      expect(record).toMatchObject({ id, answer: String(id + 7) });
    }
    const { requests } = await server.stats();
    expect(requests).toBe(result.requests.sent);
    report(`${name}${stream ? ', streamed' : ''}`, {
      rows,
      right: rows,
      failed: 0,
      requests,
      'lines in the log': await countLines(cwd),
    });
  }
});

test.each([
  ['status 400', { type: 'status', status: 400 }],
  ['status 413', { type: 'status', status: 413 }],
  ['no JSON, always', { type: 'invalid-json' }],
  ['no answer, always', { type: 'hang' }],
] satisfies [string, Fault][])(
  '%s for one row: it fails, and the others are right',
  async (name, fault) => {
    await using server = await startFaultServer({ seed, rules: [{ prompt: 'is 9 +', fault }] });
    const cwd = await writeFolder({
      'config.json': configFor(server.url),
      'rows.jsonl': sums(rows),
    });
    const { code, stdout } = await runCli(runArguments('--timeout', '0.5', '--retries', '3'), {
      cwd,
    });
    const [result] = JSON.parse(stdout).results;
    expect([code, result.rows.failed, result.rows.scored]).toEqual([3, 1, rows - 1]);
    expect((await readRows(cwd, rows))[9]).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/\w/),
    });
    report(name, { rows, right: rows - 1, failed: 1, requests: result.requests.sent });
  },
);

const changes: Readonly<Record<string, (file: string, text: string) => Promise<void>>> = {
  'data with a byte more in each row': (file, text) =>
    writeFile(file, text.replaceAll('"}', ' "}')),
  'data cut at the end of a row': (file, text) =>
    truncate(file, text.indexOf('\n', text.length / 2) + 1),
  'data cut inside a row': (file, text) => truncate(file, Math.floor(text.length / 2)),
  'data with more rows': (file) => appendFile(file, sums(50)),
};

test.each(Object.keys(changes))('%s during a run is never mixed in', async (name) => {
  const many = 4000;
  const text = sums(many).replaceAll('"question":"', `"question":"${' '.repeat(2000)}`);
  await using server = await startFaultServer({ latencyMs: 5 });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': text });
  const running = startRun(cwd, '--concurrency', '16');
  while ((await server.stats()).requests < 200) await sleep(20);
  await changes[name]?.(join(cwd, 'rows.jsonl'), text);
  const code = await endOf(running);
  expect([name, code]).not.toEqual([name, 0]);
  expect(running.stderr).toMatch(/error\[data\.\w+\].*|changed/);
  report(name, { exit: code });
  await writeFile(join(cwd, 'rows.jsonl'), text);
  const again = await runCli(runArguments(), { cwd });
  expect([again.code, JSON.parse(again.stdout).results[0].rows]).toMatchObject([
    0,
    { total: many, scored: many },
  ]);
});

test('a disk that is full at any moment: nothing is lost, and the run goes on when there is room', async () => {
  const random = keyedRandom(seed, 'disk');
  await using server = await startFaultServer({ latencyMs: 1 });
  const config = configFor(server.url);
  for (let round = 0; round < 6; round++) {
    const disk = await mkdtemp(join(tmpdir(), 'typecase-disk-'));
    const kilobytes = 4 + 4 * random.below(40);
    const { status } = spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${kilobytes}k`,
      'tmpfs',
      disk,
    ]);
    onTestFinished(async () => {
      spawnSync('umount', ['-l', disk]);
      await rm(disk, { recursive: true, force: true });
    });
    expect(status, 'only root can mount the small disk that this test fills').toBe(0);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(1000) });
    const args = ['run', 'config.json', '--out', join(disk, 'out'), '--json'];
    const full = await runCli(args, { cwd });
    expect([kilobytes, full.code]).toEqual([kilobytes, 3]);
    expect(full.stderr).toContain('ENOSPC');
    spawnSync('mount', ['-o', 'remount,size=8m', disk]);
    const { code, stdout } = await runCli(args, { cwd });
    const [result] = JSON.parse(stdout).results;
    expect([code, result.rows.scored]).toEqual([0, 1000]);
    const log = await readFile(join(disk, 'out/m/d.jsonl'), 'utf8');
    expect(log.includes('\0')).toBe(false);
    report(`a disk of ${kilobytes} kB, then room`, {
      rows: 1000,
      right: result.rows.scored,
      'asked again': result.requests.sent,
    });
  }
});

test('a process that is stopped for longer than its time limit', async () => {
  await using server = await startFaultServer({ latencyMs: 50 });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(400) });
  const running = startRun(cwd, '--concurrency', '8', '--timeout', '2', '--retries', '5');
  while ((await server.stats()).requests < 40) await sleep(20);
  running.child.kill('SIGSTOP');
  await sleep(5000);
  running.child.kill('SIGCONT');
  expect(await endOf(running)).toBe(0);
  expect(await countLines(cwd)).toBe(400);
  report('stopped for 5 s with a limit of 2 s', { rows: 400, right: 400, failed: 0 });
});

test('a run folder that goes away', async () => {
  await using server = await startFaultServer({ latencyMs: 20 });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(600) });
  const running = startRun(cwd, '--concurrency', '4');
  while ((await server.stats()).requests < 40) await sleep(20);
  const held = await open(join(cwd, 'out/m/d.jsonl'));
  // The run may write into it meanwhile.
  await rm(join(cwd, 'out'), { recursive: true, maxRetries: 20, retryDelay: 10 });
  const code = await endOf(running);
  await held.close();
  expect([code, running.stderr]).toEqual([3, expect.stringContaining('error[')]);
  report('a folder deleted during the run', { exit: code });
});

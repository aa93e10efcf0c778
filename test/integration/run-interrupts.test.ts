import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, endOf, runArguments, startRun, sums } from './run-task.ts';

async function readSummary(cwd: string) {
  return JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
  '%s lets rows in flight finish; the next run asks the rest',
  async (signal) => {
    await using server = await startFaultServer({ latencyMs: 100 });
    const config = configFor(server.url);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(100) });
    const running = startRun(cwd, '--concurrency', '10');
    while ((await server.stats()).requests < 25) await sleep(5);
    running.child.kill(signal);
    expect(await endOf(running)).toBe(3);
    expect(running.stderr).toContain('Finishing requests in flight');
    expect(await readdir(join(cwd, 'out'))).not.toContain('.lock');
    const { requests } = await server.stats();
    const { complete, results } = await readSummary(cwd);
    expect(complete).toBe(false);
    expect(results[0].rows).toMatchObject({
      total: 100,
      scored: requests,
      missing: 100 - requests,
    });
    const { code } = await runCli(runArguments(), { cwd });
    expect([code, (await server.stats()).requests]).toEqual([0, 100]);
    expect((await readSummary(cwd)).complete).toBe(true);
  },
);

it('a second SIGINT ends rows in flight, which are asked again', async () => {
  const rules = [{ prompt: 'is 3 + 7', times: 1, fault: { type: 'hang' } as const }];
  await using server = await startFaultServer({ rules });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(30) });
  const running = startRun(cwd);
  while ((await countLines(cwd)) < 29) await sleep(20);
  running.child.kill('SIGINT');
  while (!running.stderr.includes('Finishing')) await sleep(5);
  await sleep(300);
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGINT');
  expect(await endOf(running)).toBe(3);
  const { results } = await readSummary(cwd);
  expect(results[0].rows).toMatchObject({ scored: 29, failed: 0, missing: 1 });
  const { code, stdout } = await runCli(runArguments(), { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results[0]).toMatchObject({
    rows: { scored: 30, missing: 0 },
    requests: { sent: 1 },
  });
});

it('an interrupt does not wait for a server that asked for patience', async () => {
  const headers = { 'retry-after': '99999999999' };
  const rules = [{ prompt: '3 + 7', fault: { type: 'status', status: 429, headers } as const }];
  await using server = await startFaultServer({ rules });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(5) });
  const running = startRun(cwd);
  while ((await countLines(cwd)) < 4) await sleep(20);
  running.child.kill('SIGINT');
  expect(await endOf(running)).toBe(3);
});

it('--max-time starts nothing more', async () => {
  await using server = await startFaultServer({ latencyMs: 50 });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(4000) });
  const { code, stderr } = await runCli(runArguments('--max-time', '0.3'), { cwd });
  expect(code).toBe(3);
  expect(stderr).toContain('Run the same command to resume');
  const { requests } = await server.stats();
  // Rows that were not even read are missing as well.
  expect((await readSummary(cwd)).results[0].rows).toMatchObject({
    total: 4000,
    scored: requests,
    missing: 4000 - requests,
  });
  expect(requests).toBeLessThan(4000);
});

it('a comparison with a run that was ended is marked as one of the rows reached', async () => {
  await using server = await startFaultServer({ latencyMs: 20 });
  const config = configFor(server.url);
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(100) });
  const other = ['--out', 'whole', '--max-out-len', '7'];
  expect((await runCli(['run', 'config.json', ...other], { cwd })).code).toBe(0);
  const running = startRun(cwd, '--concurrency', '10');
  while ((await server.stats()).requests < 140) await sleep(5);
  running.child.kill('SIGINT');
  expect(await endOf(running)).toBe(3);
  const compare = async (...more: string[]) =>
    (await runCli(['compare', 'whole', 'out', ...more], { cwd })).stdout;
  const mark = 'On the rows reached, which are not a random sample: ';
  expect((await compare()).replaceAll(/\s+/g, ' ')).toContain(mark);
  const [task] = JSON.parse(await compare('--json')).tasks;
  expect(task).toMatchObject({ partial: true, verdict: { text: expect.stringContaining(mark) } });
  expect((await runCli(runArguments(), { cwd })).code).toBe(0);
  const [finished] = JSON.parse(await compare('--json')).tasks;
  expect([finished.partial, finished.verdict.text.includes(mark)]).toEqual([undefined, false]);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Fault, startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, readRows, runArguments, sums } from './run-task.ts';

/** Faults, and what is said of a row that meets one every time. */
const faults: readonly [Fault, reason: string, kind: string][] = [
  [
    { type: 'status', status: 429, headers: { 'retry-after-ms': '20' } },
    '429 Too Many Requests',
    'rate_limit',
  ],
  [{ type: 'status', status: 500 }, '500 Internal Server Error: planned trouble', 'server_error'],
  [{ type: 'reset' }, 'closed the connection before the answer was complete', 'connection'],
  [{ type: 'hang' }, 'did not finish its answer within 0.5 s', 'timeout'],
  [{ type: 'hang', afterHeaders: true }, 'did not finish its answer within 0.5 s', 'timeout'],
  [{ type: 'half-body' }, 'closed the connection before the answer was complete', 'connection'],
  [{ type: 'invalid-json' }, 'sent a response without a completion', 'bad_response'],
  [{ type: 'web-page' }, 'a web page, “Sign in”', 'bad_response'],
  [{ type: 'late-error', message: 'out of memory' }, 'out of memory', 'server_error'],
];
const flags = ['--retries', '3', '--timeout', '0.5'];

/** Each fault for one row, on its first requests. */
function rulesFor(times: number) {
  return faults.map(([fault], id) => ({ prompt: `What is ${id} + 7?`, times, fault }));
}

describe.each([
  ['whole answers', {}],
  ['streams', { generation_kwargs: { stream: true, stream_options: { include_usage: true } } }],
])('%s', (_name, model) => {
  it('faults that pass are overcome', async () => {
    await using server = await startFaultServer({ rules: rulesFor(2) });
    const config = configFor(server.url, model);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(20) });
    const { code, stdout } = await runCli(runArguments(...flags), { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      rows: { total: 20, scored: 20 },
      requests: { sent: 20 + 2 * faults.length },
      reasons: [],
    });
    const rows = await readRows(cwd, 20);
    expect(rows.map(({ answer }) => answer)).toEqual(rows.map((_, id) => String(id + 7)));
  });

  it('faults that last fail their rows, which say why', async () => {
    await using server = await startFaultServer({ rules: rulesFor(3) });
    const config = configFor(server.url, model);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(20) });
    const { code, stdout } = await runCli(runArguments(...flags), { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).results[0].rows).toEqual({
      total: 20,
      scored: 20 - faults.length,
      unscored: 0,
      failed: faults.length,
      missing: 0,
    });
    const rows = await readRows(cwd, faults.length);
    const answers = sums(20)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).answer);
    expect(rows).toEqual(
      faults.map(([, reason, kind], id) => ({
        id,
        key: expect.any(String),
        prompt: expect.any(String),
        row: expect.any(String),
        gold: answers[id],
        outcome: 'failed',
        kind,
        reason: expect.stringContaining(reason),
      })),
    );
  });
});

it('a wrong content type, missing token counts and a very long answer are no faults', async () => {
  await using server = await startFaultServer({
    rules: [
      { prompt: '1 + 7', fault: { type: 'content-type', contentType: 'text/plain' } },
      { prompt: '2 + 7', fault: { type: 'no-usage' } },
      { prompt: '3 + 7', fault: { type: 'huge', bytes: 5_000_000 } },
    ],
  });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(5) });
  const { code } = await runCli(runArguments(), { cwd });
  expect(code).toBe(0);
  const rows = await readRows(cwd, 5);
  expect(rows.map(({ score }) => score)).toEqual([0, 1, 1, 0, 1]);
  expect(rows[2]).not.toHaveProperty('tokens');
  expect(rows[3]?.answer?.length).toBeGreaterThanOrEqual(5_000_000);
  const report = await readFile(join(cwd, 'out/report.html'), 'utf8');
  expect(report).toContain('characters left out');
  expect(report.length).toBeLessThan(300_000);
});

it('a first row that is refused does not end the run', async () => {
  const fault: Fault = { type: 'status', status: 400, message: 'too long' };
  await using server = await startFaultServer({ rules: [{ prompt: 'What is 0 + 7?', fault }] });
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(5) });
  const starts = [
    { requests: 5, flags: [] },
    { requests: 0, flags: [] },
    { requests: 1, flags: ['--retry', 'too_long'] },
    { requests: 0, flags: ['--retry', 'timeout,refused'] },
  ];
  for (const { requests, flags } of starts) {
    const { code, stdout } = await runCli(runArguments('--concurrency', '1', ...flags), { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      rows: { scored: 4, failed: 1 },
      requests: { sent: requests },
    });
  }
});

it('a server that goes away ends the run, and what there is gets summed up', async () => {
  const server = await startFaultServer({ latencyMs: 20 });
  const config = configFor(server.url);
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(400) });
  const command = runCli(runArguments('--concurrency', '8', '--retries', '2'), { cwd });
  while ((await countLines(cwd)) < 20) await sleep(20);
  await server[Symbol.asyncDispose]();
  const { code, stderr } = await command;
  expect(code).toBe(3);
  expect(stderr).toContain('error[model.connection_refused]');
  const summary = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
  expect(summary.complete).toBe(false);
  expect(summary.results[0].rows.scored).toBeGreaterThanOrEqual(20);
});

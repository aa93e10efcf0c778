import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, endOf, readRows, runArguments, startRun } from './run-task.ts';

const words = (count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => `w${(index * step) % 997}`).join(' ');

/** The first row is far too long for `ter`, the others take seconds, the last is an ordinary one. */
const rows = [
  { question: '0', answer: words(21_000), said: words(150_000) },
  ...[1, 2, 3, 4, 5].map((id) => ({
    question: String(id),
    answer: words(998 - id),
    said: words(4000, id),
  })),
  { question: '6', answer: words(4), said: words(4) },
];

async function startTalker(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      asked++;
      const id = Number(/What is (\d+)\?/.exec(body)?.[1]);
      const message = { role: 'assistant', content: rows[id]?.said };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
  };
}

async function writeTask(url: string): Promise<string> {
  const evaluator = { type: 'ter' };
  return writeFolder({
    'config.json': configFor(url, {}, { eval_cfg: { evaluator } }),
    'rows.jsonl': rows.map(({ said: _, ...row }) => `${JSON.stringify(row)}\n`).join(''),
  });
}

const scoresOf = async (cwd: string) =>
  (await readRows(cwd, rows.length)).map(({ outcome, score, counts, reason }) => ({
    outcome,
    score,
    counts,
    reason,
  }));

async function resultOf(cwd: string) {
  const { results } = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
  return [results[0].score, results[0].rows];
}

it('heavy scoring is ended by signals and --max-time within 2 s; the rest is scored later, to the same numbers', async () => {
  const server = await startTalker();
  const whole = await writeTask(server.url);
  const { code, stderr } = await runCli(runArguments(), { cwd: whole });
  expect([code, stderr]).toEqual([3, expect.stringContaining('too long for ter')]);
  const expected = await scoresOf(whole);
  expect(expected.map(({ outcome }) => outcome)).toEqual(['unscored', ...Array(6).fill('scored')]);
  expect(expected[0]?.reason).toContain('150,000 words');

  for (const stop of ['SIGINT', 'SIGTERM', '--max-time'] as const) {
    const cwd = await writeTask(server.url);
    const before = server.asked();
    const running = startRun(cwd, ...(stop === '--max-time' ? ['--max-time', '1'] : []));
    while (server.asked() < before + rows.length) await sleep(5);
    // All are answered and kept, and the second or third is being scored.
    while ((await countLines(cwd)) < rows.length) await sleep(5);
    const start = performance.now();
    if (stop !== '--max-time') running.child.kill(stop);
    expect([stop, await endOf(running)]).toEqual([stop, 3]);
    expect(performance.now() - start).toBeLessThan(2000);
    const { complete, results } = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
    expect([complete, results[0].rows.missing > 0]).toEqual([false, true]);
    const again = await runCli(runArguments(), { cwd });
    expect([again.code, server.asked()]).toEqual([3, before + rows.length]);
    expect(await scoresOf(cwd)).toEqual(expected);
    expect(await resultOf(cwd)).toEqual(await resultOf(whole));
  }

  const scored = await writeTask(server.url);
  await cp(join(whole, 'out'), join(scored, 'out'), { recursive: true });
  for (const config of [[], ['config.json']]) {
    expect((await runCli(['score', 'out', ...config], { cwd: scored })).code).toBe(3);
    expect(await scoresOf(scored)).toEqual(expected);
    expect(await resultOf(scored)).toEqual(await resultOf(whole));
  }
  const compared = await runCli(['compare', join(whole, 'out'), join(scored, 'out'), '--json'], {
    cwd: scored,
  });
  expect(compared.code).toBe(0);
  const [pair] = JSON.parse(compared.stdout).pairs;
  expect(pair).toMatchObject({ difference: { value: 0 } });
}, 120_000);

it('a pattern that takes for ever leaves the row unscored; a signal is heeded meanwhile', async () => {
  const server = await startTalker();
  expect(server.url).toBeTruthy();
});

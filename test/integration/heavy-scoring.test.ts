import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
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

const words = (count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => `w${(index * step) % 997}`).join(' ');

/** The first row is far too long for `ter`, the others take seconds, the last is an ordinary one. */
const rows = [
  { question: '0', answer: words(21_000), said: words(150_000) },
  ...[1, 2].map((id) => ({
    question: String(id),
    answer: words(998 - id),
    said: words(1400, id),
  })),
  { question: '3', answer: words(4), said: words(4) },
];

async function startTalker(
  say = (id: number) => rows[id]?.said,
): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      asked++;
      const id = Number(/What is (\d+)\?/.exec(body)?.[1]);
      const message = { role: 'assistant', content: say(id) };
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
  expect([code, stderr]).toEqual([3, expect.stringContaining('the scorer failed on 1 of 4 rows')]);
  const expected = await scoresOf(whole);
  expect(expected.map(({ outcome }) => outcome)).toEqual(['unscored', ...Array(3).fill('scored')]);
  expect(expected[0]?.reason).toMatch(/150,000 words .* too long for ter/);

  const cwd = await writeTask(server.url);
  const asked = server.asked() + rows.length;
  for (const stop of ['SIGINT', 'SIGTERM', '--max-time'] as const) {
    const lines = await countLines(cwd);
    const running = startRun(cwd, ...(stop === '--max-time' ? ['--max-time', '0.1'] : []));
    // What was answered is kept before it is scored.
    while ((await countLines(cwd)) < lines + 3) await sleep(5);
    const start = performance.now();
    if (stop !== '--max-time') running.child.kill(stop);
    expect([stop, await endOf(running)]).toEqual([stop, 3]);
    expect(performance.now() - start).toBeLessThan(2000);
    const { complete, results } = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
    expect([complete, results[0].rows.missing > 0]).toEqual([false, true]);
  }
  // What was answered and not scored is scored without asking again, by the log alone or by the config.
  for (const args of [[], ['config.json']]) {
    const kept = await writeTask(server.url);
    await cp(join(cwd, 'out'), join(kept, 'out'), { recursive: true });
    const ended = await runCli(['score', 'out', ...args], { cwd: kept });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('the scorer failed on 1 of 4 rows');
    expect(ended.stderr).not.toContain('not asked');
    expect(await scoresOf(kept)).toEqual(expected);
    expect(await resultOf(kept)).toEqual(await resultOf(whole));
  }
  expect((await runCli(runArguments(), { cwd })).code).toBe(3);
  expect(server.asked()).toBe(asked);
  expect(await scoresOf(cwd)).toEqual(expected);
  expect(await resultOf(cwd)).toEqual(await resultOf(whole));

  const scored = await writeTask(server.url);
  await cp(join(whole, 'out'), join(scored, 'out'), { recursive: true });
  expect((await runCli(['score', 'out'], { cwd: scored })).code).toBe(3);
  expect(await scoresOf(scored)).toEqual(expected);
  expect(await resultOf(scored)).toEqual(await resultOf(whole));
  const compared = await runCli(['compare', join(whole, 'out'), join(scored, 'out'), '--json'], {
    cwd: scored,
  });
  expect(compared.code).toBe(0);
  expect(JSON.parse(compared.stdout).tasks[0]).toMatchObject({
    leftOut: [{ rows: 1, reason: expect.stringContaining('too long for ter') }],
    result: { pairs: 3, difference: 0 },
  });
}, 240_000);

it('patterns that take for ever leave their rows unscored; a signal does not wait for all', async () => {
  const server = await startTalker(() => `${'a'.repeat(45)}b`);
  const cwd = await writeFolder({
    'config.json': configFor(
      server.url,
      {},
      { eval_cfg: { evaluator: { type: 'regex', pattern: '(a+)+$' } } },
    ),
    'rows.jsonl': sums(12),
  });
  const running = startRun(cwd);
  while ((await countLines(cwd)) < 13) await sleep(20);
  const start = performance.now();
  running.child.kill('SIGINT');
  expect(await endOf(running)).toBe(3);
  expect(performance.now() - start).toBeLessThan(2000);
  expect(await readRows(cwd, 1)).toMatchObject([
    {
      outcome: 'unscored',
      reason: 'pattern takes too long',
      detail: expect.stringContaining('takes more than a second'),
    },
  ]);
  // Nothing was cut short here: rows that the scorer gave up are doubtful by themselves.
  const { code, stderr } = await runCli(runArguments('--limit', '1'), { cwd });
  expect([code, stderr]).toEqual([3, expect.stringContaining('the scorer failed on 1 of 1 row')]);
});

it.each([
  ['range', '{% for i in range(10**9) %}{% endfor %}', /1,000,000,000/],
  ['brackets', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, /nest deeper than 200/],
  [
    'doubling',
    "{% set n = namespace(s='ab') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
    /more text/,
  ],
])('a hostile chat template: %s', async (_name, source, reason) => {
  const cwd = await writeFolder({
    'template.jinja': source,
    'config.json': configFor('http://127.0.0.1:9', {
      type: 'OpenAICompletions',
      chat_template: 'template.jinja',
    }),
    'rows.jsonl': sums(2),
  });
  for (const args of [['view', 'config.json'], runArguments()]) {
    const { code, stderr } = await runCli(args, {
      cwd,
      env: { NODE_OPTIONS: '--max-old-space-size=200' },
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(stderr).toContain('template.jinja');
  }
});

const sleeping = '```python\nimport time\ndef f():\n    time.sleep(5)\n    return 1\n```';
const slowPattern = { type: 'regex', pattern: '(a+)+$' };
const slowRows: readonly (readonly [string, string, object])[] = [
  [
    'a pattern',
    `${'a'.repeat(45)}b`,
    { evaluator: { type: 'exact' }, pred_postprocessor: slowPattern },
  ],
  [
    'programs',
    sleeping,
    { evaluator: { type: 'code', language: 'python', test: 'assert f() == 1', timeout: 8 } },
  ],
];

it.each(slowRows)(
  'answers that wait for %s do not keep a run from stopping; the next one scores them',
  async (_name, said, eval_cfg) => {
    const cwd = await writeFolder({
      'config.json': JSON.stringify({
        models: [{ abbr: 'm', type: 'Replay', answer_column: 'said' }],
        datasets: [
          {
            ...{ abbr: 'd', path: 'rows.jsonl', eval_cfg },
            reader_cfg: { input_columns: ['question'], output_column: 'answer' },
            infer_cfg: { prompt_template: { template: '{question}' } },
          },
        ],
      }),
      'rows.jsonl': Array.from(
        { length: 200 },
        (_, id) =>
          `${JSON.stringify({ question: `${id}`, answer: '1', said: `${id}\n${said}` })}\n`,
      ).join(''),
    });
    const running = startRun(cwd);
    while ((await countLines(cwd)) < 3) await sleep(20);
    await sleep(500);
    const start = performance.now();
    running.child.kill('SIGTERM');
    expect(await endOf(running)).toBe(3);
    expect(performance.now() - start).toBeLessThan(4000);
    const { complete, results } = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'));
    expect([complete, results[0].rows.missing > 100]).toEqual([false, true]);
  },
  30_000,
);

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { evaluate, openRun } from '../../src/index.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, endOf, startCommand, sums } from './run-task.ts';

const rows = sums(4)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** A config whose scorer does so for one of four rows. */
function configWith(url: string, body: string): string {
  return `const config = ${configFor(url)};
config.datasets[0].eval_cfg.evaluator = {
  type: 'function',
  metric: 'mine',
  score: (_answer, { row }) => { if (row.question === '2 + 7') { ${body} } return true; },
};
export default config;
`;
}

test.each([
  ['ends the process', 'process.exit(0);', 'ended early'],
  ['throws outside of its promise', 'setTimeout(() => { throw new Error("late"); });', 'late'],
])(
  'a scorer that %s ends no gated run or score with 0',
  async (_, body, told) => {
    await using server = await startFaultServer();
    const cwd = await writeFolder({
      'rows.jsonl': sums(4),
      'bad.config.mjs': configWith(server.url, body),
    });
    await evaluate(JSON.parse(configFor(server.url, {}, { rows, path: undefined })), {
      out: join(cwd, 'done'),
    });
    const gates = ['--fail-under', '0.1'];
    for (const command of [
      ['run', 'bad.config.mjs', '--out', 'out'],
      ['score', 'done', 'bad.config.mjs'],
    ]) {
      const ended = await runCli([...command, ...gates], { cwd });
      expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(told) });
      const written = await runCli([...command, ...gates, '--json'], { cwd });
      expect(JSON.parse(written.stdout)).toMatchObject({
        ...{ schemaVersion: 1, command: command[0], exitCode: 3 },
        errors: [{ message: expect.stringContaining('ended early') }],
      });
    }
  },
  60_000,
);

test('a scorer whose promise never settles leaves its row unscored, by name', async () => {
  await using server = await startFaultServer();
  const cwd = await writeFolder({
    'rows.jsonl': sums(4),
    'bad.config.mjs': configWith(server.url, 'return new Promise(() => {});'),
  });
  const ran = await runCli(['run', 'bad.config.mjs', '--out', 'out'], { cwd });
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain('the scorer failed on 1 of 4 rows, allowed 0');
  const reasons: unknown[] = [];
  for await (const row of (await openRun(join(cwd, 'out'))).rows()) reasons[row.id] = row.reason;
  const told = 'the scorer failed: the promise of the function `mine` never settles';
  expect(reasons).toEqual([undefined, undefined, told, undefined]);
}, 60_000);

const endless = 'return new Promise((go) => setTimeout(go, 1e9));';

test.each([
  ['--max-time', endless, ['--max-time', '1'], false],
  ['one interrupt', endless, [], true],
  ['one interrupt, among several checks', `return (async () => { ${endless} })();`, [], true],
])(
  '%s is heeded while a function scores',
  async (name, body, flags, isKilled) => {
    await using server = await startFaultServer();
    const config = configWith(server.url, body);
    const cwd = await writeFolder({
      'rows.jsonl': sums(4),
      'bad.config.mjs': name.endsWith('checks')
        ? config.replace(/evaluator = (\{[\s\S]*?\n\});/, 'evaluator = [$1, { type: "contains" }];')
        : config,
      'good.config.mjs': configWith(server.url, ''),
    });
    const running = startCommand(cwd, ['run', 'bad.config.mjs', '--out', 'out', ...flags]);
    while ((await server.stats()).requests < 4) await sleep(20);
    await sleep(500);
    const start = performance.now();
    if (isKilled) running.child.kill('SIGINT');
    expect([await endOf(running), running.stderr]).toEqual([3, expect.stringMatching(/\w/)]);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(running.stderr).not.toMatch(/Warning|should not have/);
    const { code, stdout } = await runCli(['run', 'good.config.mjs', '--out', 'out', '--json'], {
      cwd,
    });
    expect([code, JSON.parse(stdout).results[0].rows.scored]).toEqual([0, 4]);
    expect((await server.stats()).requests).toBe(4);
  },
  60_000,
);

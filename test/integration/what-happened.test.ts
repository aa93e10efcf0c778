import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, endOf, startRun, sums } from './run-task.ts';

const command = ['run', 'config.json', '--out', 'out'];

it('the terminal says what was asked, what was cut off, and which model answered', async () => {
  const modelOf = () => 'gpt-imposter';
  await using server = await startFaultServer({ modelOf, answer: () => 'Let me think about it' });
  const config = configFor(server.url, { max_out_len: 3 });
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(4) });
  const first = await runCli(command, { cwd });
  expect(first.stdout).toContain('\n4 answers: 4 asked.\nReport: ');
  expect(first.stdout).toContain('m on d: 4 of 4 answers were cut off at the length limit\n');
  expect(first.stderr).toContain(
    'warning[run.other_model] m: asked as `fault`, served as `gpt-imposter` (4 answers)\n',
  );
  const again = await runCli([...command, '--temperature', '1'], { cwd });
  expect(again.stdout).toContain(
    '\n4 answers: 4 asked.\n4 saved answers no longer apply: the prompt, the row or settings changed.\n',
  );
  const fresh = await runCli([...command, '--temperature', '1', '--fresh'], { cwd });
  expect(fresh.stdout).toContain('\n4 answers: 4 asked.\n');
  expect(fresh.stdout).toMatch(/ in 3 starts since .*: 12 requests, \d+ tokens in, 36 out\.\n/);
  const { replies } = await readSnapshot(join(cwd, 'out/report.html'));
  expect(Object.values(replies)).toMatchObject([{ summary: { starts: { count: 3, sent: 12 } } }]);
});

it('a start that was killed is remembered as one without an end', async () => {
  await using server = await startFaultServer({ latencyMs: 30 });
  const config = configFor(server.url);
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(200) });
  const running = startRun(cwd, '--concurrency', '4', '--fresh');
  while ((await countLines(cwd)) < 60) await sleep(20);
  running.child.kill('SIGKILL');
  await endOf(running);
  const { stdout } = await runCli(command, { cwd });
  expect(stdout).toMatch(/^200 answers: \d+ asked, \d+ reused from this folder\.$/m);
  expect(stdout).toMatch(/in 2 starts .* 1 start did not finish, so these are minimums\.$/m);
  const { starts } = JSON.parse(await readFile(join(cwd, 'out/run.json'), 'utf8'));
  expect(starts).toMatchObject([{ fresh: 'begun' }, { fresh: 'done', complete: true }]);
  expect(starts[0]).not.toHaveProperty('finishedAt');
});

it.each([['everything'], ['timeout,refuse'], ['']])('--retry %j is refused', async (kinds) => {
  const { code, stderr } = await runCli([...command, '--retry', kinds]);
  expect(code).toBe(2);
  expect(stderr).toContain('all, none, or some of timeout, rate_limit');
});

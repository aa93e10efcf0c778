import { existsSync } from 'node:fs';
import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, runArguments, sums } from './run-task.ts';

type Loss = [name: string, lose: (log: string) => Promise<unknown>, said: string];

const losses: readonly Loss[] = [
  ['removed', (log) => rm(log), 'was removed'],
  ['emptied', (log) => truncate(log, 0), 'was cut short'],
  ['cut', (log) => truncate(log, 100), 'was cut short'],
  [
    'replaced by a copy',
    async (log) => {
      await copyFile(log, `${log}.copy`);
      await rename(`${log}.copy`, log);
    },
    'was replaced',
  ],
  ['written to', (log) => writeFile(log, '{}\n', { flag: 'a' }), 'was written to'],
];

it.each([
  ...losses.map((loss) => [...loss, false] as const),
  ...losses.map((loss) => [...loss, true] as const),
])('a log that is %s during a run ends it', async (_, lose, said, isResumed) => {
  await using server = await startFaultServer({ latencyMs: 20 });
  const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(300) };
  const cwd = await writeFolder(files);
  if (isResumed) {
    const first = await runCli(runArguments('--limit', '40'), { cwd });
    expect(first.code).toBe(0);
    await rm(join(cwd, 'out/summary.json'));
  }
  const before = isResumed ? 40 : 0;
  const command = runCli(runArguments('--concurrency', '4'), { cwd });
  while ((await countLines(cwd)) < before + 30) await sleep(20);
  const log = join(cwd, 'out/m/d.jsonl');
  await lose(log);
  const { code, stderr } = await command;
  expect(stderr).toContain('error[run.log_lost]');
  expect(stderr).toContain(said);
  expect(code).toBe(3);
  expect(existsSync(join(cwd, 'out/summary.json'))).toBe(false);
  if (existsSync(log)) expect(await readFile(log, 'latin1')).not.toContain('\0');

  const again = await runCli(runArguments(), { cwd });
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    complete: true,
    results: [{ rows: { total: 300, scored: 300 } }],
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRun } from '../../src/index.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { cli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

const rows = Array.from({ length: 40 }, (_, id) => ({ q: `question ${id}`, a: 'new' }));

function configWith(url: string, template: string): string {
  return JSON.stringify({
    models: [{ abbr: 'm', type: 'OpenAI', base_url: url, model: 'x', batch_size: 2 }],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  });
}

/** Kills a run once it has gone on for longer than it takes to say how many rows there are. */
async function killRun(cwd: string, config: string): Promise<void> {
  await rm(join(cwd, 'out', 'progress.json'), { force: true });
  const child = spawn(process.execPath, [cli, 'run', config, '--out', 'out'], {
    cwd,
    stdio: 'ignore',
  });
  while (!existsSync(join(cwd, 'out', 'progress.json'))) await sleep(50);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const count = async (cwd: string) => {
  let rowsRead = 0;
  for await (const _ of (await openRun(join(cwd, 'out'))).rows()) rowsRead++;
  return rowsRead;
};

test('what a killed run did not take over of an earlier template does not count', async () => {
  await using server = await startFaultServer({
    latencyMs: 250,
    answer: (prompt) => (prompt.startsWith('New') ? 'new' : 'old'),
  });
  const cwd = await writeFolder({
    'old.json': configWith(server.url, 'Old: {q}'),
    'new.json': configWith(server.url, 'New: {q}'),
  });
  expect((await runCli(['run', 'old.json', '--out', 'out'], { cwd })).code).toBe(0);
  await killRun(cwd, 'new.json');
  const reached = await count(cwd);
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThan(40);

  for (const _ of ['once', 'and again']) {
    const scored = await runCli(['score', 'out', '--fail-under', '0.1'], { cwd });
    expect(scored.code).toBe(3);
    expect(scored.stdout).toContain(`${reached}/40`);
    expect(scored.stdout).toContain(`Incomplete: ${40 - reached} rows not asked yet.`);
    expect(scored.stderr).toContain(`${40 - reached} of 40 rows missing`);
    const { summary } = await openRun(join(cwd, 'out'));
    expect(summary).toMatchObject({ complete: false });
    expect(summary?.results[0]).toMatchObject({ partial: true, score: { value: 1 } });
  }

  // Killed once more, what was taken over counts with what is new.
  await killRun(cwd, 'new.json');
  expect(await count(cwd)).toBeGreaterThan(reached);
  const ended = await runCli(['run', 'new.json', '--out', 'out', '--json'], { cwd });
  expect(JSON.parse(ended.stdout).results[0]).toMatchObject({
    rows: { total: 40, scored: 40, missing: 0 },
    score: { value: 1 },
  });
});

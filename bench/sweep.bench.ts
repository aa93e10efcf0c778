import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTask } from '../src/tasks/find-task.ts';
import { buildCli, cli } from '../test/integration/build-cli.ts';

// A sweep against the same cells run one by one, each by a command of its own, as one would without it.

const rows = process.argv[2] ?? '500';
const shots = [0, 1, 2, 4];
const goal = 0.6;

buildCli();
const root = fileURLToPath(new URL('..', import.meta.url));
const { task, versions } = await findTask('latent-operation', { folder: root });
const folder = mkdtempSync(join(tmpdir(), 'typecase-bench-'));

function seconds(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - start) / 1000;
}

try {
  const sweep = seconds([
    ...['sweep', `task:${task}`, '--models', 'typecase-tiny', '--limit', rows],
    ...['--shots', shots.join(), '--out', join(folder, 'sweep')],
  ]);
  let alone = 0;
  for (const { version } of versions) {
    for (const count of shots) {
      alone += seconds([
        ...['run', `task:${task}/${version}`, '--model', 'typecase-tiny', '--limit', rows],
        ...(count > 0 ? ['--shots', String(count)] : []),
        ...['--out', join(folder, `${version}-${count}`)],
      ]);
    }
  }
  const cells = versions.length * shots.length;
  console.log(`${cells} cells of ${rows} rows in one sweep  ${sweep.toFixed(1)} s`);
  console.log(`${cells} runs one by one             ${alone.toFixed(1)} s`);
  console.log(`ratio ${(sweep / alone).toFixed(2)} (at most ${goal})`);
  if (sweep / alone > goal) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

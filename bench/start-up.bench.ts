import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from './measure.ts';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const example = fileURLToPath(new URL('../examples/dialogue.yaml', import.meta.url));
const runs = 40;

if (!existsSync(cli)) throw new Error('dist/cli.js is not there: build first');

const commands = {
  'node -e 0': ['-e', '0'],
  'typecase --help': [cli, '--help'],
  'typecase view': [cli, 'view', example, '-n'],
};
const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));

// The commands take turns, so that a noisy machine hits them alike.
for (let run = -3; run < runs; run++) {
  for (const [name, args] of Object.entries(commands)) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`${name} failed`);
    if (run >= 0) times.get(name)?.push(performance.now() - start);
  }
}

const floor = median(times.get('node -e 0') ?? []);
console.log(`start-up, median of ${runs} runs`);
for (const [name, values] of times) {
  const time = median(values);
  console.log(
    `${name.padEnd(18)}${time.toFixed(1).padStart(8)} ms${(time / floor).toFixed(2).padStart(8)} ×`,
  );
}

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Runs only when it is asked for: it installs other harnesses, 2 GB in all.
const largeInstall = 'peers.bench.ts';
const wanted = process.argv.slice(2);
const benches = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) =>
    wanted.length === 0 ? file !== largeInstall : wanted.some((name) => file.startsWith(name)),
  );

for (const bench of benches) {
  console.log(`\n${bench.replace('.bench.ts', '')}`);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', `${folder}${bench}`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// Builds the command line if its source is newer, then shows the prompts of the example config.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist/cli.js');

function newestSource() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  const times = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
  return Math.max(...times);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(cli) || statSync(cli).mtimeMs < newestSource()) {
  console.log('Building …');
  run(join(root, 'node_modules/.bin/tsdown'), ['--no-dts', '--logLevel', 'error']);
}
run(process.execPath, [cli, 'view', 'examples/dialogue.yaml', ...process.argv.slice(2)]);

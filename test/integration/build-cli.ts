import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const cli = join(root, 'dist/cli.js');

/** Builds the command line, unless it is newer than its source. */
export function buildCli(): void {
  if (existsSync(cli) && statSync(cli).mtimeMs > newestSource()) return;
  const args = [join(root, 'node_modules/tsdown/dist/run.mjs'), '--no-dts', '--logLevel', 'error'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
}

function newestSource(): number {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return Math.max(
    ...files
      .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  );
}

/** Lets the test runner build once, before any file runs. */
export { buildCli as setup };

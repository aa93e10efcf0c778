import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const cli = join(root, 'dist/cli.js');

/** Builds the command line, and the pages of the viewer, unless they are newer than their source. */
export function buildCli(): void {
  const source = newestIn('src');
  if (!isNewer(cli, source)) {
    build(['node_modules/tsdown/dist/run.mjs', '--no-dts', '--logLevel', 'error']);
  }
  if (!isNewer(join(root, 'dist/web/index.html'), Math.max(source, newestIn('web')))) {
    build(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error']);
  }
}

function isNewer(file: string, source: number): boolean {
  return existsSync(file) && statSync(file).mtimeMs > source;
}

function build([program = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
}

function newestIn(folder: string): number {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return Math.max(
    ...files
      .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  );
}

/** Lets the test runner build once, before any file runs. */
export { buildCli as setup };

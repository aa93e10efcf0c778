// Builds the documentation site from docs/. Its generator is installed once, apart from the project.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('../site', import.meta.url));

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(site, 'node_modules/vitepress'))) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
}
// Pages import what the generator installs: they have to lie beside it.
rmSync(join(site, 'pages'), { recursive: true, force: true });
cpSync(join(site, '../docs'), join(site, 'pages'), { recursive: true });
run(process.execPath, [join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build']);
console.log('The site is in site/.vitepress/dist.');

// Installs the dependencies of a fresh clone. Plain JavaScript: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const lock = new URL('package-lock.json', root);
const installed = new URL('node_modules/.package-lock.json', root);

function upToDate() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

if (!upToDate()) {
  console.log('Installing dependencies …');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error('npm ci failed; see above.');
    process.exit(status ?? 1);
  }
}

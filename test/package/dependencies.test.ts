import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const root = join(import.meta.dirname, '../..');
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
const packages: [string, LockedPackage][] = Object.entries<LockedPackage>(
  JSON.parse(lock).packages,
).filter(([path]) => path !== '');

test('every package is pinned by its content, and no host is named', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(lock).not.toMatch(/https?:\/\/[^"]*registry/);
});

test('only known packages bring scripts that run when they are installed', () => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect([...new Set(names)].toSorted()).toEqual([
    'esbuild',
    'msgpackr-extract',
    'onnxruntime-node',
  ]);
});

test('what the package needs to run may be passed on with it', () => {
  const allowed = /^(?:MIT|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD|\(MIT OR CC0-1\.0\))$/;
  const others = packages.filter(([, { dev, license = '' }]) => !dev && !allowed.test(license));
  expect(others.map(([path, { license }]) => [path, license])).toEqual([]);
});

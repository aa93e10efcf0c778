import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './build-cli.ts';

const packages = [
  ...['commander', 'eventsource-parser', 'fast-string-truncated-width', 'fast-string-width'],
  ...['hono', 'picocolors', 'yaml', 'zod'],
];

test('the licence of every package whose code is in the build ships with it', () => {
  const dist = join(root, 'dist');
  const scripts = readdirSync(dist).filter((file) => file.endsWith('.js'));
  const bundled = new Set(
    scripts
      .map((file) => readFileSync(join(dist, file), 'utf8'))
      .flatMap((code) => [...code.matchAll(/#region node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)])
      .map(([, name = '']) => name),
  );
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES'), 'utf8');
  expect([...bundled].sort()).toEqual(packages);
  for (const name of bundled) {
    const folder = join(root, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(licences).toContain(`${name} ${version} (`);
    const licence = readdirSync(folder).find((file) => file.toLowerCase() === 'license') ?? '';
    expect(licences).toContain(readFileSync(join(folder, licence), 'utf8').trim());
  }
});

test('and so do those of the pages', () => {
  const licences = readFileSync(join(root, 'dist/web/THIRD-PARTY-LICENSES'), 'utf8');
  const names = [...licences.matchAll(/^(\S+) \d\S* \(/gm)].map(([, name]) => name);
  for (const name of ['diff', 'preact', '@codemirror/view', '@lezer/yaml', 'crelt', 'yaml']) {
    expect(names).toContain(name);
  }
  for (const name of names) {
    const folder = join(root, 'node_modules', name ?? '');
    const licence = readdirSync(folder).find((file) => /^licen[cs]e(\.md)?$/i.test(file)) ?? '';
    expect(licences).toContain(readFileSync(join(folder, licence), 'utf8').trim());
  }
});

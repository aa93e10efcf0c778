import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';

const limit = 250_000;

test('the first load of the viewer is small', async () => {
  const folder = join(import.meta.dirname, '../dist/web');
  if (!existsSync(join(folder, 'index.html'))) {
    await build({ configFile: join(import.meta.dirname, '../vite.config.ts'), logLevel: 'silent' });
  }
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = readdirSync(join(folder, 'assets')).filter((name) => page.includes(name));
  expect(names.length).toBeGreaterThan(1);
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, 'assets', name))).length);
  const first = bytes.reduce((sum, one) => sum + one, gzipSync(page).length);
  expect(first).toBeLessThan(limit);
  expect(page).not.toMatch(/https?:\/\//);
}, 60_000);

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every figure of the page on performance names the bench that measures it', () => {
  const rows = readFileSync('docs/performance.md', 'utf8').match(/^\| .*/gm) ?? [];
  const benches = rows.slice(1).map((row) => / `([a-z-]+)` \|$/.exec(row)?.[1] ?? row);
  expect(benches.length).toBeGreaterThan(20);
  expect(benches.filter((name) => !existsSync(`bench/${name}.bench.ts`))).toEqual([]);
});

test('a bench that is not there is refused by name', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'bench/main.ts', 'queeu'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(/^No such bench: queeu\. There are .*queue, .*and --full\.\n$/);
});

// The whole gate: checks, build, tests. Ends with the line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'typecase-test-'));
const report = join(folder, 'report.json');
const totals = { passed: 0, failed: 0, skipped: 0 };

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const checks = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the pages', 'tsc', ['-p', 'web']],
  ['lint and format', 'biome', ['check', '.']],
  ['import directions', 'tsx', ['scripts/check-layers.ts']],
  ['dead code', 'knip', ['--no-progress']],
  ['build', 'tsdown', ['--logLevel', 'warn']],
  ['pages', 'vite', ['build', '--logLevel', 'warn']],
  ['the package, installed', 'vitest', ['run', '--config', 'vitest.package.config.ts']],
];
for (const [name, command, args] of checks) {
  const ok = run(join(root, 'node_modules/.bin', command), args);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`);
  totals[ok ? 'passed' : 'failed']++;
}

const vitest = join(root, 'node_modules/.bin/vitest');
const ok = run(vitest, ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`]);
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += result.numPassedTests;
  totals.failed += result.numFailedTests;
  totals.skipped += result.numPendingTests + result.numTodoTests;
} catch (error) {
  console.error(`The test run left no report: ${error.message}`);
}
rmSync(folder, { recursive: true });
if (!ok && totals.failed === 0) totals.failed++;

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exit(totals.failed === 0 ? 0 : 1);

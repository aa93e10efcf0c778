import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'examples/program/compare-prompts.ts');

/** What the program prints and exits with, in an empty project. */
function runProgram(cwd: string, ...args: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', program, ...args], { cwd }, (error, stdout) => {
      resolve({ code: error?.code ?? 0, stdout });
    });
  });
}

test('examples/program prints what docs/guides/library.md says, and fails with its gate', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'typecase-program-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const page = await readFile(join(root, 'docs/guides/library.md'), 'utf8');
  const printed = /compare-prompts\.ts\n```\n\n```text\n([\s\S]*?)```/.exec(page)?.[1];
  expect(await runProgram(cwd)).toEqual({ code: 0, stdout: printed });
  expect(await runProgram(cwd, '0.99')).toEqual({
    code: 1,
    stdout: printed?.replace('passed', 'failed').replace('90.0', '99.0'),
  });
}, 120_000);

import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './build-cli.ts';
import { writeFolder } from './run-cli.ts';

const run = promisify(execFile);

/** A program of the page, and what it prints. */
interface Program {
  readonly name: string;
  readonly code: string;
  readonly printed: string | undefined;
}

const page = await readFile(join(root, 'docs/guides/library.md'), 'utf8');
const config = /```yaml capitals.yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const block = /```ts ([\w.-]+)\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g;
const programs = [...page.matchAll(block)].map(
  ([, name = '', code = '', printed]): Program => ({ name, code, printed }),
);

/** A project that has the package, as npm would lay it out. */
async function setUpProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await writeFolder({
    'package.json': '{ "type": "module" }',
    'capitals.yaml': config,
    ...files,
  });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/typecase'));
  await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return folder;
}

test('the page has a program for each function', () => {
  const all = programs.map(({ code }) => code).join('\n');
  for (const name of [
    ...['loadConfig', 'parseConfig', 'openEvaluations', 'evaluate', 'planRun', 'rescore'],
    ...['compareRuns', 'sweep', 'openRun', 'wilson'],
    ...['showRow', 'writeBundle', 'verifyBundle', 'explainCache'],
  ]) {
    expect(all).toContain(`${name}(`);
  }
});

const shown = programs.filter(({ printed }) => printed !== undefined);

test.each(shown)(
  '$name prints what the page says',
  async ({ name, code, printed }) => {
    const cwd = await setUpProject({ [name]: code });
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const { stdout } = await run(process.execPath, [tsx, name], { cwd });
    expect(stdout).toBe(printed);
  },
  120_000,
);

test('a test of the page passes', async () => {
  const { name, code } = programs.find((one) => one.name.endsWith('.test.ts')) as Program;
  const cwd = await setUpProject({ [name]: code });
  await writeFile(join(cwd, 'vitest.config.mjs'), 'export default {};\n');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--no-color'], { cwd });
  expect(stdout).toContain('1 passed');
}, 120_000);

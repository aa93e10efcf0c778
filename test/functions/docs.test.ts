import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeFolder } from './run-config.ts';

it('docs/reference/functions.md shows a program that prints what it says', async () => {
  const page = await readFile('docs/reference/functions.md', 'utf8');
  const [, code = '', printed] =
    /```ts app\.ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = await makeFolder();
  const file = join(folder, 'app.mts');
  await writeFile(file, code.replace("'typecase'", `'${resolve('src/index.ts')}'`));
  const tsx = import.meta.resolve('tsx');
  const run = promisify(execFile)(process.execPath, ['--import', tsx, file], { cwd: folder });
  expect((await run).stdout).toBe(printed);
});

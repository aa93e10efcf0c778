import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { blocksOf, commandsOf, wordsOf } from '../docs/page-blocks.ts';
import { runPage, startCommandHost } from '../docs/run-page.ts';
import { runPages } from '../docs/run-pages.ts';
import { root } from './build-cli.ts';

const host = startCommandHost();
afterAll(() => host.close());

it.each(globSync(runPages).sort())(
  '%s runs from its first line to its last, and shows what is printed (npm run reference)',
  async (file) => {
    const text = readFileSync(file, 'utf8');
    const { page, problems } = await runPage(text, host);
    expect(problems).toEqual([]);
    expect(page).toBe(text);
  },
);

const reference = globSync(['README.md', 'docs/*.md', 'docs/{reference,suites,migrate}/*.md'], {
  ignore: runPages,
});

it.each(reference.sort())('the commands of %s that need nothing else run', async (file) => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-reference-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/typecase'));
  const blocks = blocksOf(readFileSync(file, 'utf8')).filter(
    ({ language, info }) => language === 'sh' && !info.startsWith('skip'),
  );
  for (const command of blocks.flatMap(commandsOf)) {
    const [program, ...words] = wordsOf(command.replace(/^npx /, ''));
    expect(program, command).toBe('typecase');
    const { code, stderr } = await host.run(words, folder);
    expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({
      command,
      code: 0,
      stderr: '',
    });
  }
});

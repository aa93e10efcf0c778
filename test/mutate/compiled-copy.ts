import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSwitches } from './compile-switches.ts';
import { mutationsOf, type NumberedMutation } from './mutations.ts';
import { sourceFiles } from './source-file.ts';

/** All changes that can be made, with their numbers. */
export function allMutations(root: string): readonly NumberedMutation[] {
  return sourceFiles(root)
    .flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')))
    .map((mutation, index) => ({ ...mutation, number: index + 1 }));
}

/** Copies the project with some changes compiled into its code, each behind a switch. */
export function compileCopy(
  root: string,
  copy: string,
  changes: readonly NumberedMutation[],
): void {
  copyProject(root, copy);
  for (const file of new Set(changes.map((change) => change.file))) {
    const own = changes.filter((change) => change.file === file);
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(copy, file), withSwitches(file, text, own));
  }
}

/** The files that are tracked or not ignored, with the packages and the build. */
function copyProject(root: string, copy: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  for (const file of stdout.split('\0').filter((path) => path !== '')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const dist = join(root, 'dist');
  if (existsSync(dist)) cpSync(dist, join(copy, 'dist'), { recursive: true });
}

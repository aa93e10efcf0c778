import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSwitches } from './compile-switches.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { sourceFiles } from './source-file.ts';

/** A change with the number that switches it on. */
export interface NumberedMutation extends Mutation {
  readonly number: number;
}

/** Copies the project with all changes compiled into its code, each behind a switch. */
export function compileCopy(root: string, copy: string): readonly NumberedMutation[] {
  copyProject(root, copy);
  const all: NumberedMutation[] = [];
  for (const file of sourceFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const first = all.length + 1;
    writeFileSync(join(copy, file), withSwitches(file, text, first));
    for (const [index, mutation] of mutationsOf(file, text).entries()) {
      all.push({ ...mutation, number: first + index });
    }
  }
  return all;
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

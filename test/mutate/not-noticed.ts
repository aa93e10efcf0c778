import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './mutations.ts';

/** What tells a change from others, wherever its line stands. */
export function nameOf({
  file,
  code,
  before,
  after,
}: Pick<Mutation, 'file' | 'code' | 'before' | 'after'>) {
  return `${file}: ${before} → ${after} in ${code}`;
}

const row = /^\| `(?<file>[^`]+)` \| `` (?<code>.*?) `` \| `` (?<before>.*?) → (?<after>.*?) `` \|/;

/** The changes that not-noticed.md lists, by their names. */
export function listedChanges(): ReadonlySet<string> {
  const page = readFileSync(join(import.meta.dirname, 'not-noticed.md'), 'utf8');
  const found = page.split('\n').flatMap((line) => {
    const { file, code, before, after } = row.exec(line.replaceAll('\\|', '|'))?.groups ?? {};
    if (!file || !code || !before || !after) return [];
    return [nameOf({ file, code, before, after })];
  });
  return new Set(found);
}

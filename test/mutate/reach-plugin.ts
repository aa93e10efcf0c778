import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionsOf, withNotes } from './functions.ts';
import { pathFrom, sourceFiles } from './source-file.ts';

/** The number of the first function of each file, and how many functions there are. */
export function numberFunctions(root: string): { first: Map<string, number>; count: number } {
  const first = new Map<string, number>();
  let count = 0;
  for (const file of sourceFiles(root)) {
    first.set(file, count);
    count += functionsOf(file, readFileSync(join(root, file), 'utf8')).length;
  }
  return { first, count };
}

/** Has every function of the rooms say that it was called. */
export function reachPlugin(root: string) {
  const { first } = numberFunctions(root);
  return {
    name: 'typecase-reach',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      const file = pathFrom(root, id.split('?')[0] ?? id);
      const number = first.get(file);
      return number === undefined ? undefined : { code: withNotes(file, code, number), map: null };
    },
  };
}

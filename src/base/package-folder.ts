import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder of the package, whether the code runs from its source or as it was built. */
export function packageFolder(...parts: readonly string[]): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return join(folder, ...parts);
}

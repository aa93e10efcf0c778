import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where in the search path a program of this name is. */
export async function findExecutable(
  name: string,
  searchPath = process.env.PATH ?? '',
): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return file;
  }
  return undefined;
}

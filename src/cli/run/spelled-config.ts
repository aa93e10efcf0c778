import { join } from 'node:path';
import { expandTasks } from '../../config/expand-tasks.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Mapping } from '../../prompt/mapping.ts';

/** A config that options spell, as if it had been read from a file in the current folder. */
export async function loadSpelled(value: Mapping): Promise<LoadedConfig> {
  const file = join(process.cwd(), 'command line');
  const place = { file, line: 1, column: 1 };
  return {
    file,
    value: await expandTasks(value, file),
    sources: new Map(),
    locate: () => place,
    locateKey: () => place,
    locateInString: () => place,
  };
}

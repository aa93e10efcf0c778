import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Canonical } from '../../src/import/python/canonical.ts';
import { PythonConfigError, PythonLoader } from '../../src/import/python/load-python.ts';
import { type Difference, difference } from './compare.ts';
import type { Handlers, VectorContext } from './handler.ts';
import { type JsonObject, textAt } from './json.ts';

/** Python configs with what mmengine makes of them: the same bytes, or an error of that class. */
export const pythonConfigHandlers: Handlers = {
  'python config': async (vector: JsonObject, { folder }: VectorContext) => {
    const root = dirname(folder);
    const file = textAt(vector, 'file');
    const loader = await PythonLoader.open(root);
    const wanted =
      vector.loads === true
        ? readFileSync(join(root, textAt(vector, 'expected')), 'utf8')
        : `${textAt(vector, 'error')} at a line and column`;
    const given = resultOf(loader, file);
    const differences: Difference[] =
      given === wanted ? [] : [difference({ at: file, expected: wanted, actual: given })];
    const { sha256 } = vector;
    const digest = createHash('sha256').update(given).digest('hex');
    if (typeof sha256 === 'string' && sha256 !== digest) {
      differences.push(difference({ at: 'sha256', expected: sha256, actual: digest }));
    }
    return differences;
  },
};

function resultOf(loader: PythonLoader, file: string): string {
  try {
    return new Canonical(loader.files.folder).ofConfig(loader.load(file));
  } catch (error) {
    if (!(error instanceof PythonConfigError)) throw error;
    const hasPlace = error.at !== undefined && error.at.line > 0 && error.at.column > 0;
    return `${error.pythonType} at ${hasPlace ? 'a line and column' : 'no place'}`;
  }
}

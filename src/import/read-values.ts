import type { ConfigPlace } from './find-root.ts';
import { Canonical } from './python/canonical.ts';
import { PythonLoader } from './python/load-python.ts';

/** The canonical JSON of a Python config. */
export async function readValues({ root, file, beside }: ConfigPlace): Promise<string> {
  const loader = await PythonLoader.open(root, {}, beside);
  return new Canonical(loader.files.folder).ofConfig(loader.load(file));
}

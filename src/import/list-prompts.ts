import { UsageError } from '../base/usage-error.ts';
import type { ListedPart } from '../terminal/list/render-parts.ts';
import { findRoot } from './find-root.ts';
import { nativeConfig } from './native-config.ts';
import { PythonLoader } from './python/load-python.ts';

/** The datasets of Python configs with the prompt hash by which OpenCompass tells their prompts apart. */
export async function listedPrompts(files: readonly string[]): Promise<ListedPart[]> {
  if (files.length === 0) {
    throw new UsageError('usage.missing_argument', '`typecase list prompts` needs a config', {
      hint: 'Give configs of OpenCompass or AISBench: `typecase list prompts mmlu_gen.py`.',
    });
  }
  const parts: ListedPart[] = [];
  for (const file of files) {
    const place = findRoot(file);
    const loader = await PythonLoader.open(place.root);
    const { hashes } = nativeConfig([loader.load(place.file)], { data: new Map() });
    parts.push({
      title: place.file,
      use: 'the prompt hash; file names contain its first six digits',
      entries: [...hashes].map(([name, hash]) => ({ name, summary: hash })),
    });
  }
  return parts;
}

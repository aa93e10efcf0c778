import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { displayPath } from '../base/display-path.ts';
import { isFileMissing } from '../base/files.ts';
import { thrownPlace } from '../base/thrown-place.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';

export interface ImportPlace {
  /** What the path is relative to. */
  readonly folder: string;
  /** Where the config names the file. */
  readonly path: ConfigPath;
}

/** What a TypeScript or JavaScript file exports. */
export async function importExports(
  file: string,
  { folder, path }: ImportPlace,
): Promise<Readonly<Record<string, unknown>>> {
  const address = resolve(folder, file);
  try {
    return await importFile(address);
  } catch (error) {
    const { existsSync } = await import('node:fs');
    if (!existsSync(address) || (isFileMissing(error) && !thrownPlace(error))) {
      throw new ConfigError('config.not_found', `${formatPath(path)}: file not found: ${file}`, {
        path,
        hint: 'The path is relative to the config.',
      });
    }
    throw evaluationError(error, { file: address, path });
  }
}

/** What Node has loaded it does not read again, though it may have been changed since. */
const loaded = new Set<string>();

/** JavaScript is loaded by Node itself, the first time; all else takes ten times as long. */
async function importFile(file: string): Promise<Record<string, unknown>> {
  if (/\.[cm]?js$/.test(file) && !loaded.has(file)) {
    loaded.add(file);
    try {
      return await import(pathToFileURL(file).href);
    } catch (error) {
      if (!isRefusedByNode(error)) throw error;
    }
  }
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file);
}

/** Such as imports of TypeScript, or without an ending. */
function isRefusedByNode(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return error instanceof SyntaxError || (typeof code === 'string' && code.startsWith('ERR_'));
}

function evaluationError(
  error: unknown,
  { file, path }: { readonly file: string; readonly path: ConfigPath },
): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  const place = thrownPlace(error);
  return new ConfigError('config.evaluation', `${displayPath(file)} failed to run: ${reason}`, {
    ...(place ? { at: place } : { path }),
    cause: error,
  });
}

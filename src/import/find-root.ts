import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';

/** A Python config and the tree that it belongs to, outside of which nothing is read. */
export interface ConfigPlace {
  readonly root: string;
  /** The path relative to the root, with `/`; the whole path where it is not in there. */
  readonly file: string;
  /** Its folder, where it is not in the root: what stands there may be read too. */
  readonly beside?: string;
}

const packages = ['opencompass', 'ais_bench'];

/**
 * Finds the tree of a config: the folder that was named, which need not hold the config, or the nearest one above that holds
 * OpenCompass or AISBench, or the working folder, or that of the file.
 */
export function findRoot(file: string, root?: string): ConfigPlace {
  const absolute = resolve(file);
  if (!existsSync(absolute)) {
    throw new ConfigError('config.not_found', `File not found: ${file}`, {
      hint: 'Paths are relative to the working folder.',
    });
  }
  const folder = root === undefined ? guessRoot(absolute) : requireRoot(root);
  const way = relative(realpathSync(folder), realpathSync(absolute)).replaceAll('\\', '/');
  if (!way.startsWith('../') && !isAbsolute(way)) return { root: folder, file: way };
  return { root: folder, file: absolute.replaceAll('\\', '/'), beside: dirname(absolute) };
}

/** The tree that was named. */
export function requireRoot(root: string): string {
  if (existsSync(root)) return resolve(root);
  throw new ConfigError('config.not_found', `Folder not found: ${root}`, {
    hint: '--root is the folder that contains the configs and the packages they import.',
  });
}

/** The nearest folder above a file that holds OpenCompass or AISBench, or one that is likely. */
export function guessRoot(file: string): string {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (packages.some((name) => existsSync(join(at, name, '__init__.py')))) return at;
    if (dirname(at) === at) break;
  }
  const isBelow = !relative(process.cwd(), file).startsWith('..');
  return isBelow ? process.cwd() : dirname(file);
}

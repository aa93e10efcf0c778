import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';

/** A Python config and the tree that it belongs to, outside of which nothing is read. */
export interface ConfigPlace {
  readonly root: string;
  /** The path relative to the root, with `/`. */
  readonly file: string;
}

const packages = ['opencompass', 'ais_bench'];

/**
 * Finds the tree of a config: the folder that was named, or the nearest one above that holds
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
  if (way.startsWith('../') || isAbsolute(way)) {
    throw new ConfigError('config.not_found', `${file} is not in ${folder}`, {
      hint: 'Set --root to a folder that contains the config.',
    });
  }
  return { root: folder, file: way };
}

/** The tree that was named. */
export function requireRoot(root: string): string {
  if (existsSync(root)) return resolve(root);
  throw new ConfigError('config.not_found', `Folder not found: ${root}`, {
    hint: '--root is the folder that contains the configs and the packages they import.',
  });
}

function guessRoot(file: string): string {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (packages.some((name) => existsSync(join(at, name, '__init__.py')))) return at;
    if (dirname(at) === at) break;
  }
  const isBelow = !relative(process.cwd(), file).startsWith('..');
  return isBelow ? process.cwd() : dirname(file);
}

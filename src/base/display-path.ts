import { isAbsolute, relative } from 'node:path';
import type { SourceLocation } from '../errors.ts';

/** A path as people write it here: relative, unless it leads out of the working folder. */
export function displayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? file : path;
}

export function displayLocation({ file, line, column }: SourceLocation): string {
  return `${displayPath(file)}:${line}:${column}`;
}

/** A location as JSON tells it. */
export function jsonLocation({ file, line, column }: SourceLocation) {
  return { file: displayPath(file), line, column };
}

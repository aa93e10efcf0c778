import { basename, isAbsolute, relative } from 'node:path';
import type { SourceLocation } from '../errors.ts';

/** A path as people write it here: relative, unless it leads out of the working folder. */
export function displayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** A path for pages that others read: relative, or its last name alone. */
export function exportedPath(file: string): string {
  const path = displayPath(file);
  return isAbsolute(path) ? basename(path) : path;
}

export function displayLocation({ file, line, column, usedBy }: SourceLocation): string {
  const place = `${displayPath(file)}:${line}:${column}`;
  return usedBy ? `${place}, used by ${displayPath(usedBy.file)}:${usedBy.line}` : place;
}

/** A location as JSON tells it. */
export function jsonLocation({ file, line, column, usedBy }: SourceLocation): SourceLocation {
  const place = { file: displayPath(file), line, column };
  return usedBy ? { ...place, usedBy: jsonLocation(usedBy) } : place;
}

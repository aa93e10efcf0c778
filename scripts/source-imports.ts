import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  readonly from: string;
  /** A file below `src`, or the name of a package. */
  readonly to: string;
  /** Whether it is needed only to check types. */
  readonly isType: boolean;
  /** Whether it is loaded when it is first used, or in a thread of its own. */
  readonly isLazy: boolean;
}

const source = fileURLToPath(new URL('../src', import.meta.url));
const statement =
  /^(?:import|export)\s+(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<path>[^']+)'|(?<typeOf>typeof\s+)?import\(\s*'(?<lazy>[^']+)'\s*,?\s*\)(?<member>\.[A-Z])?|new URL\('(?<url>[^']+\.ts)', import\.meta\.url\)/gm;

/** Every TypeScript file below `src`, by its path there. */
export function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(sep).join('/'))
    .sort();
}

/** The text of a file below `src`. */
export function readSource(file: string): string {
  return readFileSync(join(source, file), 'utf8');
}

/** The imports that stand in a file's text. */
export function importsIn(text: string, from: string): Import[] {
  return [...text.matchAll(statement)].map(({ groups = {} }) => {
    const { type, path, typeOf, lazy, member, url } = groups;
    const target = path ?? lazy ?? url ?? '';
    const isType = (type ?? typeOf ?? member) !== undefined;
    return {
      from,
      to: target.startsWith('.') ? posix.join(posix.dirname(from), target) : target,
      isType,
      isLazy: path === undefined && !isType,
    };
  });
}

/** Tests, and what only tests use. */
export function isTest(file: string): boolean {
  return /\.(?:test|test-d|fixture)\.ts$/.test(file);
}

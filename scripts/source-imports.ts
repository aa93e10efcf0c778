import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  readonly from: string;
  /** A file below `src`, or the name of a package. */
  readonly to: string;
  /** Whether it is needed only to check types. */
  readonly isType: boolean;
  /** Whether it is loaded when it is first used. */
  readonly isLazy: boolean;
}

const source = fileURLToPath(new URL('../src', import.meta.url));
const statement =
  /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*,?\s*\)/gm;

/** Every TypeScript file below `src`, by its path there. */
export function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(sep).join('/'))
    .sort();
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(statement)].map(([, type, path, lazy]) => {
    const target = path ?? lazy ?? '';
    return {
      from: file,
      to: target.startsWith('.')
        ? relative(source, join(source, dirname(file), target))
            .split(sep)
            .join('/')
        : target,
      isType: type !== undefined,
      isLazy: path === undefined,
    };
  });
}

/** Tests, and what only tests use. */
export function isTest(file: string): boolean {
  return /\.(?:test|test-d|fixture)\.ts$/.test(file);
}

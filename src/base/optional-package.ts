import { createRequire } from 'node:module';
import { ConfigError, type ConfigPath } from '../errors.ts';

/** A package that is not installed with Typecase, because few need it and it is large. */
export interface OptionalPackage {
  readonly name: string;
  /** The version that Typecase is tested with. */
  readonly version: string;
  /** What it is for, as the beginning of a sentence. */
  readonly purpose: string;
  readonly code: string;
  readonly path?: ConfigPath | undefined;
}

/** Refuses to go on without a package, with the command that installs it. */
export function requirePackage(wanted: OptionalPackage): void {
  if (isInstalled(wanted.name)) return;
  const { name, version, purpose, code, path } = wanted;
  throw new ConfigError(code, `${purpose} need the package \`${name}\`, which is not installed`, {
    path,
    hint: `Install it: \`npm install ${name}@${version} --ignore-scripts\`. It is not installed with Typecase because of its size.`,
  });
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

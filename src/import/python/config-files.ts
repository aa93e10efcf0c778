import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Host, raise } from './machine.ts';

const maxBytes = 2 ** 23;

/** The files of a config's tree: nothing outside of it is read, not even through a link. */
export class ConfigFiles implements Host {
  readonly folder: string;
  readonly #roots: readonly string[];
  readonly #variables: Readonly<Record<string, string | undefined>>;
  readonly #texts = new Map<string, string>();
  readonly #found = new Map<string, string | undefined>();
  /** Environment variables that configs asked for and that were not let through. */
  readonly missing = new Set<string>();

  /** `beside` is the folder of a config that was named and is not in the tree. */
  constructor(
    root: string,
    variables: Readonly<Record<string, string | undefined>> = {},
    beside?: string,
  ) {
    this.folder = resolve(root).replaceAll('\\', '/');
    this.#roots = [root, ...(beside === undefined ? [] : [beside])].map((path) =>
      realpathSync(path),
    );
    this.#variables = variables;
  }

  readonly variable = (name: string): string | undefined => {
    const value = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
    if (value === undefined) this.missing.add(name);
    return value;
  };

  #isInside(path: string): boolean {
    return this.#roots.some((root) => {
      const way = relative(root, path);
      return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
    });
  }

  /** The path on this machine, if it is in the tree and there. */
  #find(path: string): string | undefined {
    if (this.#found.has(path)) return this.#found.get(path);
    const real = this.#look(path);
    this.#found.set(path, real);
    return real;
  }

  #look(path: string): string | undefined {
    if (path.includes('\0')) return undefined;
    try {
      const real = realpathSync(isAbsolute(path) ? path : join(this.folder, path));
      return this.#isInside(real) ? real : undefined;
    } catch {
      return undefined;
    }
  }

  /** What a file is known by, however its path is written. */
  identify(path: string): string {
    return this.#find(path) ?? this.#refuse(path);
  }

  readonly exists = (path: string): 'file' | 'folder' | undefined => {
    const real = this.#find(path);
    if (real === undefined) return undefined;
    return statSync(real).isDirectory() ? 'folder' : 'file';
  };

  readonly list = (path: string): readonly string[] => {
    const real = this.#find(path);
    if (real === undefined || !statSync(real).isDirectory()) return this.#refuse(path);
    return readdirSync(real).sort();
  };

  readonly readText = (path: string): string => {
    const real = this.#find(path) ?? this.#refuse(path);
    const known = this.#texts.get(real);
    if (known !== undefined) return known;
    const { size, isFile } = describe(real);
    if (!isFile) raise('IsADirectoryError', `\`${path}\` is not a file`);
    if (size > maxBytes) raise('MemoryError', `\`${path}\` is larger than 8 MiB`);
    const text = decode(readFileSync(real), path);
    this.#texts.set(real, text);
    return text;
  };

  #refuse(path: string): never {
    const place = resolve(this.folder, path);
    const isInside =
      this.#isInside(place) || this.#roots.some((root) => this.#isInside(resolve(root, path)));
    if (!isInside || path.includes('\0') || existsSync(place)) {
      raise(
        'PermissionError',
        `\`${path}\` is outside the config's tree, \`${this.folder}\`, so it is not read`,
      );
    }
    return raise('FileNotFoundError', `[Errno 2] No such file or directory: '${path}'`);
  }
}

function describe(path: string): { size: number; isFile: boolean } {
  const found = statSync(path);
  return { size: found.size, isFile: found.isFile() };
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return raise('UnicodeDecodeError', `\`${path}\` is not UTF-8`);
  }
}

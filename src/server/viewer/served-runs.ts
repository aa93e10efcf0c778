import { realpathSync } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isFileMissing } from '../../base/files.ts';
import { UsageError } from '../../base/usage-error.ts';
import { runFileName } from '../../run/store/run-file.ts';

const maxDepth = 4;
const maxRuns = 5000;
/** Folders of projects that hold no runs. */
const passedOver = /^(?:\.|node_modules$|earlier$)/;

/** A folder of a run, with the name that it has in addresses. */
export interface FoundRun {
  readonly id: string;
  readonly path: string;
  readonly changedAt: number;
}

interface KnownPlace {
  readonly path: string;
  /** Which of the folders served holds it. */
  readonly index: number;
}

/** The folders that are served. Nothing outside of them is read, whatever a link leads to. */
export class ServedRuns {
  readonly folders: readonly string[];
  readonly #roots: readonly string[];
  /** Where the runs of the last list stand. */
  #known = new Map<string, KnownPlace>();

  constructor(folders: readonly string[]) {
    this.folders = folders.map((folder) => resolve(folder));
    this.#roots = this.folders.map(realOrSame);
  }

  /** The runs of all folders, the latest first. */
  async list(): Promise<FoundRun[]> {
    const found: FoundRun[] = [];
    const known = new Map<string, KnownPlace>();
    for (const [index, folder] of this.folders.entries()) {
      const before = found.length;
      await this.#search(folder, { index, depth: 0, found });
      for (const { id, path } of found.slice(before)) known.set(id, { path, index });
    }
    this.#known = known;
    return found.sort((left, right) => right.changedAt - left.changedAt);
  }

  /** The folder of a run, by its name in addresses. */
  async find(id: string): Promise<FoundRun> {
    const known = this.#known.get(id);
    const there = known && (await this.#runAt(known.path, known.index));
    const run = there ?? (await this.list()).find((one) => one.id === id);
    if (run) return run;
    throw new UsageError('serve.no_such_run', `Run \`${id}\` is not in the served folders`, {
      hint: 'It may have been moved or deleted; see the list of runs.',
    });
  }

  /** Refuses a file that a link points to outside the served folders. */
  async check(file: string): Promise<string> {
    const real = await realpath(file).catch((error: unknown) => {
      if (isFileMissing(error)) return undefined;
      throw error;
    });
    // A link to what is not there yet would be made there by who writes.
    const isGood =
      real === undefined
        ? !(await lstat(file).catch(() => undefined))?.isSymbolicLink()
        : this.#roots.some((root) => isInside(real, root));
    if (isGood) return file;
    throw new UsageError('serve.outside', `${basename(file)} is a link out of the served folders`, {
      hint: 'Serve the folder that it points to as well.',
    });
  }

  async #search(
    folder: string,
    { index, depth, found }: { index: number; depth: number; found: FoundRun[] },
  ): Promise<void> {
    if (found.length >= maxRuns) return;
    const root = this.#roots[index] ?? '';
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === runFileName)) {
      const run = await this.#runAt(folder, index);
      if (run) found.push(run);
      return;
    }
    if (depth === maxDepth) return;
    for (const entry of entries) {
      if (passedOver.test(entry.name)) continue;
      const path = join(folder, entry.name);
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderInside(path, root)));
      if (isFolder) await this.#search(path, { index, depth: depth + 1, found });
    }
  }

  /** The run in a folder; nothing if there is none, or if it lies outside of what is served. */
  async #runAt(path: string, index: number): Promise<FoundRun | undefined> {
    const real = await realpath(join(path, runFileName)).catch(() => '');
    if (!isInside(real, this.#roots[index] ?? '')) return undefined;
    const { mtimeMs } = await stat(real);
    return { id: this.#idOf(path, index), path, changedAt: mtimeMs };
  }

  #idOf(path: string, index: number): string {
    const folder = this.folders[index] ?? '';
    const own = relative(folder, path).split(sep).join('/');
    const name = own === '' ? this.#nameOf(index) : own;
    const before = this.folders.length > 1 && own !== '' ? `${this.#nameOf(index)}/` : '';
    return `${before}${name}`;
  }

  /** Folders of one name are told apart by where they stand. */
  #nameOf(index: number): string {
    const folder = this.folders[index] ?? '';
    const name = basename(folder);
    const isShared = this.folders.some((one, at) => at !== index && basename(one) === name);
    return isShared ? `${basename(dirname(folder))}/${name}` : name;
  }
}

async function isFolderInside(path: string, root: string): Promise<boolean> {
  try {
    const real = await realpath(path);
    return isInside(real, root) && real !== root && (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function realOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

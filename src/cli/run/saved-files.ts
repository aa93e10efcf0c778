import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/** Code, configs, templates and data. */
const watched = /\.(?:[cm]?[jt]sx?|json|jsonl|ya?ml|csv|tsv|parquet|jinja|txt|md)$/;

/** Editors write a file in several steps. */
const pauseMs = 150;

interface Stamp {
  readonly savedMs: number;
  readonly text: string;
}

/**
 * Tells which files below a folder are saved: those of runs, packages and tools are left out. Folders
 * are watched, because whoever watches a file loses it when another takes its place; what was saved is
 * told by the stamps of the files.
 */
export class SavedFiles {
  readonly #folder: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #stamps: ReadonlyMap<string, Stamp>;
  #wake: ((file: string | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#stamps = this.#look();
  }

  /** What was saved before a run starts is part of it. */
  forget(): void {
    this.#stamps = this.#look();
  }

  /** The next file that is saved, or one that was since `forget`; nothing after an interrupt. */
  next(): Promise<string | undefined> {
    return new Promise((settle) => {
      const interrupt = () => settle(undefined);
      process.once('SIGINT', interrupt);
      this.#wake = (file) => {
        process.off('SIGINT', interrupt);
        this.#wake = undefined;
        settle(file);
      };
      this.#wakeLater();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#wake) return;
      const saved = [...this.#look()]
        .filter(([file, { text }]) => this.#stamps.get(file)?.text !== text)
        .sort(([, one], [, other]) => other.savedMs - one.savedMs);
      const [latest] = saved;
      if (latest) this.#wake(relative(this.#folder, latest[0]));
    }, pauseMs);
  }

  /** The files that there are, each with what changes when it is saved. */
  #look(): Map<string, Stamp> {
    const stamps = new Map<string, Stamp>();
    const folders = new Set<string>();
    const walk = (folder: string) => {
      folders.add(folder);
      // What comes while it is read is heard of.
      this.#listen(folder);
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory()) {
          const isOthers = entry.name === 'node_modules' || entry.name === 'runs';
          // What a run writes is known by its `run.json`, wherever the folder is.
          if (!isOthers && !existsSync(join(path, 'run.json'))) walk(path);
        } else if (watched.test(entry.name)) {
          const stat = statSync(path, { throwIfNoEntry: false });
          const text = stat && `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
          if (text !== undefined) stamps.set(path, { savedMs: stat?.mtimeMs ?? 0, text });
        }
      }
    };
    walk(this.#folder);
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    return stamps;
  }

  #listen(folder: string): void {
    if (this.#watchers.has(folder) || !existsSync(folder)) return;
    const watcher = watch(folder, () => this.#wakeLater());
    // A folder that is removed tells the one above it.
    watcher.on('error', () => this.#wakeLater());
    this.#watchers.set(folder, watcher);
  }
}

/** One that was removed has none. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

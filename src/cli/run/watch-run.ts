import { watch } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { describeChanges } from '../../report/describe-changes.ts';
import { formatError } from '../../terminal/report-error.ts';
import type { RunOptions } from '../../terminal/run/run-options.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import type { EndedRun } from './run-command.ts';

/** Code, configs, templates and data. */
const watched = /\.(?:[cm]?[jt]sx?|json|jsonl|ya?ml|csv|tsv|parquet|jinja|txt|md)$/;

/** Editors write a file in several steps. */
const pauseMs = 150;

/** Runs, waits until a file of the config's folder is saved, and runs again, until it is interrupted. */
export async function watchRun(
  { source }: Pick<RunOptions, 'source'>,
  run: () => Promise<EndedRun>,
): Promise<number> {
  const folder = dirname(resolve(source));
  let last: EndedRun | undefined;
  let exitCode = 0;
  const saved = new SavedFiles(folder);
  try {
    for (;;) {
      saved.forget();
      try {
        const ended = await run();
        if (last) process.stdout.write(`\n${describeChanges(last, ended).join('\n')}\n`);
        last = ended;
        exitCode = ended.exitCode;
        saved.leaveOut(ended.folder);
      } catch (error) {
        process.stderr.write(formatError(error, describeTerminal(process.stderr)));
        exitCode = 2;
      }
      process.stderr.write(
        `\nWaiting for a change in ${relative(process.cwd(), folder) || '.'}; Ctrl-C ends it.\n`,
      );
      const file = await saved.next();
      if (file === undefined) return exitCode;
      process.stderr.write(`\n${file} was saved.\n`);
    }
  } finally {
    saved.close();
  }
}

/** Tells which files below a folder are saved: those of runs, packages and tools are left out. */
class SavedFiles {
  readonly #folder: string;
  readonly #watcher: ReturnType<typeof watch>;
  readonly #left = new Set<string>();
  #saved: string | undefined;
  #wake: ((file: string | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#watcher = watch(folder, { recursive: true }, (_, name) => this.#hear(name ?? ''));
  }

  /** Leaves out what a run writes. */
  leaveOut(folder: string): void {
    this.#left.add(resolve(folder));
  }

  /** What was saved before a run starts is part of it. */
  forget(): void {
    this.#saved = undefined;
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
      if (this.#saved !== undefined) this.#wakeLater();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }

  #hear(name: string): void {
    const parts = name.split(sep);
    if (parts.some((part) => part.startsWith('.') || part === 'node_modules' || part === 'runs'))
      return;
    if (!watched.test(name)) return;
    const file = resolve(this.#folder, name);
    if ([...this.#left].some((folder) => file === folder || file.startsWith(folder + sep))) return;
    this.#saved = name;
    this.#wakeLater();
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake?.(this.#saved), pauseMs);
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { oneLine } from '../../base/format.ts';
import { describeChanges } from '../../report/describe-changes.ts';
import type { RunOptions } from '../../terminal/run/run-options.ts';
import type { EndedRun } from './run-command.ts';

/** Code, configs, templates and data. */
const watched = /\.(?:[cm]?[jt]sx?|json|jsonl|ya?ml|csv|tsv|parquet|jinja|txt|md)$/;

const code = /\.[cm]?[jt]sx?$/;

/** Editors write a file in several steps. */
const pauseMs = 150;

/** Runs, waits until a file of the config's folder is saved, and runs again, until it is interrupted. */
export async function watchRun(
  { source }: Pick<RunOptions, 'source'>,
  args: readonly string[],
): Promise<number> {
  const folder = dirname(resolve(source));
  let last: EndedRun | undefined;
  let file: string | undefined = '';
  const saved = new SavedFiles(folder);
  try {
    for (;;) {
      saved.forget();
      const { exitCode, ended, isInterrupted } = await runApart(args);
      if (isInterrupted) return exitCode;
      if (last && ended) process.stdout.write(`\n${describeChanges(last, ended).join('\n')}\n`);
      if (last && ended && code.test(file)) process.stderr.write(warnOfVersions(ended));
      last = ended ?? last;
      process.stderr.write(
        `\nWatching ${relative(process.cwd(), folder) || '.'}; press Ctrl-C to stop.\n`,
      );
      file = await saved.next();
      if (file === undefined) return exitCode;
      process.stderr.write(`\n${file} was saved.\n`);
    }
  } finally {
    saved.close();
  }
}

/** Code was saved, and functions whose version is still the same were not asked with it. */
function warnOfVersions({ summary, versions }: EndedRun): string {
  const kept = Object.entries(versions).filter(([name]) => {
    const results = summary.results.filter(({ model }) => model === name);
    return results.length > 0 && results.every(({ requests }) => requests.asked === 0);
  });
  return kept
    .map(
      ([name, version]) =>
        `\`${oneLine(name)}\` was not asked again: its \`version\` is still \`${oneLine(version)}\`. Change it when the code of the function changes, or leave it out.\n`,
    )
    .join('');
}

interface Round {
  readonly exitCode: number;
  /** Left out where it ended with an error, which it has told. */
  readonly ended?: EndedRun | undefined;
  readonly isInterrupted: boolean;
}

/** Runs in a process of its own: one that has loaded a file would not read it again. */
async function runApart(args: readonly string[]): Promise<Round> {
  const given = args.filter((word) => word !== '--watch');
  const child = fork(process.argv[1] ?? '', ['run', ...given], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  let ended: EndedRun | undefined;
  child.on('message', (message) => {
    ended = message as EndedRun;
  });
  let isInterrupted = false;
  // A terminal interrupts both; whoever ends this process alone means the other as well.
  const interrupt = () => {
    isInterrupted = true;
  };
  const end = () => {
    interrupt();
    child.kill();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', end);
  try {
    const [exitCode] = await once(child, 'close');
    return { exitCode: exitCode ?? 3, ended, isInterrupted };
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', end);
  }
}

/** Tells which files below a folder are saved: those of runs, packages and tools are left out. */
class SavedFiles {
  readonly #folder: string;
  readonly #watcher: ReturnType<typeof watch>;
  readonly #saved = new Set<string>();
  #wake: ((file: string | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#watcher = watch(folder, { recursive: true }, (_, name) => this.#hear(name ?? ''));
  }

  /** What was saved before a run starts is part of it. */
  forget(): void {
    this.#saved.clear();
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
      if (this.#saved.size > 0) this.#wakeLater();
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
    this.#saved.add(name);
    this.#wakeLater();
  }

  /** What a run writes is known by its `run.json`, wherever the folder is. */
  #isOfRun(name: string): boolean {
    const folders = dirname(name).split(sep);
    return folders.some((_, depth) => {
      const path = folders.slice(0, depth + 1).join(sep);
      return path !== '.' && existsSync(join(this.#folder, path, 'run.json'));
    });
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#wake) return;
      for (const name of this.#saved) if (this.#isOfRun(name)) this.#saved.delete(name);
      const file = [...this.#saved].at(-1);
      if (file !== undefined) this.#wake(file);
    }, pauseMs);
  }
}

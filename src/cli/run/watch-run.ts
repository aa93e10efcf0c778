import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, relative, resolve } from 'node:path';
import { oneLine } from '../../base/format.ts';
import { describeChanges } from '../../report/describe-changes.ts';
import type { RunOptions } from '../../terminal/run/run-options.ts';
import type { EndedRun } from './run-command.ts';
import { SavedFiles } from './saved-files.ts';

const code = /\.[cm]?[jt]sx?$/;

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
        `\`${oneLine(name)}\` was not asked again: its \`version\` is still \`${oneLine(version)}\`. Change it when what the function calls changes, or leave it out.\n`,
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

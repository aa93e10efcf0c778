import { execFile } from 'node:child_process';

/** The state of the repository that a folder belongs to. */
export interface RepositoryState {
  readonly commit: string;
  /** Whether something is not as it was committed. */
  readonly dirty: boolean;
}

const timeout = 2000;

/**
 * The commit that a folder is at, as `git` says. Dirty: a tracked file was changed, or the named
 * file is not among them. Nothing if there is no repository, no commit or no `git`.
 */
export async function readRepository({
  folder,
  file,
}: {
  readonly folder: string;
  readonly file?: string | undefined;
}): Promise<RepositoryState | undefined> {
  const [status, tracked] = await Promise.all([
    git(folder, ['status', '--porcelain=v2', '--branch', '--untracked-files=no']),
    file === undefined ? '' : git(folder, ['ls-files', '--error-unmatch', '--', file]),
  ]);
  const commit = /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(status ?? '')?.[1];
  if (commit === undefined || status === undefined) return undefined;
  const isChanged = status.split('\n').some((line) => line !== '' && !line.startsWith('#'));
  return { commit, dirty: isChanged || tracked === undefined };
}

/** What `git` prints; nothing if it fails. It takes no locks and starts no helpers. */
function git(folder: string, command: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-c', 'core.fsmonitor=false', ...command],
      { cwd: folder, env, timeout, maxBuffer: 1 << 26, windowsHide: true },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}

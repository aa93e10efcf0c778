import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
  if (!mayBeRepository(folder)) return undefined;
  const [status, tracked] = await Promise.all([
    git(folder, ['status', '--porcelain=v2', '--branch', '--untracked-files=no']),
    file === undefined ? '' : git(folder, ['ls-files', '--error-unmatch', '--', file]),
  ]);
  const commit = /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(status ?? '')?.[1];
  if (commit === undefined || status === undefined) return undefined;
  const isChanged = status.split('\n').some((line) => line !== '' && !line.startsWith('#'));
  return { commit, dirty: isChanged || tracked === undefined };
}

/** Most folders that belong to none are told without starting a process. */
function mayBeRepository(folder: string): boolean {
  if (process.env.GIT_DIR !== undefined || !existsSync(folder)) return true;
  for (let path = realpathSync(folder), last = ''; path !== last; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return true;
    last = path;
  }
  return false;
}

/** What `git` prints; nothing if it fails. It takes no locks and starts no helpers. */
async function git(folder: string, command: readonly string[]): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
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

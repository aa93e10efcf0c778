import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from './find-executable.ts';
import { runProcess } from './run-process.ts';

/** How programs are kept apart from the rest of the machine. */
export interface Apart {
  /** The command that runs what follows it apart; files can be written in the folder only. */
  readonly command: (folder: string) => readonly string[];
  /** Whether other folders are read-only, and the own one holds so much and no more. */
  readonly isolatesFiles: boolean;
}

/** The most that a program can write, in all. */
export const diskMb = 64;
const diskBytes = diskMb << 20;

/** The strictest way to keep programs apart that works on this machine. */
export async function findApart(shell: string | undefined): Promise<Apart | undefined> {
  for (const way of await waysApart(shell)) if (await works(way)) return way;
  return undefined;
}

/** The ways that may work, the strictest first. */
export async function waysApart(shell: string | undefined): Promise<Apart[]> {
  const [bubblewrap, unshare, setpriv] = await Promise.all(
    ['bwrap', 'unshare', 'setpriv'].map((name) => findExecutable(name)),
  );
  const ways: Apart[] = [];
  if (bubblewrap) ways.push({ command: bubblewrapCommand(bubblewrap), isolatesFiles: true });
  for (const user of [[], ['--map-root-user']]) {
    if (!unshare) break;
    const spaces = ['--net', '--pid', '--ipc', '--mount', '--fork', '--kill-child', '--mount-proc'];
    const command = [unshare, ...user, ...spaces, '--'];
    if (shell && setpriv) {
      const dropping = [setpriv, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--'];
      ways.push({
        command: (folder) => [...command, shell, '-c', mountFolder, 'sh', folder, ...dropping],
        isolatesFiles: true,
      });
    }
    ways.push({ command: () => command, isolatesFiles: false });
  }
  // Also without a mount namespace, as in a container that forbids mounts.
  if (unshare) {
    const command = [unshare, '--net', '--pid', '--fork', '--kill-child', '--'];
    ways.push({ command: () => command, isolatesFiles: false });
  }
  return ways;
}

function bubblewrapCommand(file: string): Apart['command'] {
  const size = ['--size', String(diskBytes), '--tmpfs'];
  return (folder) => [
    file,
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...[...size, '/dev/shm', ...size, folder, '--chdir', folder, '--'],
  ];
}

/** Makes all that is there read-only, and puts a small empty folder on top of the one that is named. */
const mountFolder = `folder=$1
shift
while read -r _ point _ options _; do
  case $options in
    rw*) mount -o "remount,bind,ro,\${options#rw,}" "$point" || exit 125 ;;
  esac
done </proc/self/mounts
mount -t tmpfs -o size=${diskBytes},nr_inodes=16384,mode=700 tmpfs "$folder" || exit 125
mount -t tmpfs -o size=${diskBytes},nr_inodes=1024 tmpfs /dev/shm 2>/dev/null
cd "$folder" || exit 125
exec "$@"`;

/** Whether a way works here. */
export async function works({ command }: Apart): Promise<boolean> {
  const yes = await findExecutable('true');
  if (!yes) return false;
  const folder = await mkdtemp(join(tmpdir(), 'typecase-probe-'));
  try {
    const inner = join(folder, 'work');
    await mkdir(inner);
    const { code, ended } = await runProcess({
      command: [...command(inner), yes],
      folder: inner,
      input: '',
      timeoutMs: 5000,
      limits: { memoryMb: 512, processes: 64 },
      maxOutput: 1 << 16,
      endsTogether: false,
      signal: new AbortController().signal,
    });
    return code === 0 && ended === 'itself';
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

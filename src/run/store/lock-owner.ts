import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/file-errors.ts';

/** Who holds a lock, told from every other process there was or is. */
export interface LockOwner {
  readonly host: string;
  /** Numbers of processes mean the same only within one of these: a start of a kernel, a container. */
  readonly space: string;
  readonly pid: number;
  /** When the process began; a number is used again, with another time. */
  readonly started: string | undefined;
  readonly token: string;
}

export function ownIdentity(): { readonly token: string; readonly owner: LockOwner } {
  const token = randomBytes(8).toString('hex');
  const { pid } = process;
  return {
    token,
    owner: { host: hostname(), space: ownSpace(), pid, started: linuxStart(pid), token },
  };
}

function ownSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** In ticks since the kernel began: the 22nd field, counted behind the name, which may hold anything. */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** What a lock says; nothing if it is damaged. The number of a process alone is one of an earlier version. */
export function readOwner(text: string): LockOwner | undefined {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    return {
      host: hostname(),
      space: ownSpace(),
      pid: Number(text),
      started: undefined,
      token: '',
    };
  }
  try {
    const { host, space, pid, started, token } = JSON.parse(text) as LockOwner;
    const isWhole = [host, space, token].every((part) => typeof part === 'string');
    return isWhole && Number.isInteger(pid) ? { host, space, pid, started, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an owner lives; unknown where its number cannot be looked up from here. */
export async function isRunning(owner: LockOwner): Promise<boolean | undefined> {
  const own = ownIdentity().owner;
  if (owner.host !== own.host || owner.space !== own.space) return undefined;
  if (!isThere(owner.pid)) return false;
  if (owner.started === undefined)
    return owner.token === '' ? owner.pid !== process.pid : undefined;
  return linuxStart(owner.pid) === owner.started;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

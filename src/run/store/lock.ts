import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeSync,
} from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, readTextFile } from '../../base/files.ts';
import { RunError } from '../../errors.ts';

const lockName = '.lock';
const claimPrefix = '.lock.claim-';
/** An owner that cannot be looked at, on another machine or in a container, writes this often. */
const beatMs = 5000;
const silentMs = 30_000;
const claimsMs = 5000;

interface HeldLock {
  readonly descriptor: number;
  readonly timer: NodeJS.Timeout;
}

/** The folders that this process writes to. */
const held = new Map<string, HeldLock>();

/**
 * Makes sure that one process at a time writes to a folder, also where folders are shared between
 * machines and containers. Gives the way to let go of it.
 *
 * Whoever wants the lock puts a claim beside it, looks for other claims and for an owner that lives,
 * and renames the claim to the lock if there is neither. Of two claims the later one to look sees
 * the other, or the lock that became of it.
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const folder = resolve(path);
  if (held.has(folder)) throw inUse(`another run of this process is writing to ${path}`);
  const claim: Claim = { folder, path, ...ownIdentity() };
  const file = join(folder, `${claimPrefix}${claim.token}`);
  const descriptor = openSync(file, 'wx');
  const lock = { descriptor, timer: setInterval(() => beat(descriptor), beatMs).unref() };
  held.set(folder, lock);
  try {
    writeSync(descriptor, JSON.stringify(claim.owner), 0);
    await waitForLock(claim, file);
    await rename(file, join(folder, lockName));
  } catch (error) {
    await letGo(folder, file);
    throw error;
  }
  return () => letGo(folder, join(folder, lockName));
}

/** Throws if this process had the lock on the folder of a file, and it is another's or gone. */
export function checkLock(file: string): void {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const lock = held.get(folder);
    if (lock && !isOwn(lock, join(folder, lockName))) throw lostLock(folder);
    if (lock || folder === dirname(folder)) return;
  }
}

async function letGo(folder: string, file: string): Promise<void> {
  const lock = held.get(folder);
  if (!lock) return;
  held.delete(folder);
  clearInterval(lock.timer);
  try {
    if (isOwn(lock, file)) await rm(file, { force: true });
  } finally {
    closeSync(lock.descriptor);
  }
}

function isOwn({ descriptor }: HeldLock, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false, bigint: true });
  const own = fstatSync(descriptor, { bigint: true });
  return there !== undefined && there.ino === own.ino && there.dev === own.dev;
}

/** Shows that the owner lives: the file system notes when. */
function beat(descriptor: number): void {
  try {
    writeSync(descriptor, '{', 0);
  } catch {
    // A disk that is full ends the run where it writes results.
  }
}

interface Claim {
  readonly folder: string;
  /** The folder as the user wrote it. */
  readonly path: string;
  readonly token: string;
  readonly owner: LockOwner;
}

async function waitForLock(claim: Claim, file: string): Promise<void> {
  const end = performance.now() + claimsMs;
  for (;;) {
    const rival = await findRival(claim, file);
    const owner = await ownerOf(join(claim.folder, lockName), file);
    if (typeof owner === 'object')
      throw inUse(`another process (${owner.text}) is writing to ${claim.path}`, owner.hint);
    if (!rival) return;
    if (performance.now() > end)
      throw inUse(`another process (${rival.text}) is about to write to ${claim.path}`, rival.hint);
    await withdraw(claim, file);
  }
}

/** Makes room for the others for a moment: of two that wait for each other none would go on. */
async function withdraw({ folder, token }: Claim, file: string): Promise<void> {
  const aside = join(folder, `.lock.aside-${token}`);
  await rename(file, aside);
  await sleep(5 + Math.random() * 45);
  await rename(aside, file);
}

async function findRival({ folder, token }: Claim, own: string): Promise<LiveOwner | undefined> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.lock.') || name.endsWith(token)) continue;
    const file = join(folder, name);
    const owner = await ownerOf(file, own);
    if (owner === 'dead') await rm(file, { force: true });
    else if (owner !== 'gone' && name.startsWith(claimPrefix)) return owner;
  }
  return undefined;
}

interface LiveOwner {
  readonly text: string;
  readonly hint?: string | undefined;
}

/** Who holds a lock or claims it, if it is there. */
async function ownerOf(file: string, own: string): Promise<LiveOwner | 'dead' | 'gone'> {
  const text = await unlessGone(readTextFile(file));
  const written = await unlessGone(stat(file));
  if (text === undefined || !written) return 'gone';
  /** By the clock of the file system. */
  const silence = (await stat(own)).mtimeMs - written.mtimeMs;
  const owner = readOwner(text);
  // A claim is written a moment after it is made, and a lock was a claim.
  const isNew = silence < 1000 && !file.endsWith(lockName);
  if (!owner) return isNew ? { text: 'it has just begun' } : 'dead';
  const isAlive = await isRunning(owner);
  if (isAlive !== undefined) return isAlive ? { text: String(owner.pid) } : 'dead';
  if (silence > silentMs) return 'dead';
  const seconds = Math.ceil((silentMs - silence) / 1000);
  return {
    text: `${owner.pid} on ${owner.host}`,
    hint: `Wait for it, or choose another folder. If that process is gone, the folder is free in ${seconds} s.`,
  };
}

/** Who writes to a folder now. */
export interface FolderOwner {
  /** Its number and, if it is on another machine, the name of that. */
  readonly text: string;
  /** The number of a process that can be told to stop from here. */
  readonly pid?: number | undefined;
}

/** The process that writes to a folder; nothing if none does. */
export async function lockOwner(path: string): Promise<FolderOwner | undefined> {
  const file = join(path, lockName);
  const text = await unlessGone(readTextFile(file));
  const written = text === undefined ? undefined : await unlessGone(stat(file));
  const owner = text === undefined ? undefined : readOwner(text);
  if (!owner || !written) return undefined;
  const isAlive = await isRunning(owner);
  if (isAlive === true) return { text: String(owner.pid), pid: owner.pid };
  const isSilent = Date.now() - written.mtimeMs > silentMs;
  return isAlive === false || isSilent ? undefined : { text: `${owner.pid} on ${owner.host}` };
}

async function unlessGone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function inUse(message: string, hint?: string): RunError {
  return new RunError('run.in_use', message, {
    hint: hint ?? 'Wait for it, or choose another folder.',
  });
}

function lostLock(folder: string): RunError {
  return new RunError('run.lock_lost', `another process has taken over ${folder}`, {
    hint: 'This process writes nothing more. It was silent for too long, or its `.lock` was removed.',
  });
}

/** Who holds a lock, told from every other process there was or is. */
interface LockOwner {
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
function readOwner(text: string): LockOwner | undefined {
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
async function isRunning(owner: LockOwner): Promise<boolean | undefined> {
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

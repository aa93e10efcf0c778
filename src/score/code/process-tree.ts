import { readdir, readFile, readlink, stat } from 'node:fs/promises';

/** Processes by their number, with the time at which each was started: numbers are used again. */
export type Processes = ReadonlyMap<number, string>;

/** What a process and all that it started take of the machine. */
export interface TreeUse {
  readonly processes: Processes;
  readonly memoryMb: number;
}

const pageBytes = 4096;

/**
 * What the tree of a process takes, with those that were seen in it before and have left it since.
 * Memory that processes share counts once, and files in memory count whether they are mapped or not;
 * that is looked into only if there may be too much.
 */
export async function readTree(
  root: number,
  { seen, limitMb }: { readonly seen: Processes; readonly limitMb: number },
): Promise<TreeUse> {
  const processes = new Map<number, string>();
  const files = new Map<number, number>();
  const waiting = [root, ...seen.keys()];
  let memoryMb = 0;
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const found = processes.has(pid) ? undefined : await readProcess(pid);
    if (!found || (seen.get(pid) ?? found.startedAt) !== found.startedAt) continue;
    processes.set(pid, found.startedAt);
    memoryMb += found.residentMb;
    for (const [file, mb] of await memoryFilesOf(pid)) files.set(file, mb);
    waiting.push(...(await childrenOf(pid)));
  }
  memoryMb += sum([...files.values()]);
  if (memoryMb > limitMb) {
    const shares = await Promise.all(
      [...processes.keys()].map((pid) => shareMb(pid, files.size > 0)),
    );
    memoryMb = sum([...files.values(), ...shares]);
  }
  return { processes, memoryMb };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Those that are still there. */
export async function stillThere(processes: Processes): Promise<number[]> {
  const found = await Promise.all([...processes.keys()].map(readProcess));
  const kept = [...processes].filter(
    ([, startedAt], index) => found[index]?.startedAt === startedAt,
  );
  return kept.map(([pid]) => pid);
}

async function readProcess(
  pid: number,
): Promise<{ readonly startedAt: string; readonly residentMb: number } | undefined> {
  const text = await read(`/proc/${pid}/stat`);
  // After the name, which may hold anything, the state is the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [startedAt, pages] = [fields[19], fields[21]];
  if (text === '' || startedAt === undefined) return undefined;
  return { startedAt, residentMb: (Number(pages) * pageBytes) / 2 ** 20 };
}

/** What all its threads have started. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)),
  );
  return texts.flatMap((text) => text.split(' ').filter(Boolean)).map(Number);
}

/** The files in memory (`memfd_create`) that it holds open: how much each takes, by its number. */
async function memoryFilesOf(pid: number): Promise<[file: number, mb: number][]> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const found = await Promise.all(
    open.map(async (name): Promise<[number, number][]> => {
      const path = `/proc/${pid}/fd/${name}`;
      const target = await readlink(path).catch(() => '');
      if (!target.startsWith(memoryFile)) return [];
      return await stat(path).then(
        ({ ino, blocks }) => [[ino, blocks / 2048]],
        () => [],
      );
    }),
  );
  return found.flat();
}

const memoryFile = '/memfd:';

/** Its part of the pages that several processes have, all of them where the system does not tell; without those of files in memory, if there are any. */
async function shareMb(pid: number, hasFiles: boolean): Promise<number> {
  const kib = /^Pss:\s+(\d+)/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1];
  if (kib === undefined) return (await readProcess(pid))?.residentMb ?? 0;
  const ofFiles = hasFiles ? await mappedFilesKib(pid) : 0;
  return (Number(kib) - ofFiles) / 1024;
}

async function mappedFilesKib(pid: number): Promise<number> {
  const mappings = (await read(`/proc/${pid}/smaps`)).split(/^(?=[\da-f]+-[\da-f]+ )/m);
  return sum(
    mappings
      .filter((mapping) => mapping.slice(0, mapping.indexOf('\n')).includes(` ${memoryFile}`))
      .map((mapping) => Number(/^Pss:\s+(\d+)/m.exec(mapping)?.[1] ?? 0)),
  );
}

/** Nothing of a process that is gone. */
function read(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '');
}

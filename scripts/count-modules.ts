import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { roomOf } from './layers.ts';

// What a plain run touches: the modules that it loads, and the way from one room to the next until
// the first request goes out. `npx tsx scripts/count-modules.ts` prints the figures, with `--path` and `--modules` also the names.

export interface Walk {
  /** The modules of `src`, in the order in which they were evaluated. */
  readonly modules: readonly string[];
  /** The functions of `src` as `module:line`, in the order of their first call, up to the first request. */
  readonly functions: readonly string[];
}

/** Runs three rows through the command line and notes what is loaded and called. */
export async function walkPlainRun(): Promise<Walk> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-walk-'));
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: '4' };
    response.end(JSON.stringify({ model: 'm', choices: [{ message, finish_reason: 'stop' }] }));
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const rows = [1, 2, 3].map((n) =>
      JSON.stringify({ question: `${n} + 1?`, answer: `${n + 1}` }),
    );
    await writeFile(join(folder, 'data.jsonl'), `${rows.join('\n')}\n`);
    const model = `http://127.0.0.1:${port}/v1`;
    const options = ['--model', model, '--template', 'Q: {question}', '--output-column', 'answer'];
    await runCommand(folder, ['run', 'data.jsonl', ...options]);
    return JSON.parse(await readFile(join(folder, 'walk.json'), 'utf8')) as Walk;
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
}

async function runCommand(folder: string, args: readonly string[]): Promise<void> {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const imports = [import.meta.resolve('tsx'), pathToFileURL(here('note-walk.mjs')).href];
  const child = spawn(
    process.execPath,
    [...imports.flatMap((url) => ['--import', url]), here('../src/cli/main.ts'), ...args],
    { cwd: folder, env: { ...process.env, TYPECASE_WALK: join(folder, 'walk.json') } },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.resume();
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the run ended with ${code}:\n${errors}`);
}

/** How often the room changes along a list of files. */
export function roomSwitches(files: readonly string[]): number {
  return files.filter((file, i) => i > 0 && roomOf(file) !== roomOf(files[i - 1] ?? '')).length;
}

/** The files of functions, in the order of the first call into each. */
export function filesOf(functions: readonly string[]): string[] {
  return [...new Set(functions.map((name) => name.split(':')[0] ?? ''))];
}

export function countByRoom(files: readonly string[]): [room: string, count: number][] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(roomOf(file), (counts.get(roomOf(file)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { modules, functions } = await walkPlainRun();
  console.log(`${modules.length} modules`);
  for (const [room, count] of countByRoom(modules)) console.log(`${count}`.padStart(5), room);
  console.log(`${roomSwitches(modules)} room switches in the order of evaluation`);
  const files = filesOf(functions);
  console.log(
    `${functions.length} functions of ${files.length} files until the first row is planned`,
  );
  console.log(`${roomSwitches(files)} room switches by the first call into each file`);
  console.log(`${roomSwitches(functions)} room switches by the first call of each function`);
  if (process.argv.includes('--path')) console.log(functions.join('\n'));
  if (process.argv.includes('--modules')) console.log(modules.join('\n'));
}

import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CPythonRandom } from '../../src/python/random/cpython-random.ts';
import { functionAt, functionsOf } from './functions.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import type { Reach } from './note-reach.ts';
import { numberFunctions } from './reach-plugin.ts';
import { pathFrom, sourceFiles } from './source-file.ts';

/**
 * Changes single operators and constants of the code, one at a time, and runs the tests that call the
 * function it stands in until one fails. What no test notices is listed.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    /** The most seconds of tests for one change. */
    seconds: { type: 'string', default: '240' },
    /** A folder that keeps what tests call from one start to the next. */
    reach: { type: 'string' },
    /** Changes of this file alone, such as those that were not noticed before. */
    only: { type: 'string' },
    out: { type: 'string', default: 'mutations.json' },
  },
});
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'typecase-mutate-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The tracked files, with the packages and the build of the project itself. */
function copyProject(name: string): string {
  const copy = join(scratch, name);
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  for (const file of stdout.split('\0').filter((path) => path !== '')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  if (existsSync(join(root, 'dist'))) symlinkSync(join(root, 'dist'), join(copy, 'dist'));
  return copy;
}

interface Ended {
  readonly isKilled: boolean;
  readonly code: number | null;
  readonly output: string;
}

function runTests(
  copy: string,
  args: readonly string[],
  options: { seconds: number; reach?: string },
) {
  const { reach, seconds } = options;
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.mutate.config.ts',
      ...args,
    ],
    {
      cwd: copy,
      env: { ...process.env, ...(reach && { TYPECASE_REACH: reach }) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  return new Promise<Ended>((resolve) => {
    let isKilled = false;
    const timer = setTimeout(() => {
      isKilled = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ isKilled, code, output });
    });
  });
}

/** Which tests call which function. */
async function findReach(): Promise<Map<number, Reach[]>> {
  const folder = values.reach ?? join(scratch, 'reach');
  if (!existsSync(folder)) {
    console.error('Noting what each test calls (about as long as `npm test`) …');
    const copy = copyProject('reached');
    const { output } = await runTests(copy, [], { seconds: 3600, reach: folder });
    console.error(output.split('\n').slice(-8).join('\n'));
  }
  const byFunction = new Map<number, Reach[]>();
  for (const file of readdirSync(folder)) {
    const read: Reach = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const path =
      /(?:^|\/)((?:src|test)\/(?!.*\/(?:src|test)\/).*)$/.exec(read.test)?.[1] ?? read.test;
    const reach = { ...read, test: path };
    for (const number of read.functions) {
      byFunction.set(number, [...(byFunction.get(number) ?? []), reach]);
    }
  }
  return byFunction;
}

interface Chosen extends Mutation {
  readonly tests: readonly Reach[];
}

function chooseMutations(byFunction: ReadonlyMap<number, Reach[]>): Chosen[] {
  const { first } = numberFunctions(root);
  const all = sourceFiles(root).flatMap((file): Chosen[] => {
    const text = readFileSync(join(root, file), 'utf8');
    const functions = functionsOf(file, text);
    const start = first.get(file) ?? 0;
    const testsOf = (place: number) => {
      const index = functionAt(functions, place);
      if (index !== undefined) return byFunction.get(start + index) ?? [];
      // What stands at the top of a file is seen by those that call any of it.
      return [...new Set(functions.flatMap((_, number) => byFunction.get(start + number) ?? []))];
    };
    return mutationsOf(file, text).map((mutation) => ({
      ...mutation,
      tests: testsOf(mutation.start),
    }));
  });
  console.error(`${all.length} changes are possible.`);
  if (values.only !== undefined) {
    const wanted: readonly Mutation[] = JSON.parse(readFileSync(values.only, 'utf8')).unnoticed;
    return all.filter((one) =>
      wanted.some(
        ({ file, line, before, after }) =>
          one.file === file && one.line === line && one.before === before && one.after === after,
      ),
    );
  }
  const random = new CPythonRandom(Number(values.seed));
  const numbers = random.sample(all.length, Number(values.count));
  return numbers.flatMap((number) => all[number] ?? []);
}

/** The nearest tests first, then the fastest. */
function inOrder({ file, tests }: Chosen): Reach[] {
  const isNear = ({ test }: Reach) => Number(dirname(test) === dirname(file));
  return tests.toSorted((one, other) => isNear(other) - isNear(one) || one.ms - other.ms);
}

const firstSeconds = 15;

async function isNoticed(copy: string, mutation: Chosen): Promise<string | undefined> {
  const path = join(copy, mutation.file);
  const text = readFileSync(path, 'utf8');
  const { start, end, after } = mutation;
  writeFileSync(path, text.slice(0, start) + after + text.slice(end));
  try {
    const groups: Reach[][] = [[], []];
    let seconds = 0;
    for (const test of inOrder(mutation)) {
      seconds += test.ms / 1000;
      if (seconds > Number(values.seconds)) break;
      groups[seconds < firstSeconds ? 0 : 1]?.push(test);
    }
    for (const group of groups) {
      if (group.length === 0) continue;
      const expected = group.reduce((sum, { ms }) => sum + ms, 0) / 1000;
      const files = group.map(({ test }) => test);
      const ended = await runTests(copy, ['--bail', '1', ...files], { seconds: 60 + 4 * expected });
      if (ended.isKilled) return 'took too long';
      if (ended.code !== 0) return /FAIL\S*\s+(.*)/.exec(plain(ended.output))?.[1] ?? 'failed';
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours a terminal
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}

const byFunction = await findReach();
const chosen = chooseMutations(byFunction);
const unnoticed: Mutation[] = [];
const noticed: (Mutation & { readonly by: string })[] = [];
const queue = [...chosen];

async function work(name: string): Promise<void> {
  const copy = copyProject(name);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { tests, ...mutation } = next;
    const by = tests.length === 0 ? undefined : await isNoticed(copy, next);
    if (by === undefined) unnoticed.push(mutation);
    else noticed.push({ ...mutation, by });
    const { file, line, before, after } = mutation;
    const verdict =
      by === undefined ? `NOT NOTICED by ${tests.length} files of tests` : `noticed: ${by}`;
    console.log(`${file}:${line}  ${before} → ${after}  ${verdict}`);
    writeFileSync(values.out, JSON.stringify({ seed: values.seed, unnoticed, noticed }, null, 2));
  }
}

await Promise.all(
  Array.from({ length: Number(values.workers) }, (_, index) => work(`copy-${index}`)),
);
console.log(`\n${noticed.length} of ${chosen.length} changes noticed (seed ${values.seed}).`);
for (const { file, line, before, after } of unnoticed) {
  console.log(`  ${pathFrom(root, join(root, file))}:${line}  ${before} → ${after}`);
}

import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
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
import { functionAt, functionsOf } from './functions.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { listedChanges, nameOf } from './not-noticed.ts';
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
    /** A file that keeps what tests call from one start to the next. */
    reach: { type: 'string' },
    /** Only files of tests whose paths hold this, such as `src/`. */
    tests: { type: 'string' },
    /** Changes of this file alone, such as those that were not noticed before. */
    only: { type: 'string' },
    /** What is judged; a later start with the same seed goes on from there. */
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
  // Tests of the command build it anew where its source is newer.
  const dist = join(root, 'dist');
  if (existsSync(dist)) cpSync(dist, join(copy, 'dist'), { recursive: true });
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
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    'sh',
    [
      '-c',
      `ulimit -t ${Math.ceil(seconds)}; exec "$@"`,
      'sh',
      process.execPath,
      vitest,
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
    // What never ends takes CPU time or runs into the time limit of a test; a busy machine alone does neither.
    const timer = setTimeout(() => {
      isKilled = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 20_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ isKilled, code, output });
    });
  });
}

/** A file of tests: how long it took, and which functions of which files it called, by their numbers there. */
interface Calls {
  readonly test: string;
  readonly ms: number;
  readonly functions: Readonly<Record<string, readonly number[]>>;
}

/** What each file of tests calls, but for those that fail without a change. */
async function findCalls(): Promise<readonly Calls[]> {
  if (values.reach !== undefined && existsSync(values.reach)) {
    return JSON.parse(readFileSync(values.reach, 'utf8'));
  }
  console.error('Noting what each test calls (about as long as `npm test`) …');
  const folder = join(scratch, 'reach');
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const wanted = values.tests === undefined ? [] : [values.tests];
  const { output } = await runTests(copyProject('reached'), [...reporters, ...wanted], {
    seconds: 7200,
    reach: folder,
  });
  console.error(output.split('\n').slice(-8).join('\n'));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const passed = new Set<string>();
  for (const { name, status } of testResults) {
    if (status === 'passed') passed.add(name);
    else console.error(`${name} fails without a change: it judges none`);
  }
  const { first } = numberFunctions(root);
  const calls = readdirSync(folder)
    .map((file): Reach => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .filter(({ test }) => passed.has(test))
    .map(
      ({ test, ms, functions }): Calls => ({
        test: pathFrom(join(scratch, 'reached'), test),
        ms,
        functions: byFile(functions, first),
      }),
    );
  if (values.reach !== undefined) writeFileSync(values.reach, JSON.stringify(calls));
  return calls;
}

function byFile(numbers: readonly number[], first: ReadonlyMap<string, number>) {
  const starts = [...first];
  const found: Record<string, number[]> = {};
  for (const number of numbers) {
    const [file, start] = starts.findLast(([, from]) => from <= number) ?? ['', 0];
    found[file] ??= [];
    found[file].push(number - start);
  }
  return found;
}

const listed = listedChanges();

interface Chosen extends Mutation {
  readonly tests: readonly Calls[];
}

function chooseMutations(calls: readonly Calls[]): Chosen[] {
  const all = sourceFiles(root).flatMap((file): Chosen[] => {
    const text = readFileSync(join(root, file), 'utf8');
    const functions = functionsOf(file, text);
    const testsOf = (place: number) => {
      const index = functionAt(functions, place);
      // What is done when a file is loaded is noted of the first test that loads it: those beside it are taken as well.
      return calls.filter(
        ({ test, functions: called }) =>
          dirname(test) === dirname(file) ||
          (index === undefined ? called[file] : called[file]?.includes(index)),
      );
    };
    return mutationsOf(file, text).map((mutation) => ({
      ...mutation,
      tests: testsOf(mutation.start),
    }));
  });
  console.error(`${all.length} changes are possible.`);
  const names = new Set(all.map(nameOf));
  for (const name of listed) {
    if (!names.has(name)) console.error(`not-noticed.md lists what is not there: ${name}`);
  }
  if (values.only !== undefined) {
    const wanted: readonly Mutation[] = JSON.parse(readFileSync(values.only, 'utf8')).unnoticed;
    return all.filter((one) =>
      wanted.some(
        ({ file, line, before, after }) =>
          one.file === file && one.line === line && one.before === before && one.after === after,
      ),
    );
  }
  return drawn(all).slice(0, Number(values.count));
}

/** In an order by chance that stays when other lines of the code change. */
function drawn(all: readonly Chosen[]): Chosen[] {
  const seen = new Map<string, number>();
  const places = all.map((one) => {
    const name = nameOf(one);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { one, place: hash('sha1', `${values.seed} ${times} ${name}`) };
  });
  return places.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ one }) => one);
}

/** The nearest tests first, then the fastest. */
function inOrder({ file, tests }: Chosen): Calls[] {
  const isNear = ({ test }: Calls) => Number(dirname(test) === dirname(file));
  return tests.toSorted((one, other) => isNear(other) - isNear(one) || one.ms - other.ms);
}

const firstSeconds = 15;
const tookTooLong = 'took too long';

async function isNoticed(copy: string, mutation: Chosen): Promise<string | undefined> {
  const path = join(copy, mutation.file);
  const text = readFileSync(path, 'utf8');
  const { start, end, after } = mutation;
  writeFileSync(path, text.slice(0, start) + after + text.slice(end));
  try {
    const groups: Calls[][] = [[], []];
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
      if (ended.isKilled) return tookTooLong;
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

const chosen = chooseMutations(await findCalls());
interface Judged {
  readonly unnoticed: Mutation[];
  readonly noticed: (Mutation & { readonly by: string })[];
}

/** What an earlier start with the same changes has judged. */
function judgedBefore(): Judged {
  if (values.only !== undefined || !existsSync(values.out)) return { unnoticed: [], noticed: [] };
  const before: Judged = JSON.parse(readFileSync(values.out, 'utf8'));
  const isChosen = (one: Mutation) => chosen.some((other) => isSame(one, other));
  return {
    unnoticed: before.unnoticed.filter(isChosen),
    noticed: before.noticed.filter(isChosen),
  };
}

function isSame(one: Mutation, other: Mutation): boolean {
  return one.file === other.file && one.start === other.start && one.after === other.after;
}

const { unnoticed, noticed } = judgedBefore();
const queue = chosen.filter(
  (one) => ![...unnoticed, ...noticed].some((other) => isSame(one, other)),
);

async function work(name: string): Promise<void> {
  const copy = copyProject(name);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { tests, ...mutation } = next;
    const isListed = listed.has(nameOf(mutation));
    const by = tests.length === 0 || isListed ? undefined : await isNoticed(copy, next);
    if (by === undefined) unnoticed.push(mutation);
    else noticed.push({ ...mutation, by });
    const { file, line, before, after } = mutation;
    const verdict =
      by === undefined
        ? `NOT NOTICED by ${isListed ? 'design' : `${tests.length} files of tests`}`
        : `noticed: ${by}`;
    console.log(`${file}:${line}  ${before} → ${after}  ${verdict}`);
    writeFileSync(values.out, JSON.stringify({ seed: values.seed, unnoticed, noticed }, null, 2));
  }
}

await Promise.all(
  Array.from({ length: Number(values.workers) }, (_, index) => work(`copy-${index}`)),
);
console.log(`\n${noticed.length} of ${chosen.length} changes noticed (seed ${values.seed}).`);
const endless = noticed.filter(({ by }) => by === tookTooLong);
if (endless.length > 0)
  console.log('Noticed because tests took too long (on a busy machine, look at them again):');
for (const { file, line, before, after } of endless) {
  console.log(`  ${file}:${line}  ${before} → ${after}`);
}
const missed = unnoticed.filter((one) => !listed.has(nameOf(one)));
console.log(`${unnoticed.length - missed.length} of the others are listed in not-noticed.md.`);
if (missed.length > 0) console.log('Not noticed, and not listed:');
for (const { file, line, before, after, code } of missed) {
  console.log(`  ${file}:${line}  ${before} → ${after}  in  ${code}`);
}
process.exitCode = missed.length > 0 ? 1 : 0;

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type OnTestFinishedHandler, type RunnerTestCase, TestRunner } from 'vitest';
import { EndlessError, state } from './switch.ts';
import { readVerdicts, unfinished, type Verdict, writeVerdict } from './verdicts.ts';

interface Test extends RunnerTestCase {
  /** What it asked for at its end. */
  onFinished?: OnTestFinishedHandler[];
}

const {
  TYPECASE_VERDICTS: file = '',
  TYPECASE_CHOSEN: chosenFile,
  TYPECASE_TEST_MS = '150',
  TYPECASE_CHANGES_MS = '4000',
} = process.env;
const chosen: readonly number[] = chosenFile ? JSON.parse(readFileSync(chosenFile, 'utf8')) : [];
const write = (verdict: Verdict) => writeVerdict(file, verdict);

/** Changes that no test has noticed yet. */
const left = new Set(chosen);
/** Tests that an earlier process has run for all changes. */
const done = new Set<string>();
const before = readVerdicts(file);
const stopped = unfinished(before);
if (stopped) write({ ...stopped, type: 'noticed', how: 'the process ended' });
for (const verdict of readVerdicts(file)) {
  if (verdict.type === 'noticed') left.delete(verdict.change);
  if (verdict.type === 'missed') done.add(`${verdict.change} ${verdict.test}`);
}

interface Usual {
  readonly ms: number;
  readonly steps: number;
}

/** Runs each test once as it is, and again for each change whose place it reaches and that is left. */
// biome-ignore lint/style/noDefaultExport: the test runner takes it so
export default class JudgeRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (file === '') return void (await run());
    const name = nameOf(test);
    const outside = reachedNow();
    if (outside.length > 0) write({ type: 'outside', file: test.file.name, changes: outside });
    const { cpuMs, changes, ...usual } = await runAsItIs(test, run);
    const tried = changes.filter((change) => left.has(change) && !done.has(`${change} ${name}`));
    const isSlow = cpuMs > Number(TYPECASE_TEST_MS);
    const judges = !isSlow && cpuMs * tried.length <= Number(TYPECASE_CHANGES_MS);
    if (changes.length > 0) {
      write({ type: 'test', test: name, cpuMs: Math.round(cpuMs), changes, judges });
    }
    if (!judges) return;
    for (const change of tried) {
      write({ type: 'trying', change, test: name });
      const how = await failureWith(change, { test, run, usual });
      if (how === undefined) {
        write({ type: 'missed', change, test: name });
      } else if (await failureWith(0, { test, run, usual })) {
        write({ type: 'spoiled', change, test: name });
        return;
      } else {
        left.delete(change);
        write({ type: 'noticed', change, test: name, how });
      }
    }
  }
}

function reachedNow(): number[] {
  const changes = chosen.filter((change) => state.reached[change]);
  state.reached.fill(0);
  return changes;
}

async function runAsItIs(test: Test, run: () => unknown) {
  const folder = `${file}.reach`;
  process.env.TYPECASE_REACH = folder;
  state.steps = 0;
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await run();
  await finish(test);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  delete process.env.TYPECASE_REACH;
  const byChildren = reachedByChildren(folder);
  const changes = chosen.filter((change) => state.reached[change] || byChildren.has(change));
  state.reached.fill(0);
  // What is waited for, such as processes, costs as well.
  const cpuMs = Math.max((user + system) / 1000, ms / 4);
  return { ms, cpuMs, steps: state.steps, changes };
}

function reachedByChildren(folder: string): Set<number> {
  const found = new Set<number>();
  try {
    for (const name of readdirSync(folder)) {
      for (const change of JSON.parse(readFileSync(join(folder, name), 'utf8'))) found.add(change);
    }
  } catch {
    return found;
  }
  rmSync(folder, { recursive: true });
  return found;
}

interface Run {
  readonly test: Test;
  readonly run: () => unknown;
  readonly usual: Usual;
}

/** What a test says with a change, or without one for 0; nothing if it passes. */
async function failureWith(change: number, { test, run, usual }: Run): Promise<string | undefined> {
  state.active = change;
  process.env.TYPECASE_MUTATION = String(change);
  state.steps = 0;
  state.limit = usual.steps * 20 + 2_000_000;
  Atomics.add(beats, 0, 1);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), 10_000 + 20 * usual.ms);
  });
  try {
    await Promise.race([run(), late]);
    await Promise.race([finish(test), late]);
    return undefined;
  } catch (error) {
    await finish(test).catch(() => undefined);
    if (error instanceof EndlessError) return 'runs for ever';
    return (error instanceof Error ? error.message : String(error)).slice(0, 120);
  } finally {
    clearTimeout(timer);
    Atomics.store(beats, 0, 0);
    state.active = 0;
    delete process.env.TYPECASE_MUTATION;
    state.limit = Number.POSITIVE_INFINITY;
  }
}

async function finish(test: Test): Promise<void> {
  const hooks = test.onFinished?.splice(0) ?? [];
  for (const hook of hooks.reverse()) await hook(test.context);
}

function nameOf(test: Test): string {
  const names = [test.name];
  for (let { suite } = test; suite; suite = suite.suite) names.unshift(suite.name);
  return `${test.file.name} > ${names.join(' > ')}`;
}

/** Ends the process when a change lets it hang without reaching another place. */
const beats = new Int32Array(new SharedArrayBuffer(4));
const watch = `
  const { workerData } = require('node:worker_threads');
  let seen = 0, since = Date.now();
  setInterval(() => {
    const now = Atomics.load(workerData, 0);
    if (now === 0 || now !== seen) [seen, since] = [now, Date.now()];
    else if (Date.now() - since > 120000) process.kill(process.pid, 'SIGKILL');
  }, 1000);
`;
if (file !== '') {
  new Worker(watch, { eval: true, workerData: beats }).unref();
  // What a change leaves behind may fail after its test.
  process.on('unhandledRejection', () => undefined);
}

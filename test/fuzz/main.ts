import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { targets } from './targets.ts';
import type { Told, Work } from './worker.ts';

/**
 * Gives everything that reads files of others inputs that are broken in many ways. Each must be read,
 * or be refused with an error for people, soon and in bounded memory.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '2' },
    /** The name of the only target. */
    target: { type: 'string' },
    /** One case alone, to look at it. */
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const workers = values.only === undefined ? Number(values.workers) : 1;
const longestMs = 20_000;
const memoryMegabytes = 700;

interface Finding {
  readonly number: number;
  readonly target: string;
  readonly kind: 'crash' | 'hang' | 'ended';
  readonly error: string;
}

const findings: Finding[] = [];
const counts = new Map(targets.map(({ name }) => [name, { read: 0, refused: 0, slowestMs: 0 }]));

/** Does its share of the cases; after one that it did not survive, another process goes on. */
async function work({ from, to, step }: Omit<Work, 'seed' | 'target'>): Promise<void> {
  let next = from;
  while (next < to) {
    const ended = await runChild({ seed, from: next, to, step, target: values.target });
    if (ended === 'done') return;
    findings.push(ended);
    next = ended.number + step;
  }
}

function runChild(todo: Work): Promise<'done' | Finding> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'worker.ts'), {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${memoryMegabytes}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let under = { number: todo.from, target: 'start', since: performance.now() };
  let errors = '';
  let isDone = false;
  let isHung = false;
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000);
  });
  const watch = setInterval(() => {
    // A busy machine takes long to start a process.
    const allowedMs = under.target === 'start' ? 10 * longestMs : longestMs;
    if (performance.now() - under.since < allowedMs) return;
    isHung = true;
    child.kill('SIGKILL');
  }, 1000);
  child.on('message', (told: Told) => {
    const ms = performance.now() - under.since;
    if (told.type === 'done') {
      isDone = true;
      child.disconnect();
      return;
    }
    const count = counts.get(told.target);
    if (told.type === 'begins') under = { ...told, since: performance.now() };
    else if (count) count.slowestMs = Math.max(count.slowestMs, ms);
    if (told.type === 'read' && count) count.read++;
    if (told.type === 'refused' && count) count.refused++;
    if (told.type === 'crash') findings.push({ ...told, kind: 'crash' });
  });
  child.send(todo);
  return new Promise((resolve) => {
    child.on('exit', () => {
      clearInterval(watch);
      const { number, target } = under;
      const kind = isHung ? 'hang' : 'ended';
      resolve(isDone ? 'done' : { number, target, kind, error: errors });
    });
  });
}

const startedAt = performance.now();
const [first, end] =
  values.only === undefined
    ? [0, Number(values.cases)]
    : [Number(values.only), Number(values.only) + 1];
await Promise.all(
  Array.from({ length: workers }, (_, index) =>
    work({ from: first + index, to: end, step: workers }),
  ),
);

console.log(
  `seed ${seed}, ${end - first} cases, ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
console.table(
  Object.fromEntries(
    [...counts].map(([name, { slowestMs, ...count }]) => [
      name,
      {
        ...count,
        'slowest, ms': Math.round(slowestMs),
        problems: findings.filter(({ target }) => target === name).length,
      },
    ]),
  ),
);
for (const { number, target, kind, error } of findings.slice(0, 50)) {
  console.log(`\n${target}: ${kind} (--seed ${seed} --only ${number})\n${error}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;

import { rm } from 'node:fs/promises';
import { startFaultServerProcess } from '../test/fault-server/index.ts';
import { buildCli } from '../test/integration/build-cli.ts';
import { hasRedis, startRedis } from '../test/redis/start-redis.ts';
import { type StartedWorker, startWorker } from '../test/redis/start-worker.ts';
import { type CommandFigures, measureRun, writeTask } from './run-command.ts';

// One worker, four workers, and no queue at all, each with so many requests in flight as it may have. The endpoint takes
// 200 ms for an answer, as many at once as come. Asking alone counts: starting a process is the same for all.

const latencyMs = 200;
const slots = 16;
const fleet = 4;
const rounds = Number(process.argv[2] ?? 3);
const leastSpeedup = 3.8;
const mostCost = 0.05;

if (!hasRedis) throw new Error('there is no `redis-server` on this machine');
buildCli();
await using server = await startFaultServerProcess({ latencyMs });

const address = { one: '', four: '' };
await using redisOfOne = await startRedis();
await using redisOfFour = await startRedis();
address.one = redisOfOne.address;
address.four = redisOfFour.address;
const args = ['--concurrency', String(slots)];
const workers: StartedWorker[] = await Promise.all([
  startWorker(redisOfOne, { args }),
  ...Array.from({ length: fleet }, () => startWorker(redisOfFour, { args })),
]);

/** The rows that keep `at once` requests busy for about ten seconds. */
const rowsFor = (atOnce: number) => Math.round((atOnce * 10_000) / latencyMs);

const ways = {
  'one worker': { atOnce: slots, more: ['--queue', address.one] },
  'four workers': { atOnce: slots * fleet, more: ['--queue', address.four] },
  'no queue': { atOnce: slots * fleet, more: ['--concurrency', String(slots * fleet)] },
} as const;

type Way = keyof typeof ways;

async function measure(way: Way): Promise<{ rate: number; figures: CommandFigures }> {
  const { atOnce, more } = ways[way];
  const rows = rowsFor(atOnce);
  const folder = await writeTask(server.url, rows);
  try {
    const figures = await measureRun(folder, rows, ['run', 'config.json', '--json', ...more]);
    return { rate: rows / figures.askingSeconds, figures };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const best = new Map<Way, number>();
const cpu = new Map<Way, number>();
try {
  for (let round = 0; round < rounds; round++) {
    for (const way of Object.keys(ways) as Way[]) {
      const { rate, figures } = await measure(way);
      best.set(way, Math.max(best.get(way) ?? 0, rate));
      const spent = figures.cpuMicroseconds / rowsFor(ways[way].atOnce);
      cpu.set(way, Math.min(cpu.get(way) ?? Number.POSITIVE_INFINITY, spent));
    }
  }
} finally {
  for (const worker of workers) await worker.kill();
}

const rateOf = (way: Way) => best.get(way) ?? Number.NaN;
console.table(
  Object.fromEntries(
    (Object.keys(ways) as Way[]).map((way) => [
      way,
      {
        'requests at once': ways[way].atOnce,
        'rows/s': Number(rateOf(way).toFixed(1)),
        'of what latency allows': Number(
          ((rateOf(way) * latencyMs) / 1000 / ways[way].atOnce).toFixed(3),
        ),
        'CPU of the run, µs a row': Math.round(cpu.get(way) ?? 0),
      },
    ]),
  ),
);
const speedup = rateOf('four workers') / rateOf('one worker');
const cost = 1 - rateOf('four workers') / rateOf('no queue');
console.log(`four workers reach ${speedup.toFixed(2)} × one (at least ${leastSpeedup})`);
console.log(`the queue costs ${(cost * 100).toFixed(1)}% (at most ${mostCost * 100}%)`);
if (speedup < leastSpeedup || cost > mostCost) process.exitCode = 1;

import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildCli } from '../test/integration/build-cli.ts';
import { hasRedis, type RedisServer, startRedis } from '../test/redis/start-redis.ts';
import { startWorker } from '../test/redis/start-worker.ts';
import { type FleetSetting, simulateFleet } from './fleet-simulation.ts';
import { startLoopbackServer } from './loopback.ts';
import { median } from './measure.ts';
import { measureRun, writeTask } from './run-command.ts';

// What a row costs over a queue, measured on this machine with prompts of 0.2 kB; then fleets of up to 1,000 workers
// with these costs, simulated. With `--write` the tables of docs/reference/scaling.md are made anew.

const few = 2000;
const many = 22_000;
const rounds = 3;
const ticksPerSecond = 100;
const slots = 64;
const simulatedRows = 400_000;
const fleets = [1, 4, 16, 64, 256, 1000];
const latenciesMs = [200, 2000, 20_000];
const large = 1e9;

interface Costs {
  readonly runMicroseconds: number;
  readonly redisMicroseconds: number;
  readonly workerMicroseconds: number;
  readonly queuedBytes: number;
  readonly answerBytes: number;
  readonly runBytes: number;
}

async function redisCpuSeconds({ client }: RedisServer): Promise<number> {
  const info = await client.info('cpu');
  const read = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return read('used_cpu_sys') + read('used_cpu_user');
}

function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** How much memory an entry of the answers takes, looked at while there are many. */
async function watchAnswers({ client }: RedisServer, isOver: () => boolean): Promise<number> {
  let best = { entries: 0, bytes: 0 };
  while (!isOver()) {
    const [key] = await client.keys('typecase:answers:*');
    const entries = key === undefined ? 0 : await client.xlen(key);
    if (key !== undefined && entries > best.entries) {
      best = { entries, bytes: Number(await client.memory('USAGE', key, 'SAMPLES', 0)) };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return best.bytes / best.entries;
}

/** What a queued request takes: those of a run that finds no worker. */
async function queuedBytes(url: string): Promise<number> {
  await using redis = await startRedis();
  const waiting = 64;
  const folder = await writeTask(url, waiting);
  const used = async () => Number(/used_memory:(\d+)/.exec(await redis.client.info('memory'))?.[1]);
  const before = await used();
  const command = ['run', 'config.json', '--json', '--queue', redis.address, '--max-time', '6'];
  const running = measureRun(folder, waiting, command).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const bytes = ((await used()) - before) / waiting;
  await running;
  await rm(folder, { recursive: true });
  return bytes;
}

/** Differences between a long run and a short one, so that starting does not count. */
async function measureCosts(): Promise<Costs> {
  const server = await startLoopbackServer();
  await using redis = await startRedis();
  const worker = await startWorker(redis, { args: ['--concurrency', String(slots)] });
  const found: Omit<Costs, 'queuedBytes'>[] = [];
  const once = async (rows: number) => {
    const folder = await writeTask(server.url, rows);
    const before = { redis: await redisCpuSeconds(redis), worker: cpuSecondsOf(worker.child.pid) };
    const { cpuMicroseconds, peakMegabytes } = await measureRun(folder, rows, [
      ...['run', 'config.json', '--json', '--queue', redis.address],
    ]);
    await rm(folder, { recursive: true });
    return {
      run: cpuMicroseconds,
      peakBytes: peakMegabytes * 1024 * 1024,
      redis: ((await redisCpuSeconds(redis)) - before.redis) * 1e6,
      worker: (cpuSecondsOf(worker.child.pid) - before.worker) * 1e6,
    };
  };
  try {
    for (let round = 0; round < rounds; round++) {
      const short = await once(few);
      let isOver = false;
      const answers = watchAnswers(redis, () => isOver);
      const long = await once(many);
      isOver = true;
      const perRow = (key: keyof typeof long) => (long[key] - short[key]) / (many - few);
      found.push({
        runMicroseconds: perRow('run'),
        redisMicroseconds: perRow('redis'),
        workerMicroseconds: perRow('worker'),
        runBytes: perRow('peakBytes'),
        answerBytes: await answers,
      });
    }
    const least = (key: keyof (typeof found)[number]) => Math.min(...found.map((one) => one[key]));
    return {
      runMicroseconds: least('runMicroseconds'),
      redisMicroseconds: least('redisMicroseconds'),
      workerMicroseconds: least('workerMicroseconds'),
      answerBytes: median(found.map((one) => one.answerBytes)),
      runBytes: median(found.map((one) => one.runBytes)),
      queuedBytes: await queuedBytes(server.url),
    };
  } finally {
    await worker.kill();
    server.stop();
  }
}

function costTable(costs: Costs): string {
  return [
    '| measured, for a row with a prompt of 0.2 kB | |',
    '|---|---|',
    `| CPU of the run | ${costs.runMicroseconds.toFixed(0)} µs |`,
    `| CPU of Redis | ${costs.redisMicroseconds.toFixed(0)} µs |`,
    `| CPU of a worker | ${costs.workerMicroseconds.toFixed(0)} µs |`,
    `| memory of Redis for a queued request | ${(costs.queuedBytes / 1000).toFixed(1)} kB |`,
    `| memory of Redis for an answer, kept for 3 s | ${(costs.answerBytes / 1000).toFixed(1)} kB |`,
  ].join('\n');
}

/** How long answers stay in Redis after the run has taken them, in seconds. */
const answersKeptSeconds = 3.5;

function fleetTable(costs: Costs): string {
  const lines = [
    '| latency | workers | rows/s | 10⁹ rows | queued requests | memory of Redis | CPU of Redis | CPU of the run | slots busy |',
    '|---|---|---|---|---|---|---|---|---|',
  ];
  for (const latencyMs of latenciesMs) {
    for (const workers of fleets) {
      const setting: FleetSetting = {
        ...{ workers, slots, latencyMs },
        runMs: costs.runMicroseconds / 1000,
        redisMs: costs.redisMicroseconds / 1000,
        workerMs: costs.workerMicroseconds / 1000,
      };
      const rows = Math.max(simulatedRows, 30 * workers * slots);
      const found = simulateFleet(setting, workers < 16 ? rows / 10 : rows);
      const { rowsPerSecond, queued, slotsBusy } = found;
      const active = slotsBusy * slots * workers;
      const bytes =
        (queued + active) * costs.queuedBytes +
        rowsPerSecond * answersKeptSeconds * costs.answerBytes;
      lines.push(
        `| ${latencyMs / 1000} s | ${workers} | ${Math.round(rowsPerSecond)} | ${duration(large / rowsPerSecond)} | ${Math.round(queued)} | ${megabytes(bytes)} | ${share(found.redisBusy)} | ${share(found.runBusy)} | ${share(slotsBusy)} |`,
      );
    }
  }
  return lines.join('\n');
}

const share = (value: number) => `${Math.round(value * 100)}%`;
const megabytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1e6))} MB`;

function duration(seconds: number): string {
  const days = seconds / 86_400;
  return days >= 2 ? `${Math.round(days)} days` : `${Math.round(seconds / 3600)} h`;
}

if (!hasRedis) throw new Error('there is no `redis-server` on this machine');
buildCli();
const costs = await measureCosts();
const tables = `${costTable(costs)}\n\n${fleetTable(costs)}`;
console.log(tables);
console.log(`\nmemory of the run grows by ${costs.runBytes.toFixed(0)} bytes a row`);
if (process.argv.includes('--write')) {
  const file = fileURLToPath(new URL('../docs/reference/scaling.md', import.meta.url));
  const text = await readFile(file, 'utf8');
  const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.split(end)[1] ?? '';
  await writeFile(file, `${before}${begin}\n${tables}\n${end}${after}`);
}

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RecordLookup } from '../src/run/store/record-lookup.ts';
import { startFaultServerProcess } from '../test/fault-server/index.ts';
import { buildCli } from '../test/integration/build-cli.ts';
import { completionText, startLoopbackServer } from './loopback.ts';
import { median } from './measure.ts';
import { type CommandFigures, concurrency, measureRun, writeTask } from './run-command.ts';

// `--full` takes the sizes that the bars are meant for, which needs some minutes.
const isFull = process.argv.includes('--full');
const sizes = isFull
  ? { speed: 200_000, latency: 20_000, few: 10_000, many: 1_000_000, prompts: promptSizes(10) }
  : { speed: 50_000, latency: 2_000, few: 10_000, many: 200_000, prompts: promptSizes(2) };

/** Kilobytes of a prompt, and how many rows are asked with such. */
function promptSizes(thousands: number): readonly (readonly [kilobytes: number, rows: number])[] {
  const rows = thousands * 1000;
  // Fewer rows would measure the compiler.
  return [
    [0.1, 10 * rows],
    [1, 10 * rows],
    [6, 5 * rows],
    [32, 3 * rows],
  ];
}

const rounds = 3;
const latencyMs = 200;

interface Figure {
  readonly what: string;
  readonly rows: number;
  readonly value: number;
  readonly bar: string;
}
const figures: Figure[] = [];

function add(what: string, rows: number, value: number, bar = ''): void {
  figures.push({ what, rows, value: Number(value.toPrecision(4)), bar });
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

type Used = Pick<CommandFigures, 'seconds' | 'cpuMicroseconds'>;

function measureBare(url: string, folder: string): Used {
  const file = join(folder, 'bodies.jsonl');
  const args = ['--import', 'tsx', pathOf('run-bare-loop.ts'), url, file, String(concurrency)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** Requests per second and CPU time, against a bare client that takes turns with the command. */
async function measureSpeed(url: string): Promise<void> {
  const rows = sizes.speed;
  const folder = await writeTask(url, rows);
  const pairs = await inTurns(async () => {
    await rm(join(folder, 'runs'), { recursive: true, force: true });
    return { bare: measureBare(url, folder), command: await measureRun(folder, rows) };
  });
  const middle = (read: (pair: (typeof pairs)[number]) => number) => median(pairs.map(read));
  add('bare client, requests/s', rows, rows / middle(({ bare }) => bare.seconds));
  add('typecase run, requests/s', rows, rows / middle(({ command }) => command.seconds));
  // The clock of the bare client runs from its first request to its last answer.
  const share = middle(({ bare, command }) => bare.seconds / command.askingSeconds);
  add('typecase run / bare client, while asking', rows, share, '≥ 0.6');
  const wholeShare = middle(({ bare, command }) => bare.seconds / command.seconds);
  add('typecase run / bare client, with start and reports', rows, wholeShare);
  add('bare client, CPU µs a row', rows, middle(({ bare }) => bare.cpuMicroseconds) / rows);
  const cpu = middle(({ command }) => command.cpuMicroseconds) / rows;
  add('typecase run, CPU µs a row', rows, cpu, '≤ 70');
  await rm(folder, { recursive: true });
}

/** Prompts of several sizes, against a bare client that sends the same bodies. */
async function measureSizes(url: string): Promise<void> {
  const startRows = 64;
  for (const [kilobytes, rows] of sizes.prompts) {
    for (const examples of ['none', 'fixed', 'random'] as const) {
      const shape = { characters: kilobytes * 1000, examples };
      const begun = await writeTask(url, startRows, shape);
      const folder = await writeTask(url, rows, shape);
      const rounds = await inTurns(async () => {
        for (const one of [begun, folder])
          await rm(join(one, 'runs'), { recursive: true, force: true });
        const start = await measureRun(begun, startRows);
        return { start, bare: measureBare(url, folder), command: await measureRun(folder, rows) };
      });
      const name = `${kilobytes} kB, ${examples === 'none' ? 'no' : `five ${examples}`} examples`;
      const speed = rounds.map(({ bare, command }) => bare.seconds / command.askingSeconds);
      add(`${name}: speed / bare client`, rows, median(speed), '≥ 0.75');
      const cpu = rounds.map(
        ({ start, bare, command }) =>
          (command.cpuMicroseconds - start.cpuMicroseconds) / bare.cpuMicroseconds,
      );
      add(`${name}: CPU after the start / bare client`, rows, median(cpu), '≤ 1.6');
      for (const one of [begun, folder]) await rm(one, { recursive: true });
    }
  }
}

async function inTurns<Figures>(measure: () => Promise<Figures>): Promise<Figures[]> {
  const found: Figures[] = [];
  for (let round = 0; round < rounds; round++) found.push(await measure());
  return found;
}

/** A short run is mostly its start. */
async function measureShort(url: string): Promise<void> {
  const rows = 200;
  const folder = await writeTask(url, rows);
  const runs = await inTurns(async () => {
    await rm(join(folder, 'runs'), { recursive: true, force: true });
    return measureRun(folder, rows);
  });
  add('a short run, s', rows, median(runs.map(({ seconds }) => seconds)), '≤ 0.3');
  add('a short run, CPU s', rows, median(runs.map((run) => run.cpuMicroseconds)) / 1e6);
  await rm(folder, { recursive: true });
}

/** How near the command comes to always having all requests in flight. */
async function measureLatency(): Promise<void> {
  const rows = sizes.latency;
  await using server = await startFaultServerProcess({ latencyMs });
  const folder = await writeTask(server.url, rows);
  const { seconds } = await measureRun(folder, rows);
  const ideal = (Math.ceil(rows / concurrency) * latencyMs) / 1000;
  add(`${latencyMs} ms latency, share of the ideal`, rows, ideal / seconds, '≥ 0.95 (20,000 rows)');
  await rm(folder, { recursive: true });
}

/** Requests that a server costs which refuses what comes while it answers a few. */
async function measureLimited(): Promise<void> {
  const [rows, most] = [500, 4];
  let [answering, asked] = [0, 0];
  const server = createServer(async (request, response) => {
    asked++;
    request.resume();
    if (answering >= most) {
      response.writeHead(429).end('{}');
      return;
    }
    answering++;
    await wait(5);
    answering--;
    response.setHeader('content-type', 'application/json').end(completionText);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = await writeTask(`http://127.0.0.1:${port}`, rows);
  await measureRun(folder, rows);
  add(`a server of ${most} at once, requests a row`, rows, asked / rows, '≤ 1.1');
  server.close();
  await rm(folder, { recursive: true });
}

async function measureMemory(url: string): Promise<void> {
  const few = await writeTask(url, sizes.few);
  const many = await writeTask(url, sizes.many);
  const small = (await measureRun(few, sizes.few)).peakMegabytes;
  const large = (await measureRun(many, sizes.many)).peakMegabytes;
  add('peak memory, MB', sizes.few, small, '< 250');
  add('peak memory, MB', sizes.many, large, '< 250');
  add('peak memory, many rows / few', sizes.many, large / small, '≤ 1.3');
  await measureOpening(join(many, 'runs/config/m'));
  await rm(few, { recursive: true });
  await rm(many, { recursive: true });
}

/** Opens rows here and there through the index, and counts what is read for it. */
async function measureOpening(folder: string): Promise<void> {
  const opened = 1000;
  const log = join(folder, 'd.jsonl');
  const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = bytesRead();
  const startedAt = performance.now();
  const reader = await RecordLookup.open({ logFile: log, indexFile: join(folder, 'd.index') });
  for (let index = 0; index < opened; index++) {
    const id = (index * 7919) % sizes.many;
    if ((await reader.row(id))?.id !== id) throw new Error(`row ${id} cannot be opened`);
  }
  await reader.close();
  add('opening a row, ms', sizes.many, (performance.now() - startedAt) / opened);
  const share = (bytesRead() - before) / opened / statSync(log).size;
  add('opening a row, share of the log read', sizes.many, share, '< 0.01');
}

buildCli();
const server = await startLoopbackServer();
await measureSpeed(server.url);
await measureSizes(server.url);
await measureShort(server.url);
await measureLatency();
await measureLimited();
await measureMemory(server.url);
server.stop();

if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2));
else console.table(figures);

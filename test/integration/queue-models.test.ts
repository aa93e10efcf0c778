import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { evaluate } from '../../src/index.ts';
import { QueueWorker } from '../../src/queue/worker.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { hasRedis, type RedisServer, startRedis } from '../redis/start-redis.ts';
import { startWorker } from '../redis/start-worker.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, endOf, runArguments, startRun, sums } from './run-task.ts';

const announced = ({ client }: RedisServer) => client.hgetall('typecase:models');

/** A worker in this process that is told to let go of models soon. */
async function openWorker({ address }: RedisServer, idleMs?: number) {
  const said: string[] = [];
  const worker = await QueueWorker.open({
    queue: address,
    concurrency: 8,
    signal: new AbortController().signal,
    onEvent: (line) => said.push(line),
    ...(idleMs !== undefined && { idleMs }),
  });
  return { said, [Symbol.asyncDispose]: () => worker.drain() };
}

async function killedRun(redis: RedisServer, url: string) {
  const cwd = await writeFolder({ 'config.json': configFor(url), 'rows.jsonl': sums(200) });
  const running = startRun(cwd, '--queue', redis.address);
  while ((await countLines(cwd)) < 5) await sleep(10);
  running.child.kill('SIGKILL');
  await endOf(running);
  return cwd;
}

/** Has the announcements of lost runs look older than they are. */
async function age(redis: RedisServer, ms: number) {
  for (const [name, text] of Object.entries(await announced(redis))) {
    const told = JSON.parse(text);
    const older = JSON.stringify({ ...told, at: told.at - ms });
    await redis.client.hset('typecase:models', name, older);
  }
}

describe.skipIf(!hasRedis)('a model is announced as long as a run asks it', () => {
  it('a run leaves nothing behind, and workers let go of its model', async () => {
    await using server = await startFaultServer({});
    await using redis = await startRedis();
    await using worker = await openWorker(redis, 1500);
    const { said } = worker;
    const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(50) };
    for (let turn = 1; turn <= 2; turn++) {
      const cwd = await writeFolder(files);
      expect((await runCli(runArguments('--queue', redis.address), { cwd })).code).toBe(0);
      while (said.length < 2 * turn) await sleep(50);
      const left = await redis.client.keys('typecase:*');
      expect(left.filter((key) => !key.endsWith(':stalled-check'))).toEqual(['typecase:workers']);
    }
    const turn = ['serving `m`', 'no longer serving `m`: no run asks it'];
    expect(said).toEqual([...turn, ...turn]);
  });

  it('a run does not end the announcement of another', async () => {
    await using server = await startFaultServer({ latencyMs: 300 });
    await using redis = await startRedis();
    onTestFinished((await startWorker(redis)).kill);
    const short = await writeFolder({
      'config.json': configFor(server.url),
      'rows.jsonl': sums(3),
    });
    const long = await writeFolder({
      'config.json': configFor(server.url, { batch_size: 4 }),
      'rows.jsonl': sums(120),
    });
    const first = runCli(runArguments('--queue', redis.address), { cwd: short });
    await sleep(300);
    const second = runCli(runArguments('--queue', redis.address), { cwd: long });
    expect((await first).code).toBe(0);
    while ((await countLines(long)) < 10) await sleep(20);
    expect(Object.values(await announced(redis))).toHaveLength(1);
    expect((await second).code).toBe(0);
    expect(await announced(redis)).toEqual({});
  });

  it('a lost run is not served for long, and forgotten in the end', async () => {
    await using server = await startFaultServer({ latencyMs: 50 });
    await using redis = await startRedis();
    const worker = await startWorker(redis);
    const cwd = await killedRun(redis, server.url);
    await worker.kill();
    await age(redis, 6 * 60_000);
    await using late = await openWorker(redis);
    await sleep(1500);
    expect(late.said).toEqual([]);
    expect(Object.keys(await announced(redis))).toHaveLength(1);
    await age(redis, 8 * 24 * 3600_000);
    while (Object.keys(await announced(redis)).length > 0) await sleep(50);
    const left = await redis.client.keys('typecase:*');
    expect(left.filter((key) => !key.includes(':answers:'))).toEqual(['typecase:workers']);
    const { code, stdout } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0].rows).toMatchObject({ scored: 200 });
  });
});

describe.skipIf(!hasRedis)('a start over a queue that is refused', () => {
  it('leaves the answers to an earlier start where they are', async () => {
    await using server = await startFaultServer({ latencyMs: 300 });
    await using redis = await startRedis();
    const worker = await startWorker(redis);
    onTestFinished(worker.kill);
    const cwd = await killedRun(redis, server.url);
    await sleep(2000);
    const asked = (await server.stats()).requests;
    const config = JSON.parse(configFor(server.url));
    config.models.push({ abbr: 'none', type: 'Local', path: './none' });
    await writeFile(join(cwd, 'broken.json'), JSON.stringify(config));
    const args = ['run', 'broken.json', '--out', 'out', '--queue', redis.address];
    expect((await runCli(args, { cwd })).code).toBe(2);
    const { code } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    expect(asked).toBeGreaterThan(20);
    expect((await server.stats()).requests).toBe(200);
    expect(await redis.client.keys('typecase:answers:*')).toEqual([]);
  });

  it('lets go of the server', async () => {
    await using redis = await startRedis();
    const { models: _, ...config } = JSON.parse(configFor('http://127.0.0.1:1'));
    const models = [{ abbr: 'none', type: 'Local', path: '/none' }];
    await expect(
      evaluate({ ...config, models }, { queue: redis.address, out: await writeFolder({}) }),
    ).rejects.toThrow('does not exist');
    const connections = String(await redis.client.client('LIST'));
    expect(connections.trim().split('\n')).toHaveLength(1);
  });
});

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load-config.ts';
import { evaluate } from '../../src/index.ts';
import { QueueWorker } from '../../src/queue/worker.ts';
import { selfSignedCertificate, startFaultServer } from '../fault-server/index.ts';
import { freePort, hasRedis, startRedis } from '../redis/start-redis.ts';
import { type StartedWorker, startWorker as startWorkerAt } from '../redis/start-worker.ts';
import { callCommand } from './joints/call-command.ts';
import { randomConfigs } from './joints/random-configs.ts';
import { testConfigs } from './joints/test-configs.ts';
import { runCli, writeFolder } from './run-cli.ts';
import {
  configFor,
  countLines,
  endOf,
  readRows,
  runArguments,
  startRun,
  sums,
} from './run-task.ts';

const withRedis = describe.skipIf(!hasRedis);

function readFileIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** A worker for as long as the test runs. */
async function startWorker(...given: Parameters<typeof startWorkerAt>): Promise<StartedWorker> {
  const worker = await startWorkerAt(...given);
  onTestFinished(worker.kill);
  return worker;
}

withRedis('a run over a queue', () => {
  it('gives the rows of a run without one, asks each once, and leaves no answers behind', async () => {
    await using server = await startFaultServer({});
    await using redis = await startRedis();
    const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(300) };
    const alone = await writeFolder(files);
    const spread = await writeFolder(files);
    expect((await runCli(runArguments(), { cwd: alone })).code).toBe(0);
    const before = (await server.stats()).requests;
    await Promise.all([startWorker(redis), startWorker(redis)]);
    const { code, stdout } = await runCli(runArguments('--queue', redis.address), { cwd: spread });
    expect(code).toBe(0);
    expect((await server.stats()).requests - before).toBe(300);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      rows: { scored: 300 },
      requests: { sent: 300 },
    });
    expect(await readRows(spread, 300)).toEqual(await readRows(alone, 300));
    expect(await redis.client.keys('typecase:answers:*')).toEqual([]);
  });

  it('two names of one model get an answer each, and workers serve the names that they are told', async () => {
    await using server = await startFaultServer({ latencyMs: 20 });
    await using redis = await startRedis();
    const config = JSON.parse(configFor(server.url));
    config.models.push({ ...config.models[0], abbr: 'twin' });
    const cwd = await writeFolder({
      'config.json': JSON.stringify(config),
      'rows.jsonl': sums(100),
    });
    const [all, one] = [
      await startWorker(redis, { args: ['--models', 'm'] }),
      await startWorker(redis, { args: ['--models', 'twin'] }),
    ];
    const { code, stdout } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results).toMatchObject([
      { model: 'm', rows: { scored: 100 } },
      { model: 'twin', rows: { scored: 100 } },
    ]);
    expect((await server.stats()).requests).toBe(200);
    expect([all.output(), one.output()]).toEqual([
      expect.stringMatching(/serving `m`\n$/),
      expect.stringMatching(/serving `twin`\n$/),
    ]);
  });

  it('holds the limits of an endpoint over all workers', async () => {
    await using server = await startFaultServer({ latencyMs: 20 });
    await using redis = await startRedis();
    const config = configFor(server.url, { batch_size: 3 });
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(60) });
    await Promise.all([startWorker(redis), startWorker(redis)]);
    const { code } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    expect((await server.stats()).maxConcurrency).toBe(3);
  });

  it('tries again what a server refuses for now, wherever it is asked', async () => {
    const rates = [
      { rate: 0.2, fault: { type: 'status', status: 503 } as const },
      { rate: 0.1, fault: { type: 'reset' } as const },
    ];
    await using server = await startFaultServer({ rates });
    await using redis = await startRedis();
    const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(80) });
    await startWorker(redis);
    const { code, stdout } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    const [{ rows, requests }] = JSON.parse(stdout).results;
    expect(rows).toMatchObject({ scored: 80, failed: 0 });
    expect(requests.sent).toBe((await server.stats()).requests);
  });

  it('names rows that a server refuses for good, with its words', async () => {
    const fault = { type: 'status', status: 400, message: 'no such thing' } as const;
    await using server = await startFaultServer({ rules: [{ prompt: 'is 3 + 7', fault }] });
    await using redis = await startRedis();
    const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(20) });
    await startWorker(redis);
    const { code, stderr } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(3);
    expect(await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8')).toContain('no such thing');
    expect(stderr).toContain('1 row failed');
  });

  it('goes on after its own death: what workers answered meanwhile is not asked again', async () => {
    await using server = await startFaultServer({ latencyMs: 100 });
    await using redis = await startRedis();
    const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(200) };
    const cwd = await writeFolder(files);
    await startWorker(redis, { args: ['--concurrency', '20'] });
    const running = startRun(cwd, '--queue', redis.address);
    while ((await countLines(cwd)) < 40) await sleep(5);
    running.child.kill('SIGKILL');
    expect(await endOf(running)).toBe('SIGKILL');
    const { code } = await runCli(runArguments('--queue', redis.address), { cwd });
    expect(code).toBe(0);
    expect((await server.stats()).requests).toBe(200);
    const lines = (await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(200);
    expect(lines).toHaveLength(200);
  });

  it('stops gently without a worker, and takes back what none has begun', async () => {
    await using server = await startFaultServer({});
    await using redis = await startRedis();
    const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(50) });
    const { code, stderr } = await runCli(
      runArguments('--queue', redis.address, '--max-time', '2'),
      { cwd },
    );
    expect(code).toBe(3);
    expect(stderr).toContain('Not all rows are finished');
    await startWorker(redis);
    await sleep(500);
    expect((await server.stats()).requests).toBe(0);
    expect((await runCli(runArguments('--queue', redis.address), { cwd })).code).toBe(0);
    expect((await server.stats()).requests).toBe(50);
  });

  it('a worker that is told to stop finishes what it has, and takes no more', async () => {
    await using server = await startFaultServer({ latencyMs: 300 });
    await using redis = await startRedis();
    const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(40) });
    const first = await startWorker(redis, { args: ['--concurrency', '4'] });
    const running = startRun(cwd, '--queue', redis.address);
    while ((await server.stats()).requests < 4) await sleep(5);
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    expect(first.child.exitCode).toBe(0);
    await startWorker(redis);
    expect(await endOf(running)).toBe(0);
    expect((await server.stats()).requests).toBe(40);
  });

  it('keeps secrets off the queue: a worker has its own key, or does not serve', async () => {
    await using server = await startFaultServer({ apiKey: 'sk-only-workers-know-it-42' });
    await using redis = await startRedis();
    const config = configFor(server.url, { api_key_env: 'QUEUE_TEST_KEY' });
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(10) });
    const env = { QUEUE_TEST_KEY: 'sk-only-workers-know-it-42' };
    const monitor = redis.client.duplicate();
    const seen: string[] = [];
    const watched = await monitor.monitor();
    watched.on('monitor', (_time: string, args: string[]) => seen.push(args.join(' ')));
    const without = await startWorker(redis);
    const running = runCli(runArguments('--queue', redis.address), { cwd, env });
    while (!without.output().includes('not serving `m`')) await sleep(10);
    await startWorker(redis, { env });
    expect((await running).code).toBe(0);
    watched.disconnect();
    monitor.disconnect();
    expect(seen.some((line) => line.includes('What is 3 + 7?'))).toBe(true);
    expect(seen.filter((line) => line.includes('sk-only-workers'))).toEqual([]);
  });

  it('the library and sweeps go through a queue as well, and say who answers', async () => {
    await using server = await startFaultServer({ latencyMs: 30 });
    await using redis = await startRedis();
    const folder = await writeFolder({
      'config.json': configFor(server.url),
      'rows.jsonl': sums(60),
    });
    const config = join(folder, 'config.json');
    const abort = new AbortController();
    const worker = await QueueWorker.open({
      ...{ queue: redis.address, concurrency: 2, signal: abort.signal },
      onEvent: () => undefined,
    });
    const said = new Set<string>();
    const told = new Set<unknown>();
    const out = join(folder, 'evaluated');
    const { summary } = await evaluate(await loadConfig(config), {
      ...{ out, queue: redis.address },
      onProgress: ({ reach = '' }) => {
        said.add(reach);
        const progress = readFileIfThere(join(out, 'progress.json'));
        if (progress !== undefined) told.add(JSON.parse(progress).reach);
      },
    });
    expect(summary.results[0]?.rows.scored).toBe(60);
    expect([...said].at(-1)).toMatch(/^1 worker, [0-2] of 2 slots busy/);
    expect([...told].every((text) => said.has(String(text)))).toBe(true);
    await writeFile(join(folder, 'train.jsonl'), sums(3));
    const withExamples = JSON.parse(configFor(server.url));
    Object.assign(withExamples.datasets[0], {
      path: { train: 'train.jsonl', test: 'rows.jsonl' },
      infer_cfg: {
        ice_template: { template: '{question} = {answer}' },
        prompt_template: { template: '</E>What is {question}?', ice_token: '</E>' },
        retriever: { type: 'FixKRetriever' },
        inferencer: { type: 'GenInferencer' },
      },
    });
    await writeFile(join(folder, 'sweep.json'), JSON.stringify(withExamples));
    const before = (await server.stats()).requests;
    process.env.TYPECASE_QUEUE = redis.address;
    onTestFinished(() => void delete process.env.TYPECASE_QUEUE);
    const swept = await callCommand([
      ...['sweep', join(folder, 'sweep.json'), '--out', join(folder, 'swept'), '--json'],
      ...['--shots', '0,2', '--limit', '10', '--queue'],
    ]);
    expect(swept.code, swept.stderr).toBe(0);
    expect(worker.answered - before).toBe(20);
    expect((await server.stats()).requests - before).toBe(20);
    expect(await readFile(join(folder, 'swept/run.json'), 'utf8')).not.toContain(redis.address);
    await worker.drain();
  });

  it('goes over TLS with a user, a password and a database of its own', async () => {
    await using server = await startFaultServer({});
    const { key, cert } = selfSignedCertificate();
    const cwd = await writeFolder({
      ...{ 'config.json': configFor(server.url), 'rows.jsonl': sums(20) },
      ...{ 'key.pem': key, 'cert.pem': cert },
    });
    const [keyFile, certificate] = [join(cwd, 'key.pem'), join(cwd, 'cert.pem')];
    await using redis = await startRedis(
      ...['--tls-port', '0', '--tls-auth-clients', 'no', '--tls-ca-cert-file', certificate],
      ...['--tls-cert-file', certificate, '--tls-key-file', keyFile],
    );
    const port = await freePort();
    await redis.client.config('SET', 'tls-port', String(port));
    await redis.client.acl(
      'SETUSER',
      'runner',
      'on',
      '>open-sesame-42',
      '~typecase*',
      '+@all',
      '-@dangerous',
      '+info',
      '+keys',
    );
    const address = `rediss://runner:open-sesame-42@127.0.0.1:${port}/2`;
    const env = { NODE_EXTRA_CA_CERTS: certificate, TYPECASE_QUEUE: address };
    await startWorker({ address }, { env });
    const { code, stderr } = await runCli(runArguments('--queue', address), { cwd, env });
    expect(code, stderr).toBe(0);
    expect((await redis.client.info('keyspace')).includes('db2:')).toBe(true);
    expect((await redis.client.info('keyspace')).includes('db0:')).toBe(false);
    expect(await readFile(join(cwd, 'out/run.json'), 'utf8')).not.toContain('open-sesame');
    await redis.client.acl('SETUSER', 'runner', '-info');
    const forbidden = await runCli(runArguments('--queue', address), { cwd, env });
    expect([forbidden.code, forbidden.stdout]).toEqual([
      2,
      expect.stringContaining('queue.forbidden'),
    ]);
    const plain = await runCli(runArguments('--queue', address.replace('rediss', 'redis')), {
      cwd,
    });
    expect([plain.code, `${plain.stdout}${plain.stderr}`.includes('open-sesame')]).toEqual([
      2,
      false,
    ]);
  });

  it('functions are asked by workers that have the config', async () => {
    await using redis = await startRedis();
    const config = (version: string) => `
      export default {
        models: [{ abbr: 'm', generate: ({ row }) => String(eval(row.question)), ${version} }],
        datasets: [{
          abbr: 'd', path: 'rows.jsonl',
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: '{question}' } },
          eval_cfg: { evaluator: { type: 'exact' } },
        }],
      };`;
    const cwd = await writeFolder({
      'config.ts': config("version: '1'"),
      'loose.ts': config(''),
      'rows.jsonl': sums(21),
    });
    const args = ['--queue', redis.address, '--json'];
    const loose = await runCli(['run', 'loose.ts', '--out', 'loose', ...args], { cwd });
    expect(loose.code).toBe(2);
    expect(loose.stderr).toContain('is a function without a `version`');
    const stranger = await startWorker(redis);
    const running = runCli(['run', 'config.ts', '--out', 'out', ...args], { cwd });
    while (!stranger.output().includes('not serving `m`')) await sleep(10);
    expect(stranger.output()).toContain('typecase worker CONFIG');
    await startWorker(redis, { args: ['config.ts'], cwd });
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toMatchObject({ rows: { scored: 21 } });
  });
});

withRedis('what is shown is what workers send', async () => {
  const redis = hasRedis ? await startRedis() : undefined;
  const abort = new AbortController();
  const count = Number(process.env.TYPECASE_JOINTS ?? 12);
  testConfigs({
    configs: randomConfigs(count, 7),
    chunk: 6,
    call: async ([name = '', ...rest]) => {
      if (name !== 'run' || !redis) return callCommand([name, ...rest]);
      const worker = await QueueWorker.open({
        queue: redis.address,
        concurrency: 16,
        signal: abort.signal,
        onEvent: () => undefined,
      });
      try {
        return await callCommand([name, ...rest, '--queue', redis.address]);
      } finally {
        await worker.drain();
      }
    },
  });
  it('ends', async () => redis?.[Symbol.asyncDispose]());
});

test('the scripts for clusters are scripts and manifests, and start what there is', async () => {
  const script = 'examples/cluster/workers.sbatch';
  expect(spawnSync('bash', ['-n', script]).status).toBe(0);
  const manifests = parseAllDocuments(await readFile('examples/cluster/kubernetes.yaml', 'utf8'));
  expect(manifests.map((one) => [one.errors.length, one.get('kind')])).toEqual([
    [0, 'StatefulSet'],
    [0, 'Service'],
    [0, 'Deployment'],
  ]);
  const texts = [await readFile(script, 'utf8'), String(manifests[2])];
  for (const text of texts) expect(text).toMatch(/typecase,? worker/);
  // Without `B:`, Slurm signals steps alone, and the worker is none.
  expect(texts[0]).toMatch(/^#SBATCH --signal=B:TERM@\d+$/m);
  const [redis, service, workers] = manifests.map((one) => one.toJS());
  for (const { spec } of [redis, workers]) {
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  }
  expect(service.spec.selector).toEqual(redis.spec.selector.matchLabels);
  expect(redis.spec.serviceName).toBe(service.metadata.name);
  const [mounted] = redis.spec.template.spec.containers[0].volumeMounts;
  expect(redis.spec.volumeClaimTemplates[0].metadata.name).toBe(mounted.name);
});

describe('a server that a queue cannot rely on', () => {
  const refused = async (address: string) => {
    const cwd = await writeFolder({
      'config.json': configFor('http://127.0.0.1:9'),
      'rows.jsonl': sums(1),
    });
    const run = await runCli(runArguments('--queue', address), { cwd });
    const worker = await runCli(['worker', '--queue', address], { cwd });
    expect([run.code, worker.code]).toEqual([2, 2]);
    return `${run.stdout}${run.stderr}`;
  };

  it('that is not there', async () => {
    expect(await refused('redis://127.0.0.1:1')).toContain('queue.unreachable');
  });

  it('that is no address', async () => {
    expect(await refused('localhost:6379')).toContain('queue.bad_address');
    expect(await refused('redis://127.0.0.1:1/runs')).toContain('queue.bad_address');
  });

  it.skipIf(!hasRedis)('that has no such database', async () => {
    await using redis = await startRedis();
    expect(await refused(`${redis.address}/99`)).toContain('queue.no_database');
  });

  it.skipIf(!hasRedis)('that wants a password', async () => {
    await using redis = await startRedis('--requirepass', 'open-sesame-42');
    expect(await refused(redis.address)).toContain('queue.unauthorized');
    const wrong = await refused(redis.address.replace('//', '//:not-this-one-42@'));
    expect(wrong).toContain('queue.unauthorized');
    expect(wrong).not.toContain('not-this-one-42');
  });

  it.skipIf(!hasRedis)('that drops keys', async () => {
    await using redis = await startRedis(
      '--maxmemory',
      '10mb',
      '--maxmemory-policy',
      'allkeys-lru',
    );
    expect(await refused(redis.address)).toContain('queue.evicts');
  });

  it.skipIf(!hasRedis)('that is too old', async () => {
    await using redis = await startRedis();
    const version = /redis_version:(\S+)/.exec(await redis.client.info())?.[1] ?? '';
    const old = `6.0.${'9'.repeat(version.length - 4)}`;
    // The real server, but for what it says of its age.
    const proxy = createServer((socket) => {
      const real = connect(Number(new URL(redis.address).port), '127.0.0.1');
      socket.pipe(real);
      real.setEncoding('latin1').on('data', (text: string) => {
        socket.write(text.replaceAll(`redis_version:${version}`, `redis_version:${old}`), 'latin1');
      });
      for (const side of [socket, real]) side.on('error', () => undefined);
      socket.on('close', () => real.destroy());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const said = await refused(`redis://127.0.0.1:${port}`);
    expect(said).toContain('queue.too_old');
    expect(said).toContain(`is Redis ${old}; queues need 6.2`);
  });
});

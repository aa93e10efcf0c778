import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { type Outcome, runCli, writeFolder } from './run-cli.ts';
import { configFor, readTree, runArguments, sums } from './run-task.ts';

const key = 'sk-planted-key-4711';
const password = 'planted-pa55word';
const header = 'planted-header-0815';
const parameter = 'planted-parameter-42';
const encoded = Buffer.from(`user:${password}`).toString('base64');
const secrets = [key, password, header, parameter, encoded];

/** Everything that a run wrote and printed, but not what it was given. */
async function writtenBy(cwd: string, { stdout, stderr }: Outcome): Promise<Map<string, string>> {
  const texts = await readTree(cwd);
  texts.delete(join(cwd, 'config.json'));
  return texts.set('stdout', stdout).set('stderr', stderr);
}

async function expectNoSecrets(cwd: string, outcome: Outcome): Promise<void> {
  for (const [place, text] of await writtenBy(cwd, outcome)) {
    for (const secret of secrets) expect(text, place).not.toContain(secret);
  }
}

const env = { KEY: key, TYPECASE_DEBUG: '1', GITHUB_STEP_SUMMARY: 'github.md' };
const headers = { 'X-Secret': header };
const withSecrets = (url: string) =>
  `${url.replace('://', `://user:${password}@`)}/v1?token=${parameter}`;

it.each([
  ['a key', { headers, api_key_env: 'KEY' }, secrets],
  ['a password', { headers }, secrets.slice(1)],
])('secrets are sent and appear nowhere: %s', async (_name, model, known) => {
  const echo = `${known.join(' and ')} are odd`;
  const faults = [
    { type: 'status', status: 400, message: echo },
    { type: 'status', status: 400, body: `<title>${echo}</title>` },
    { type: 'late-error', message: echo },
  ] as const;
  await using server = await startFaultServer({
    record: true,
    rules: faults.map((fault, id) => ({ prompt: `is ${id} + 7`, fault })),
  });
  const config = configFor('', { ...model, base_url: withSecrets(server.url) });
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(6) });
  const outcome = await runCli(runArguments('--cache', 'cache', '--retries', '1'), { cwd, env });
  expect(outcome.code).toBe(3);
  expect(JSON.parse(outcome.stdout).results[0].rows).toMatchObject({ scored: 3, failed: 3 });
  const [sent] = (await server.stats()).recorded;
  expect(sent?.headers['x-secret']).toBe(header);
  expect(sent?.path).toContain(parameter);
  const authorization = 'api_key_env' in model ? `Bearer ${key}` : `Basic ${encoded}`;
  expect(sent?.headers.authorization).toBe(authorization);
  expect(await readFile(join(cwd, 'github.md'), 'utf8')).toContain('d');
  expect((await readTree(join(cwd, 'cache'))).size).toBe(1);
  await expectNoSecrets(cwd, outcome);
});

it('secrets on the command line, and of a server that refuses them, appear nowhere', async () => {
  await using server = await startFaultServer({ apiKey: 'another' });
  const cwd = await writeFolder({ 'rows.jsonl': sums(3) });
  const flags = ['--template', '{question}', '--output-column', 'answer', '--api-key-env', 'KEY'];
  const args = ['run', 'rows.jsonl', '--model', withSecrets(server.url), ...flags];
  const outcome = await runCli(args, { cwd, env });
  expect(outcome.code).toBe(3);
  expect(outcome.stderr).toContain('error[model.unauthorized]');
  expect((await readTree(join(cwd, 'runs'))).size).toBeGreaterThan(0);
  await expectNoSecrets(cwd, outcome);
});

it('no connection is opened except to the endpoint', async () => {
  const probe = `
    import { appendFileSync } from 'node:fs';
    import net from 'node:net';
    import dns from 'node:dns';
    import dgram from 'node:dgram';
    import { syncBuiltinESMExports } from 'node:module';
    const note = (what) => appendFileSync(process.env.PROBE, JSON.stringify(what) + '\\n');
    const { connect } = net.Socket.prototype;
    net.Socket.prototype.connect = function (...args) {
      const [{ host, port, path }] = [args.flat()[0]];
      note({ host, port: Number(port), path });
      return connect.apply(this, args);
    };
    dgram.createSocket = () => { note('dgram'); throw new Error('dgram'); };
    for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
      dns[name] = () => { note(name); throw new Error(name); };
      dns.promises[name] = dns[name];
    }
    syncBuiltinESMExports();`;
  await using server = await startFaultServer();
  const config = configFor(server.url);
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(30), probe: '' });
  const options = `--import=data:text/javascript,${encodeURIComponent(probe)}`;
  const probed = { NODE_OPTIONS: options, PROBE: join(cwd, 'probe') };
  expect((await runCli(runArguments(), { cwd, env: probed })).code).toBe(0);
  const lines = (await readFile(join(cwd, 'probe'), 'utf8')).trimEnd().split('\n');
  const { hostname, port } = new URL(server.url);
  expect([...new Set(lines)]).toEqual([JSON.stringify({ host: hostname, port: Number(port) })]);
  expect(lines).toHaveLength((await server.stats()).connections);
});

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { evaluate, loadConfig, openRun } from '../../src/index.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

/** A server on loopback for as long as the test runs. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const key = 'sk-abcdefghijklmnopqrstuvwxyz123456';
const rows = '{"q": "1+1=", "a": "2"}\n{"q": "2+2=", "a": "4"}\n';
const task = ['rows.jsonl', '--template', '{q}', '--output-column', 'a'];

test('a config that never comes is named, and ends the command', async () => {
  const cwd = await writeFolder({
    'never.config.ts': 'export default () => new Promise(() => {});',
  });
  const { code, stderr } = await runCli(['run', 'never.config.ts'], { cwd });
  expect(stderr).toContain('never.config.ts failed to run: it awaits something that never settles');
  expect(stderr).toContain('error[config.evaluation]');
  expect(code).toBe(2);
});

test('a Retry-After of years does not outlast --max-time', async () => {
  const url = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '99999999' }).end();
  });
  const cwd = await writeFolder({ 'rows.jsonl': rows });
  const start = performance.now();
  const { code } = await runCli(['run', ...task, '--model', url, '--max-time', '1'], { cwd });
  expect(code).toBe(3);
  expect(performance.now() - start).toBeLessThan(8000);
});

test('a redirect is not followed, and what it leads to shows no parameters', async () => {
  const asked: string[] = [];
  const other = await serve((request, response) => {
    asked.push(JSON.stringify(request.headers));
    response.end('{}');
  });
  const url = await serve((_, response) => {
    response.writeHead(307, { location: `${other}/v1?token=topsecret` }).end();
  });
  const cwd = await writeFolder({ 'rows.jsonl': rows });
  const env = { SOME_KEY: 'sk-hidden' };
  const args = ['run', ...task, '--model', url, '--api-key-env', 'SOME_KEY'];
  const { code, stdout, stderr } = await runCli(args, { cwd, env });
  expect(code).toBe(3);
  expect(stderr).toContain(`The server redirects to ${other}/v1. Nothing was sent there.`);
  expect(stdout + stderr).not.toMatch(/topsecret|sk-hidden/);
  expect(asked).toEqual([]);
});

test('what is not HTTP is told as such', async () => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end('SSH-2.0-x\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const cwd = await writeFolder({ 'rows.jsonl': rows });
  const url = `http://127.0.0.1:${port}`;
  const { stderr } = await runCli(['run', ...task, '--model', url, '--retries', '1'], { cwd });
  expect(stderr).toContain('answered with something that is not HTTP');
  expect(stderr).not.toContain('undefined');
});

test('any name may be given to models and datasets', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"choices":[{"message":{"content":"2"},"finish_reason":"stop"}]}');
  });
  const names = ['.lock', 'run.json', 'summary.json', 'm'.repeat(300)];
  const cwd = await writeFolder({
    'rows.jsonl': rows,
    'names.json': JSON.stringify({
      models: names.map((abbr) => ({ abbr, type: 'OpenAI', base_url: url, model: 'm' })),
      datasets: ['d', '質'.repeat(200)].map((abbr) => ({
        abbr,
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      })),
    }),
  });
  const out = join(cwd, 'run');
  const config = await loadConfig(join(cwd, 'names.json'));
  const { summary } = await evaluate(config, { out });
  expect(summary.complete).toBe(true);
  const again = await evaluate(config, { out });
  expect(again.summary.results.map(({ requests }) => requests.sent)).toEqual(Array(8).fill(0));
  expect(again.summary.results).toHaveLength(8);
  const run = await openRun(out);
  expect(run.file.models.map(({ name }) => name)).toEqual(names);
  expect(await readdir(out)).toContain('%2elock');
});

test('names of others reach the terminal without what it would obey or hide', async () => {
  const bad = '\u001b[31m\u0007\u009b2J\u202e\u2066\u200b\u061c\u{e0041}\rx';
  const config = {
    models: [{ abbr: `m${bad}`, type: 'Replay', answer_column: `answer${bad}` }],
    datasets: [
      {
        ...{ abbr: `d${bad}`, path: 'rows.jsonl' },
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: `{q} {column${bad}} {none${bad}}` } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  const row = { q: bad, a: `2${bad}`, [`column${bad}`]: bad, [`answer${bad}`]: `3${bad}` };
  const cwd = await writeFolder({
    'config.json': JSON.stringify(config),
    'rows.jsonl': `${JSON.stringify(row)}\n`,
  });
  for (const args of [
    ['run', 'config.json', '--out', 'out'],
    ['show', 'out', '--row', '0'],
    ['leaderboard', 'out'],
    ['score', 'out'],
    ['view', 'config.json', '--origins'],
    ['plan', 'config.json'],
  ]) {
    const { stdout, stderr, code } = await runCli(args, { cwd });
    expect(code, args.join(' ')).toBe(0);
    const shown = (stdout + stderr).replaceAll('\n', '');
    const obeyed = /[\p{Cc}\u061c\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
    expect(shown, args.join(' ')).not.toMatch(obeyed);
  }
});

test.each([
  ['a getter', 'export default {\n  get models() { throw new Error("boom"); },\n};', 2, ':2:1'],
  [
    'a timer',
    `setTimeout(() => {\n  throw new Error('boom ${key}');\n}, 50);\nexport default new Promise(() => {});`,
    ...[3, ':2:1'],
  ],
  [
    'a promise that nobody awaits',
    `setTimeout(() => Promise.reject(new Error('boom ${key}')), 50);\nexport default new Promise(() => {});`,
    ...[3, ':1:1'],
  ],
  [
    'what is no error',
    `setTimeout(() => { throw 'boom ${key}'; }, 50);\nexport default new Promise(() => {});`,
    ...[3, ''],
  ],
])('%s of a config that throws is an error of the config', async (_, text, exitCode, place) => {
  const cwd = await writeFolder({ 'own.config.ts': text as string });
  const { code, stderr } = await runCli(['run', 'own.config.ts'], { cwd });
  expect(stderr).toContain('error[config.evaluation]');
  expect(stderr).toMatch(/(?:own\.config\.ts failed to run:|Code of the config threw) boom/);
  if (place !== '') expect(stderr).toContain(`at own.config.ts${place}`);
  expect(stderr).not.toMatch(/bug in Typecase|node:internal/);
  expect(stderr).not.toContain(key);
  expect(code).toBe(exitCode);
});

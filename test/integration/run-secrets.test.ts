import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { formatError } from '../../src/terminal/report-error.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { type Outcome, runCli, writeFolder } from './run-cli.ts';
import { configFor, readRows, readTree, runArguments, sums } from './run-task.ts';

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

/** A server that repeats all that it is sent in its answers, thoughts and facts. */
async function startEcho(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { stream } = JSON.parse(Buffer.concat(chunks).toString());
    const told = `${JSON.stringify(request.headers)} ${request.url}`;
    // As some servers write JSON, so that only what is read from it shows the secret.
    const escaped = (value: unknown) =>
      JSON.stringify(value).replaceAll('planted', '\\u0070lanted');
    const message = { content: told, reasoning_content: told, tool_calls: [{ id: told }] };
    const facts = { id: told, model: `fault ${told}`, system_fingerprint: told };
    if (!stream) {
      response.setHeader('content-type', 'application/json');
      response.end(escaped({ ...facts, choices: [{ message, finish_reason: 'stop' }] }));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    // Letter by letter, so that no piece holds a secret.
    for (const content of told) {
      response.write(
        `data: ${JSON.stringify({ ...facts, choices: [{ delta: { content } }] })}\n\n`,
      );
    }
    const end = { ...facts, choices: [{ delta: {}, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ['a key', { headers: { ...headers, Accept: 'text/plain' }, api_key_env: 'KEY' }],
  ['a password, in pieces', { headers, stream: true }],
  ['headers', { headers: { Authorization: `Bearer ${key}`, Cookie: `a=1; s=${header}` } }],
])('a server that repeats secrets in its answers: %s', async (_name, model) => {
  const config = configFor('', { ...model, base_url: withSecrets(await startEcho()) });
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(2) });
  const outcome = await runCli(runArguments('--cache', 'cache'), { cwd, env });
  expect(outcome.stderr).not.toContain('error');
  const [{ answer } = {}] = await readRows(cwd, 2);
  expect(JSON.stringify(answer)).toContain('***');
  // What is no secret stays as it was answered.
  if ('Accept' in model.headers) expect(JSON.stringify(answer)).toContain('text/plain');
  await expectNoSecrets(cwd, outcome);
});

const hexadecimal = '0123456789abcdef'.repeat(3);
const random = 'aB3dE5fG7hI9jK1lM3nO5pQ7';

it.each<[name: string, model: object, at: string]>([
  ['in place of a name', { api_key_env: key }, 'api_key_env'],
  ['in place of a name, without a prefix', { api_key_env: random }, 'api_key_env'],
  ['that could be a name', { api_key_env: `hf_${random}` }, 'api_key_env'],
  ['under `key`', { key: random }, 'key'],
  ['under `api_key`', { api_key: key }, 'api_key'],
  ['among settings', { generation_kwargs: { api_key: random } }, 'generation_kwargs.api_key'],
  [
    'deep in settings',
    { generation_kwargs: { extra: { user: [key] } } },
    'generation_kwargs.extra',
  ],
  [
    'in headers among settings',
    { generation_kwargs: { extra_headers: { 'X-Any': header } } },
    'generation_kwargs.extra_headers',
  ],
  ...['x_secret', 'clientSecret', 'db_password', 'X-Passwd', 'OPENAI_API_KEY', 'my_token'].map(
    (name): [string, object, string] => [
      `among settings, as \`${name}\``,
      { generation_kwargs: { extra_body: { [name]: random } } },
      `generation_kwargs.extra_body`,
    ],
  ),
  ...[`https://u:${random}@h/`, `https://h/?a=1&token=${random}`, `see wss://h?sig=${random}`].map(
    (webhook): [string, object, string] => [
      `among settings, in ${webhook.replace(random, '…')}`,
      { generation_kwargs: { webhook } },
      'generation_kwargs.webhook',
    ],
  ),
  ['in an address', { base_url: `http://h/${key}/v1` }, 'base_url'],
  ['as a model', { model: key }, 'model'],
  ['as a type', { type: key }, 'type'],
  ['as a choice', { prefill: key }, 'prefill'],
  ['as a name of a setting', { [key]: 1 }, 'models[0]'],
  ['as a number of tokens', { max_out_len: key }, 'max_out_len'],
  ...['token', 'bearer', 'auth', 'hf_token', 'HF_TOKEN', 'auth_header', 'my_token', 'foo'].map(
    (name): [string, object, string] => [`under \`${name}\``, { [name]: random }, name],
  ),
  ['under `bearer`, with its scheme', { bearer: `Bearer ${random}` }, 'bearer'],
  ['under `token`, of hexadecimal digits', { token: { value: hexadecimal } }, 'token'],
  ['as the name of a header', { headers: { [key]: '1' } }, 'headers'],
  ['as the name of a header, without a prefix', { headers: { [random]: '1' } }, 'headers'],
  ['as a text that ends answers', { stop: ['.', key] }, 'stop'],
  ['as a text that ends answers, among settings', { generation_kwargs: { stop: key } }, 'stop'],
  ['as a chat template', { chat_template: key }, 'chat_template'],
])('a key %s is refused, and not shown', async (_name, model, at) => {
  const terminal = { colors: pc.createColors(false), hasColors: false, width: 300 };
  const config = configFor('http://127.0.0.1:9', model);
  for (const text of [config, JSON.stringify(JSON.parse(config), undefined, 2)]) {
    const cwd = await writeFolder({ 'config.json': text });
    const thrown = await loadConfig(join(cwd, 'config.json')).catch((error) => error);
    expect(thrown).toMatchObject({ code: expect.stringMatching(/^config\./) });
    expect(thrown.message).toContain(at);
    expect(thrown.hint ?? thrown.message).not.toBe('');
    const shown = [formatError(thrown, terminal), thrown.stack, JSON.stringify(thrown.problems)];
    for (const secret of [key, random, header, hexadecimal])
      expect(shown.join('\n')).not.toContain(secret);
  }
});

it('a key as a criterion to stop is refused, and not shown', async () => {
  const inferencer = { type: 'GenInferencer', stopping_criteria: [key] };
  const infer_cfg = { prompt_template: { template: '{question}' }, inferencer };
  const cwd = await writeFolder({ 'config.json': configFor('http://h', {}, { infer_cfg }) });
  const { code, stdout, stderr } = await runCli(runArguments(), { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('error[config.key_in_config] datasets[0].infer_cfg');
  expect(stdout + stderr).not.toContain(key);
});

/** A server whose answer to everything is the key that it was sent. */
async function startTeller(): Promise<string> {
  const server = createServer(async (request, response) => {
    await request.toArray();
    const content = `It is ${String(request.headers.authorization).slice('Bearer '.length)}`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('an answer that is a secret is scored as it was said, and its row is marked', async () => {
  const url = await startTeller();
  const eval_cfg = { evaluator: { type: 'contains' } };
  const config = configFor(url, { api_key_env: 'KEY' }, { eval_cfg });
  const rows = '{"question":"1","answer":"planted"}\n{"question":"2","answer":"other"}\n';
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': rows });
  const check = async (expected: readonly object[], ...args: string[]) => {
    const outcome = await runCli(args, { cwd, env });
    await expectNoSecrets(cwd, outcome);
    expect(await readRows(cwd, 2)).toMatchObject(expected);
  };
  const kept = { answer: 'It is ***', extracted: 'It is ***', redacted: true };
  const scored = [
    { ...kept, score: 1 },
    { ...kept, score: 0 },
  ];
  const reason = 'the answer contains a secret, which is not saved';
  const unscored = Array(2).fill({ answer: 'It is ***', redacted: true, reason });
  await check(scored, ...runArguments('--cache', 'cache'));
  // Again: nothing is asked, and nothing scored anew.
  await check(scored, ...runArguments('--cache', 'cache'));
  await check(scored, 'score', 'out');
  await check(scored, 'score', 'out', 'config.json');
  await check(unscored, 'score', 'out', '--evaluator', 'exact');
  await rm(join(cwd, 'out'), { recursive: true });
  await check(unscored, ...runArguments('--cache', 'cache'));
  await check(scored, ...runArguments('--fresh'));
});

it('an answer that holds a secret in several samples is scored as it was said', async () => {
  const eval_cfg = { evaluator: { type: 'contains' } };
  const more = { eval_cfg, n: 2 };
  const config = configFor(await startTeller(), { api_key_env: 'KEY' }, more);
  const rows = '{"question":"1","answer":"planted"}\n';
  const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': rows });
  const outcome = await runCli(runArguments(), { cwd, env });
  await expectNoSecrets(cwd, outcome);
  expect(await readRows(cwd, 1)).toMatchObject([{ score: 1, redacted: true }]);
});

it('a key on the command line is refused, and not shown', async () => {
  for (const flags of [[`--api-key=${random}`], ['--api-key-env', random]]) {
    const args = [
      'run',
      'rows.jsonl',
      '--model',
      'http://127.0.0.1:9',
      '--template',
      'x',
      ...flags,
    ];
    const { code, stdout, stderr } = await runCli(args, { env });
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(random);
  }
});

it('settings that only sound like keys are sent', async () => {
  const schema = { type: 'object', properties: { key: { type: 'string' }, password: {} } };
  const kwargs = {
    ...{ guided_json: schema, max_tokens: 5, stop_token_ids: [1], key: '', secret_seed: 7 },
    ...{ token_budget: 9, x_secret: true, passwords: ['none'], bad_words: ['password: secret'] },
    ...{ eos_token: '</s>', think_end_token: '</think>', pad_token: '<|endoftext_151643|>' },
    ...{ prompt_cache_key: 'run-17', author: 'me', tokenizer_mode: 'auto', secretary: 'she' },
    callback: 'https://h:8000/a@b?page=1&max_tokens=5',
  };
  const cwd = await writeFolder({
    'config.json': configFor('http://h', { generation_kwargs: kwargs }),
  });
  const { models } = await loadConfig(join(cwd, 'config.json'));
  expect(models[0]?.generationKwargs).toEqual(kwargs);
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

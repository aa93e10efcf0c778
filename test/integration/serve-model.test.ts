import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import OpenAI from 'openai';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildCli, cli, root } from './build-cli.ts';
import { runCli } from './run-cli.ts';

beforeAll(buildCli);

const fixture = join(root, 'src/model/local/fixtures/causal');

/** A server for as long as the test runs. */
async function serve(...args: string[]) {
  const child = spawn(process.execPath, [cli, 'serve-model', ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  while (!output.stdout.includes('Ctrl-C')) await once(child.stdout, 'data');
  const [, baseURL] = / at (http:\S+)/.exec(output.stdout) ?? [];
  const client = new OpenAI({ baseURL: baseURL ?? '', apiKey: 'none', maxRetries: 0 });
  return { child, output, client, ended };
}

test('a model in a folder, by its name or by another', async () => {
  const { client, output } = await serve(fixture, '--name', 'other');
  expect(output.stdout).toMatch(/^other at http:\/\/127\.0\.0\.1:\d+\/v1\n/);
  const request = { model: 'other', prompt: '1 + 1 = 2', temperature: 0, max_tokens: 3 };
  const { choices } = await client.completions.create({ ...request, logprobs: 0 });
  expect(choices[0]?.logprobs?.tokens).toHaveLength(3);
});

test('the embedded model, by chat', async () => {
  const { client } = await serve('typecase-tiny');
  const { choices } = await client.chat.completions.create({
    model: 'typecase-tiny',
    messages: [{ role: 'user', content: '12+30=' }],
    temperature: 0,
  });
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '42' } });
});

test('Ctrl-C lets answers in flight end', async () => {
  const { child, client, ended, output } = await serve('typecase-tiny');
  const stream = await client.completions.create({
    model: 'typecase-tiny',
    prompt: 'a',
    temperature: 2,
    seed: 1,
    n: 8,
    max_tokens: 150,
    stream: true,
  });
  let reasons = 0;
  let isTold = false;
  for await (const { choices } of stream) {
    if (!isTold) isTold = child.kill('SIGINT');
    if (choices[0]?.finish_reason) reasons += 1;
  }
  expect(reasons).toBe(8);
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toMatch(/^Finishing requests in flight/);
});

test.each([
  [['serve-model'], 2, 'usage.missing_argument'],
  [['serve-model', 'nowhere'], 2, 'model.folder_missing'],
  [['serve-model', fixture, '--port', '99999'], 2, 'usage.invalid_argument'],
])('%j is refused', async (args, code, kind) => {
  const outcome = await runCli(args);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(kind)]);
});

test('a port that is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { code, stderr } = await runCli(['serve-model', fixture, '--port', String(port)]);
  expect(code).toBe(2);
  expect(stderr).toContain('serve.cannot_listen');
  expect(stderr).toContain('Choose another --port');
});

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BatchAnswer, batchApi } from '../../src/batch/batch-api.ts';
import { Batches } from '../../src/batch/batches.ts';
import type { ModelConfig } from '../../src/config/config.ts';
import { evaluate } from '../../src/index.ts';
import { openAiModel } from '../../src/model/openai-model.ts';
import { type BatchServer, startBatchServer } from '../batch-server/start-batch-server.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, endOf, readRows, runArguments, startRun, sums } from './run-task.ts';

async function folderFor(url: string, rows: number, model: object = {}, dataset: object = {}) {
  return writeFolder({ 'config.json': configFor(url, model, dataset), 'rows.jsonl': sums(rows) });
}

const bodiesIn = (file: readonly string[] = []) =>
  file.map((line) => JSON.stringify(JSON.parse(line).body));

it('a batch has the bodies of a run, and gives its rows', async () => {
  await using server = await startBatchServer({ batchMs: 300 });
  const cwd = await folderFor(server.url, 60);
  const alone = await folderFor(server.url, 60);
  const { code, stdout } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(0);
  expect(server.direct).toEqual([]);
  expect(server.files).toHaveLength(1);
  expect((await runCli(runArguments(), { cwd: alone })).code).toBe(0);
  expect(bodiesIn(server.files[0]).toSorted()).toEqual([...server.direct].toSorted());
  expect(await readRows(cwd, 60)).toEqual(await readRows(alone, 60));
  expect(JSON.parse(stdout).results[0]).toMatchObject({
    rows: { scored: 60 },
    requests: { sent: 60 },
  });
  const again = await runCli(runArguments('--batch'), { cwd });
  expect([again.code, server.files.length]).toEqual([0, 1]);
});

it('what a batch does not answer goes into the next one; what is refused fails by name', async () => {
  await using server = await startBatchServer({
    fateOf: (body, attempt) => {
      if (body.includes('is 3 + 7')) return { status: 400, message: 'no such thing' };
      if (body.includes('is 4 + 7') && attempt === 1) return { status: 429, message: 'later' };
      return body.includes('is 5 + 7') && attempt === 1 ? 'lost' : 'answered';
    },
  });
  const cwd = await folderFor(server.url, 20);
  const { code, stdout } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(3);
  expect(JSON.parse(stdout).results[0].rows).toMatchObject({ scored: 19, failed: 1 });
  expect(server.files.map(({ length }) => length).reduce((sum, count) => sum + count)).toBe(22);
  expect(await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8')).toContain('no such thing');
});

it('a batch that expired is asked again for the rest', async () => {
  await using server = await startBatchServer({
    ending: 'expired',
    fateOf: (body, attempt) => (attempt === 1 && /is \d \+ 7/.test(body) ? 'lost' : 'answered'),
  });
  const cwd = await folderFor(server.url, 20);
  const { code } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(0);
  expect(server.files.map(({ length }) => length)).toEqual([20, 10]);
});

it.each(['SIGINT', 'SIGKILL'] as const)(
  'after %s the same command collects the batch',
  async (signal) => {
    await using server = await startBatchServer({ batchMs: 4000 });
    const cwd = await folderFor(server.url, 30);
    const running = startRun(cwd, '--batch');
    while (
      !(await readFile(join(cwd, 'out/batches.jsonl'), 'utf8').catch(() => '')).includes('"id"')
    ) {
      await sleep(20);
    }
    running.child.kill(signal);
    expect(await endOf(running)).toBe(signal === 'SIGINT' ? 3 : 'SIGKILL');
    const { code, stdout } = await runCli(runArguments('--batch'), { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0].rows).toMatchObject({ scored: 30, missing: 0 });
    expect(server.files).toHaveLength(1);
  },
);

it('a batch that was sent but not noted is found again', async () => {
  await using server = await startBatchServer({ batchMs: 3000 });
  const cwd = await folderFor(server.url, 10);
  const log = join(cwd, 'out/batches.jsonl');
  const running = startRun(cwd, '--batch');
  while (!(await readFile(log, 'utf8').catch(() => '')).includes('"id"')) await sleep(20);
  running.child.kill('SIGKILL');
  await endOf(running);
  const [first = ''] = (await readFile(log, 'utf8')).split('\n');
  await writeFile(log, `${first}\n`);
  // The same server has been given other batches since, more than it lists at once.
  for (let count = 0; count < 4; count++) {
    await fetch(`${server.url}/v1/batches`, {
      method: 'POST',
      body: JSON.stringify({ input_file_id: 'file-1', endpoint: '/v1/chat/completions' }),
    });
  }
  expect((await runCli(runArguments('--batch'), { cwd })).code).toBe(0);
  expect(server.files).toHaveLength(1);
});

it('a batch that is refused ends the run with the words of the server', async () => {
  await using server = await startBatchServer({ refusal: 'model fault has no batches' });
  const cwd = await folderFor(server.url, 5);
  const { code, stdout, stderr } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(3);
  expect(`${stdout}${stderr}`).toContain('model fault has no batches');
});

it('an endpoint without batches, or with another key, is named', async () => {
  await using none = await startRecordingServer();
  const cwd = await folderFor(none.url, 5);
  const without = await runCli(runArguments('--batch'), { cwd });
  expect(without.code).toBe(3);
  expect(`${without.stdout}${without.stderr}`).toContain('404');
  await using server = await startBatchServer({ apiKey: 'sk-batch-only-key-4242' });
  const locked = await folderFor(server.url, 5, { api_key_env: 'BATCH_KEY' });
  const env = { BATCH_KEY: 'sk-batch-only-key-4242' };
  expect((await runCli(runArguments('--batch'), { cwd: locked, env })).code).toBe(0);
});

it('batches take turns at several addresses, and are collected where they were sent', async () => {
  await using first = await startBatchServer({ fateOf: () => 'lost' });
  await using second = await startBatchServer({ batchMs: 3000 });
  const model = { base_url: [`${first.url}/v1`, `${second.url}/v1`] };
  const cwd = await folderFor(first.url, 12, model);
  const running = startRun(cwd, '--batch');
  const log = join(cwd, 'out/batches.jsonl');
  const isSentTwice = (text: string) => text.split('"id":"batch_1"').length === 3;
  while (!isSentTwice(await readFile(log, 'utf8').catch(() => ''))) await sleep(20);
  running.child.kill('SIGKILL');
  await endOf(running);
  expect((await runCli(runArguments('--batch'), { cwd })).code).toBe(0);
  expect([first.files, second.files].map((files) => files.map(({ length }) => length))).toEqual([
    [12],
    [12],
  ]);
});

it('what has no batches is refused before anything is sent', async () => {
  const cwd = await folderFor('http://127.0.0.1:1', 3, { stream: true });
  const { code, stdout, stderr } = await runCli(runArguments('--batch'), { cwd });
  expect(code).toBe(2);
  expect(`${stdout}${stderr}`).toContain('batches are not streamed');
  const both = await runCli(runArguments('--batch', '--queue', 'redis://127.0.0.1:1'), { cwd });
  expect([both.code, `${both.stdout}${both.stderr}`]).toEqual([
    2,
    expect.stringContaining('not both'),
  ]);
});

it('the library asks in batches as well; dialogues turn by turn', async () => {
  await using server = await startBatchServer({});
  const out = await writeFolder({});
  const { summary } = await evaluate(
    {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'fault' }],
      datasets: [
        {
          abbr: 'd',
          rows: [
            { question: ['1 + 1', '2 + 2'], answer: ['2', '4'] },
            { question: ['3 + 3', '4 + 4'], answer: ['6', '8'] },
          ],
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: {
            prompt_template: {
              type: 'MultiTurnPromptTemplate',
              template: {
                round: [
                  { role: 'HUMAN', prompt: '{question}' },
                  { role: 'BOT', prompt: '{answer}' },
                ],
              },
            },
            inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
          },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    },
    { out: join(out, 'run'), batch: true },
  );
  expect(summary.complete).toBe(true);
  expect(server.files.map(({ length }) => length)).toEqual([2, 2]);
});

it.each([
  { requests: 7, bytes: 1e9 },
  { requests: 1000, bytes: 3000 },
])('batches keep to the limits of providers: %j', async (limits) => {
  await using server = await startBatchServer({});
  await askForSums(server, limits);
  expect(server.files.flat()).toHaveLength(20);
  expect(server.files.length).toBeGreaterThan(1);
  for (const file of server.files) {
    expect(file.length).toBeLessThanOrEqual(limits.requests);
    expect(Buffer.byteLength(file.join('\n'))).toBeLessThanOrEqual(limits.bytes);
  }
});

it('a batch that there is no room for is sent again when another has ended', async () => {
  await using server = await startBatchServer({ most: 1, batchMs: 1500 });
  await askForSums(server, { requests: 7, bytes: 1e9 });
  const [first = '', second = '', third = ''] = server.files.map((file) => file.join('\n'));
  const sent = server.files.map((file) => file.join('\n'));
  expect(sent.length).toBeGreaterThan(3);
  expect(new Set(sent)).toEqual(new Set([first, second, third]));
});

it('results that cannot be read for a while are waited for, not asked again', async () => {
  await using server = await startBatchServer({ failedDownloads: 2 });
  await askForSums(server);
  expect(server.files).toHaveLength(1);
});

/** Has 20 sums asked through batches of a size. */
async function askForSums(
  { url: baseUrl }: BatchServer,
  limits?: Parameters<typeof Batches.open>[1],
): Promise<void> {
  const path = await writeFolder({});
  const config = { abbr: 'm', type: 'OpenAI', baseUrl, source: [] } as const;
  const model = openAiModel({ takes: 'messages', baseUrl, model: 'm', source: [] });
  const batches = await Batches.open({ path }, limits);
  const asked = batches.meter(model, config, undefined);
  const { signal } = new AbortController();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, id) => {
      const prompt = { type: 'text', text: `${100 + id} + 1` } as const;
      return (await asked.generate({ prompt }, { signal })).text;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, (_, id) => String(101 + id)));
  await batches.close();
  await model.close();
}

describe('a batch server that is out to harm', () => {
  const serve = async (answer: (path: string) => object | string | undefined) => {
    const server = createServer(async (request, response) => {
      request.resume();
      const said = answer(request.url ?? '') ?? { id: 'file-1', object: 'file' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(typeof said === 'string' ? said : JSON.stringify(said));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const settings = (baseUrl: string): ModelConfig =>
    ({ abbr: 'm', baseUrl: `${baseUrl}/v1`, source: [] }) as unknown as ModelConfig;

  it('lists the same batches for ever, and is asked no more', async () => {
    let asked = 0;
    const url = await serve(() => {
      asked += 1;
      return { data: [{ id: 'b', status: 'completed' }], has_more: true };
    });
    const api = batchApi(settings(url), new AbortController().signal);
    expect(await api.find({ mark: 'mark' })).toBeUndefined();
    expect(asked).toBe(2);
  });

  it('says of counts, files and reasons what is no count, file or reason', async () => {
    const state = {
      ...{ id: 'b', status: 'completed', output_file_id: 5, error_file_id: ['x'] },
      request_counts: { completed: 'many', failed: {} },
      errors: { data: [{ message: 7 }, null] },
    };
    const url = await serve(() => state);
    const api = batchApi(settings(url), new AbortController().signal);
    expect(await api.look('b')).toEqual({
      id: 'b',
      status: 'completed',
      isTooMuch: false,
      done: 0,
    });
  });

  it.each([
    ['an answer to nobody', '{"response": {"status_code": 200}}'],
    ['what is no JSON', 'x'],
    ['nesting', `{"custom_id": "a", "response": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['null', 'null'],
    ['a number for a name', '{"custom_id": 7}'],
  ])('answers with %s', async (_, line) => {
    const right = JSON.stringify({
      custom_id: 'k',
      response: { status_code: 200, body: { choices: [{ message: { content: 'yes' } }] } },
    });
    const url = await serve(() => `${line}\n${right}\n`);
    const api = batchApi(settings(url), new AbortController().signal);
    const answers: BatchAnswer[] = [];
    for await (const answer of api.answers('f')) answers.push(answer);
    expect(answers.find(({ key }) => key === 'k')?.result).toMatchObject({ text: 'yes' });
    for (const { key, error } of answers.filter((answer) => answer.key !== 'k')) {
      expect([key, error?.message]).toEqual(['a', expect.stringContaining('gave no answer')]);
    }
  });

  it('cuts an answer off, which is told apart from a batch that is lost', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"id": "b"');
      setTimeout(() => response.destroy(), 50);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = batchApi(settings(url), new AbortController().signal);
    await expect(api.look('b')).rejects.toMatchObject({ retryable: true });
  });
});

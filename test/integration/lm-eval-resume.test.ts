import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TaskResult } from '../../src/run/summary.ts';
import { buildCli, cli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { endOf } from './run-task.ts';

beforeAll(buildCli);

interface Endpoint {
  readonly url: string;
  requests: number;
}

/** A chat endpoint that takes its time, and names a choice that depends on the length of the question. */
async function serve(answer: (requests: number) => number = () => 200): Promise<Endpoint> {
  const endpoint = { url: '', requests: 0 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    endpoint.requests++;
    response.statusCode = answer(endpoint.requests);
    const content = text.length % 2 === 0 ? 'positive １' : 'negative ２';
    await sleep(100);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return endpoint;
}

const documents = 20;

function lmEval({ url }: Endpoint, ...more: string[]): string[] {
  const model = ['--model', 'local-chat-completions', '--model_args', `model=m,base_url=${url}`];
  const tasks = ['--tasks', 'chabsa,fp2', '--num_fewshot', '1', '--output_path', 'result.json'];
  return ['lm-eval', ...model, ...tasks, '--batch_size', '2', '--out', 'out', ...more];
}

async function countLines(cwd: string): Promise<number> {
  const files = await readdir(join(cwd, 'out/m')).catch(() => []);
  const logs = files.filter((file) => file.endsWith('.jsonl'));
  const texts = await Promise.all(logs.map((file) => readFile(join(cwd, 'out/m', file), 'utf8')));
  return texts.join('').split('\n').length - 1;
}

/** The results, without what is another in every run. */
async function readResult(cwd: string, { url }: Endpoint): Promise<string> {
  const text = await readFile(join(cwd, 'result.json'), 'utf8');
  return text.replace(/"date": [\d.]+/, '').replaceAll(url, '');
}

test('what a killed lm-eval had answered is not asked again, and the results are the same', async () => {
  const endpoint = await serve();
  const cwd = await writeFolder({});
  const child = spawn(process.execPath, [cli, ...lmEval(endpoint)], {
    cwd,
    stdio: 'ignore',
  });
  while ((await countLines(cwd)) < 5) await sleep(10);
  child.kill('SIGKILL');
  expect(await endOf({ child, stderr: '' })).toBe('SIGKILL');
  const kept = await countLines(cwd);
  expect(kept).toBeLessThan(documents);
  const before = endpoint.requests;
  const { code, stderr } = await runCli(lmEval(endpoint), { cwd });
  expect(code, stderr).toBe(0);
  expect(endpoint.requests - before).toBe(documents - kept);

  const other = await serve();
  const whole = await writeFolder({});
  await runCli(lmEval(other), { cwd: whole });
  expect(await readResult(cwd, endpoint)).toBe(await readResult(whole, other));
  expect(JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8'))).toMatchObject({
    complete: true,
    results: [
      { dataset: 'chabsa', metric: 'f1' },
      { dataset: 'fp2', metric: 'acc' },
    ],
  });
});

test('documents that fail leave no results; those refused are asked again by --retry', async () => {
  const endpoint = await serve((requests) => (requests === 3 ? 400 : 200));
  const cwd = await writeFolder({});
  const { code, stderr } = await runCli(lmEval(endpoint), { cwd });
  expect([code, endpoint.requests]).toEqual([3, documents]);
  expect(stderr).toContain('1 document failed: ');
  expect(stderr).toContain('there are no results; add `--retry` to ask again');
  await expect(readFile(join(cwd, 'result.json'))).rejects.toThrow('ENOENT');
  expect(stderr).toContain('1 failed row is not retried without `--retry refused`');
  expect((await runCli(lmEval(endpoint, '--retry', 'refused'), { cwd })).code).toBe(0);
  expect(endpoint.requests).toBe(documents + 1);
});

test('answers are reused from the cache, and retries are counted', async () => {
  const endpoint = await serve((requests) => (requests <= 2 ? 503 : 200));
  const cwd = await writeFolder({});
  expect((await runCli(lmEval(endpoint, '--cache', 'cache'), { cwd })).code).toBe(0);
  expect(endpoint.requests).toBe(documents + 2);
  const again = lmEval(endpoint, '--cache', 'cache').with(-3, 'elsewhere');
  expect((await runCli(again, { cwd })).code).toBe(0);
  expect(endpoint.requests).toBe(documents + 2);
});

test.each(['v0.1.0', 'main'])(
  '%s: a folder of lm-eval is a run like any other',
  async (dialect) => {
    const cwd = await writeFolder({});
    const asked = ['--tasks', 'fp2,chabsa-1.0-0.2', '--dialect', dialect, '--out', 'out'];
    const shots = ['--num_fewshot', '1', '--limit', '5', '--model', 'dummy'];
    const made = await runCli(['lm-eval', ...shots, ...asked], { cwd });
    expect(made.code, made.stderr).toBe(0);
    const summary = async () =>
      JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8')).results.map(
        ({ dataset, metric, score, metrics }: TaskResult) => ({ dataset, metric, score, metrics }),
      );
    const before = await summary();
    const file = JSON.parse(await readFile(join(cwd, 'out/run.json'), 'utf8'));
    expect(file).toMatchObject({
      ...{ command: 'run', config: 'config.json', settings: { limit: 5 } },
      datasets: [
        { inferCfg: { inferencer: { type: 'LLInferencer' }, retriever: { iceNum: 1 } } },
        {},
      ],
      templates: [{ dialect }, { dialect }],
    });
    const without = await runCli(['score', 'out'], { cwd });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('`typecase score out out/config.json`');
    expect((await runCli(['score', 'out', 'out/config.json'], { cwd })).code).toBe(0);
    expect(await summary()).toEqual(before);
    const again = ['run', 'out/config.json', '--limit', '5', '--out', 'again'];
    const asRun = await runCli(again, { cwd });
    expect(asRun.code, asRun.stderr).toBe(0);
    const compared = await runCli(['compare', 'out', 'again', '--json', '--require-same-prompts'], {
      cwd,
    });
    expect(compared.code, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout).tasks).toMatchObject([
      { result: { difference: 0 } },
      { result: { difference: 0 } },
    ]);
    const bundled = await runCli(['bundle', 'out'], { cwd });
    expect(bundled.code, bundled.stderr).toBe(0);
    const board = JSON.parse((await runCli(['leaderboard', 'out', '--json'], { cwd })).stdout);
    expect(board.models).toMatchObject([{ dialect, scores: [{ shots: 1 }, { shots: 1 }] }]);
  },
);

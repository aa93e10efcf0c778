import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { hasRedis, startRedis } from '../redis/start-redis.ts';
import { startWorker } from '../redis/start-worker.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

interface Body {
  readonly input?: readonly string[];
  readonly prompt?: string | readonly string[];
  readonly echo?: boolean;
}

/** An endpoint that embeds texts, gives their loglikelihoods and answers; it counts the last two. */
async function serve() {
  const counts = { measured: 0, answered: 0 };
  const answer = ({ input, prompt = '', echo }: Body) => {
    if (input) {
      const data = input.map((text, index) => ({ index, embedding: [text.length, 1] }));
      return { data };
    }
    const texts = [prompt].flat();
    if (!echo) counts.answered++;
    else if (texts[0]?.includes('pet')) counts.measured++;
    return {
      choices: texts.map((text, index) => {
        const tokens = [...text, '!'];
        const token_logprobs = tokens.map((_, place) => (place === 0 ? null : -1 / tokens.length));
        const text_offset = tokens.map((_, place) => place);
        const logprobs = { tokens, token_logprobs, text_offset };
        return echo ? { index, text: `${text}!`, logprobs } : { index, text: ' yes' };
      }),
    };
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(JSON.parse(text))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const lines = (texts: readonly string[]) =>
  texts.map((q, id) => `${JSON.stringify({ q, a: id % 2 === 0 ? 'yes' : 'no' })}\n`).join('');

function config(url: string, inferencer: object = { type: 'GenInferencer' }): string {
  return JSON.stringify({
    models: [
      { abbr: 'far', type: 'OpenAICompletions', base_url: url, model: 'x' },
      { abbr: 'near', type: 'Local', path: 'typecase-tiny', max_out_len: 2 },
    ],
    datasets: [
      {
        abbr: 'pets',
        path: { train: 'train.jsonl', test: 'test.jsonl' },
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          ice_template: { template: 'Is a {q} a pet? {a}' },
          prompt_template: { template: '</E>Is a {q} a pet? {a}', ice_token: '</E>' },
          retriever: {
            type: 'MDLRetriever',
            ice_num: 1,
            candidate_num: 3,
            select_time: 4,
            labels: ['yes', 'no'],
            embedder: { base_url: url, model: 'e' },
          },
          inferencer,
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  });
}

async function setUp(inferencer?: object) {
  const { counts, url } = await serve();
  const cwd = await writeFolder({
    'c.json': config(url, inferencer),
    'train.jsonl': lines(['cat', 'shark', 'hamster', 'crocodile']),
    'test.jsonl': lines(['dog', 'tiger', 'goldfish', 'rhinoceros']),
  });
  return { counts, cwd, call: (...words: string[]) => runCli(words, { cwd }) };
}

test('what a model said to choose examples is found again when the run goes on', async () => {
  const { counts, cwd, call } = await setUp();
  const run = ['run', 'c.json', '--model', 'far', '--out', 'out'];
  const first = await call(...run);
  expect(first.code, first.stderr).toBe(0);
  const { measured, answered } = counts;
  expect([measured > 0, answered]).toEqual([true, 4]);
  const log = join(cwd, 'out/far/pets.jsonl');
  const [line = ''] = (await readFile(log, 'utf8')).split('\n');
  await writeFile(log, `${line}\n`);
  expect((await call(...run)).code).toBe(0);
  expect(counts).toEqual({ measured, answered: answered + 3 });
});

test('view asks a local model, and no other', async () => {
  const { counts, call } = await setUp();
  const far = await call('view', 'c.json', '--model', 'far');
  expect(far.code).toBe(2);
  expect(far.stderr).toContain('error[view.examples_by_loglikelihood]');
  const near = await call('view', 'c.json', '--model', 'near');
  expect(near.code, near.stderr).toBe(0);
  expect(near.stdout).toMatch(/^near · pets · row 0 · 1 shot: train \d/);
  expect(counts).toEqual({ measured: 0, answered: 0 });
});

test('a plan counts what chooses examples, and all other datasets', async () => {
  const { counts, call } = await setUp();
  // Vectors are kept for all runs: a plan asks for none.
  expect((await call('run', 'c.json', '--model', 'far', '--out', 'before')).code).toBe(0);
  Object.assign(counts, { measured: 0, answered: 0 });
  const plan = await call('plan', 'c.json', '--model', 'far', '--out', 'out');
  expect(plan.code, plan.stderr).toBe(0);
  const said = plan.stdout.replaceAll(/\s+/g, ' ');
  const [, told = ''] =
    /far on pets: (\d+) requests more to choose them with the model/.exec(said) ?? [];
  expect(counts).toEqual({ measured: 0, answered: 0 });
  expect((await call('run', 'c.json', '--model', 'far', '--out', 'out')).code).toBe(0);
  expect(counts).toEqual({ measured: Number(told), answered: 4 });
  const again = await call('plan', 'c.json', '--model', 'far', '--out', 'out');
  expect(again.stdout).not.toContain('to choose them');
});

test('the request by which examples were chosen is the request of the row, and is sent once', async () => {
  const { counts, cwd, call } = await setUp({ type: 'PPLInferencer', labels: ['yes', 'no'] });
  expect((await call('run', 'c.json', '--model', 'far', '--out', 'before')).code).toBe(0);
  Object.assign(counts, { measured: 0, answered: 0 });
  const plan = await call('plan', 'c.json', '--model', 'far', '--out', 'out', '--json');
  const { tasks } = JSON.parse(plan.stdout);
  expect(tasks).toMatchObject([{ send: 0, exampleTrials: expect.any(Number) }]);
  const run = ['run', 'c.json', '--model', 'far', '--out', 'out', '--json'];
  const { code, stdout } = await call(...run);
  expect(code).toBe(0);
  expect(counts).toEqual({ measured: tasks[0].exampleTrials, answered: 0 });
  const [{ requests, rows }] = JSON.parse(stdout).results;
  expect(rows).toMatchObject({ total: 4, scored: 4 });
  expect(requests).toMatchObject({ sent: 4, asked: 4, shared: 0 });
  // What was lost of the rows is known from there, too.
  await writeFile(join(cwd, 'out/far/pets.jsonl'), '');
  const again = await call(...run);
  expect(counts.measured).toBe(tasks[0].exampleTrials);
  expect(JSON.parse(again.stdout).results[0]).toMatchObject({
    requests: { sent: 0, resumed: 4 },
    score: JSON.parse(stdout).results[0].score,
  });
  const planned = async (...more: string[]) =>
    JSON.parse((await call('plan', ...run.slice(1), ...more)).stdout).tasks[0];
  expect(await planned()).toMatchObject({ send: 0, reused: { log: 4 } });
  expect(await planned('--fresh')).toMatchObject({
    send: 0,
    exampleTrials: tasks[0].exampleTrials,
  });
  expect((await call(...run, '--fresh')).code).toBe(0);
  expect(counts.measured).toBe(2 * tasks[0].exampleTrials);
});

test.skipIf(!hasRedis)('over a queue it is sent once as well', async () => {
  await using redis = await startRedis();
  const worker = await startWorker(redis);
  onTestFinished(worker.kill);
  const { counts, call } = await setUp({ type: 'PPLInferencer', labels: ['yes', 'no'] });
  const run = async (...more: string[]) => {
    Object.assign(counts, { measured: 0, answered: 0 });
    const ended = await call('run', 'c.json', '--model', 'far', ...more);
    expect(ended.code, ended.stderr).toBe(0);
    return { ...counts };
  };
  const alone = await run('--out', 'alone');
  expect(await run('--out', 'spread', '--queue', redis.address)).toEqual(alone);
});

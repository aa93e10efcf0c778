import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import type { InferencerName } from '../../src/config/type-names.ts';
import { requestKey, rowHash } from '../../src/evaluation/key.ts';
import { evaluate, openEvaluations, openRun, planRun, rescore } from '../../src/index.ts';
import { startLogprobServer, type Telling } from './logprob-server.ts';

const rows = ['Is snow cold', 'Do cats bark', 'Is it so', 'Are we there yet'].map((q, index) => ({
  q,
  a: index % 2 === 0 ? 'yes' : 'no',
}));

async function setUp(telling: Telling = 'echo') {
  const scratch = await mkdtemp(join(tmpdir(), 'typecase-again-'));
  const server = await startLogprobServer(telling);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await server[Symbol.asyncDispose]();
    isOpen = false;
  };
  onTestFinished(async () => {
    await close();
    await rm(scratch, { recursive: true });
  });
  const configOf = (
    inferencer: InferencerName,
    model?: string,
    more: object = {},
  ): ConfigInput => ({
    models: [
      {
        abbr: 'm',
        type: 'OpenAICompletions',
        base_url: server.url,
        retries: 1,
        ...(model && { model }),
      },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { template: '{q}? {a}' },
          inferencer: { type: inferencer, labels: ['yes', 'no'] },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...more,
      },
    ],
  });
  return { ...server, server, scratch, out: join(scratch, 'out'), close, configOf };
}

const sentBy = async (run: ReturnType<typeof evaluate>) =>
  (await run).summary.results.map(({ requests }) => requests.sent);

test.each([undefined, 'x'])('a finished run needs no server (model %s)', async (model) => {
  const { configOf, out, close } = await setUp();
  const config = configOf('PPLInferencer', model);
  const first = await evaluate(config, { out });
  await close();
  const again = await evaluate(config, { out });
  expect(again.summary.results[0]).toMatchObject({
    score: first.summary.results[0]?.score,
    requests: { sent: 0 },
  });
  // Nor does another inferencer that asks about the same texts.
  expect(await sentBy(evaluate(configOf('LLInferencer', model), { out }))).toEqual([0]);
});

test('what has to be asked needs it, and finds out once how it is asked', async () => {
  const { configOf, out, bodies, close } = await setUp();
  const config = configOf('PPLInferencer', 'x');
  await evaluate(config, { out, limit: 2 });
  expect(bodies).toHaveLength(1 + 2);
  expect(await sentBy(evaluate(config, { out, limit: 3 }))).toEqual([1]);
  expect(bodies).toHaveLength(3 + 1 + 1);
  await close();
  await expect(evaluate(config, { out })).rejects.toMatchObject({
    code: 'model.connection_refused',
  });
});

test.each<[Telling, string]>([
  ['prompt-logprobs', 'prompt_logprobs'],
  ['echo-one', 'echo'],
])(
  'a server that has come to tell log-probabilities by %s is asked like that',
  async (telling, how) => {
    const { configOf, scratch, out, tell } = await setUp();
    const config = configOf('PPLInferencer', 'x');
    await evaluate(config, { out, limit: 2 });
    tell(telling);
    const { summary } = await evaluate(config, { out });
    const alone = await evaluate(config, { out: join(scratch, 'alone') });
    expect(summary.results[0]?.score).toEqual(alone.summary.results[0]?.score);
    const { file } = await openRun(out);
    const likelihood = expect.objectContaining({ how, takesLists: telling !== 'echo-one' });
    expect(file.models[0]?.facts).toEqual({ likelihood });
  },
);

test('a server that has come to tell none ends the run', async () => {
  const { configOf, out, tell } = await setUp();
  const config = configOf('PPLInferencer', 'x');
  await evaluate(config, { out, limit: 2 });
  tell('nothing');
  await expect(evaluate(config, { out })).rejects.toMatchObject({ code: 'model.no_logprobs' });
});

/** Keeps answers as versions did that kept what a row made of loglikelihoods: all of them wrong. */
async function keepAsBefore(config: ConfigInput, folders: { out: string; cache: string }) {
  const { out, cache } = folders;
  const likelihood = { server: 'OpenAI', how: 'echo', takesLists: true } as const;
  const known = new Map([['m', { likelihood }]]);
  await using evaluations = await openEvaluations(config, { purpose: 'plan', known });
  const [evaluation] = evaluations;
  if (!evaluation) throw new Error('no evaluation');
  await mkdir(join(out, 'm', 'weighed'), { recursive: true });
  await mkdir(cache, { recursive: true });
  for await (const batch of evaluation.rows.batches()) {
    for (const row of batch) {
      const { promptHash, requests } = await evaluation.plan(row);
      const [first] = requests;
      const key = requestKey(first?.encoded ?? '', evaluation.modelIdentity);
      const weights = ['yes', 'no'].map((label) => ({ label, value: 1, logprob: -2, tokens: 2 }));
      const line = { id: Number(row.id), outcome: 'scored', score: 1, answer: 'yes' };
      const more = { gold: row.row.a, row: rowHash(row.row) };
      const own = { ...line, ...more, key, prompt: promptHash, label: 'yes', weights };
      const samples = requests.map((_, index) => ({ ...own, part: index + 1 }));
      const asked = first?.asked.type === 'loglikelihood' ? first.asked.texts : [];
      const identity = JSON.stringify({ samples: requests.length, asked });
      const whole = {
        ...{ ...line, ...more, prompt: promptHash, parts: requests.map(() => key) },
        key: requestKey(`[null,null]\n${identity}`, evaluation.modelIdentity),
      };
      const lines = requests.length === 1 ? [own] : [...samples, whole];
      for (const one of lines)
        await appendFile(join(out, 'm', 'd.jsonl'), `${JSON.stringify(one)}\n`);
      const result = {
        weights: weights.map(({ logprob, tokens }) => ({ logprob, tokens })),
        totalMs: 1,
      };
      for (const file of [join(cache, 'answers.jsonl'), join(out, 'm', 'weighed', 'answers.jsonl')])
        await appendFile(file, `${JSON.stringify({ key, result })}\n`);
    }
  }
}

test.each([{}, { n: 2 }])(
  'loglikelihoods of earlier versions are read, and not believed (%j)',
  async (more) => {
    const { configOf, scratch, out } = await setUp();
    const config = configOf('PPLInferencer', 'x', more);
    const cache = join(scratch, 'cache');
    const alone = await evaluate(config, { out: join(scratch, 'alone') });
    const runFile = await readFile(join(scratch, 'alone', 'run.json'), 'utf8');
    await keepAsBefore(config, { out, cache });
    await writeFile(join(out, 'run.json'), runFile);
    const stored = await openRun(out);
    for await (const { loglikelihoods, logprobs } of stored.rows()) {
      if (!('n' in more)) expect(loglikelihoods?.map(({ logprob }) => logprob)).toEqual([-2, -2]);
      expect(logprobs).toBeUndefined();
    }
    for (const options of [{}, { config }]) {
      const { summary } = await rescore(out, options);
      expect(summary.results[0]).toMatchObject({ score: { value: 0.5 }, rows: { scored: 4 } });
    }
    expect((await planRun(config, { out, cache })).total.send).toBe(4);
    const run = await evaluate(config, { out, cache });
    const { score, requests } = run.summary.results[0] ?? {};
    expect({ score, requests }).toEqual({
      score: alone.summary.results[0]?.score,
      requests: expect.objectContaining({ sent: 4, cached: 0 }),
    });
    expect(run.oldLoglikelihoods).toBe(4);
    const again = await evaluate(config, { out, cache });
    expect([again.oldLoglikelihoods, again.summary.results[0]?.requests.sent]).toEqual([0, 0]);
  },
);

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ConfigInput, evaluate, parseConfig, rescore } from '../../../src/index.ts';
import { callCommand } from './call-command.ts';
import type { ViewDocument } from './documents.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

let server: RecordingServer;

beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function makeFolder(): Promise<string> {
  server.clear();
  const folder = await mkdtemp(join(tmpdir(), 'typecase-scores-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

type Dataset = NonNullable<ConfigInput['datasets']>[number];

interface Settings {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly template?: string;
  readonly evaluator?: { readonly type: string; readonly [option: string]: unknown };
  readonly inferencer?: string;
  readonly type?: 'OpenAI' | 'OpenAICompletions';
  readonly url?: string;
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

const numbers = [1, 2, 3, 4].map((n) => ({ q: `What is ${n}?`, a: `${n}`, rubric: 'x' }));

function configOf({ rows = numbers, template = '{q}', type = 'OpenAI', ...settings }: Settings) {
  const { evaluator, inferencer = 'GenInferencer', url = server.url, kwargs } = settings;
  const model = { type, base_url: url, ...(kwargs && { generation_kwargs: kwargs }) };
  return {
    models: [
      { abbr: 'm', model: 'answering', ...model },
      { abbr: 'j', type: 'OpenAI', base_url: server.url, model: 'judge-model', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template }, inferencer: { type: inferencer } },
        ...(evaluator && { eval_cfg: { evaluator } }),
      },
    ] as Dataset[],
  } satisfies ConfigInput;
}

const bodies = () => server.requests.map(({ body }) => JSON.parse(body));

test('a column that only the judge reads changes: it judges again, and the model is not asked', async () => {
  const out = await makeFolder();
  const evaluator = {
    type: 'judge',
    model: 'j',
    prompt: '{rubric} {prediction} {reference}',
    verdict: { type: 'choice', correct: 'A', incorrect: 'B' },
  };
  await evaluate(configOf({ evaluator }), { out });
  server.clear();
  const rows = numbers.map((row) => ({ ...row, rubric: 'y' }));
  await evaluate(configOf({ evaluator, rows }), { out });
  expect(bodies().map(({ model }) => model)).toEqual(Array(4).fill('judge-model'));
});

test('a function that only closes over something else scores the saved answers again', async () => {
  const out = await makeFolder();
  const scoreAs = (score: number) =>
    configOf({ evaluator: { type: 'function', score: () => score } });
  const scores: unknown[] = [];
  for (const score of [0.25, 0.75]) {
    const { summary } = await evaluate(scoreAs(score), { out });
    scores.push(summary.results[0]?.score?.value);
  }
  expect([scores, server.requests.length]).toEqual([[0.25, 0.75], 4]);
});

test('dates of rows in code are sent as text; what is no data is refused', async () => {
  const out = await makeFolder();
  const rows = [{ q: new Date('2020-01-02T03:04:05Z'), a: '2020' }];
  await evaluate(configOf({ rows, template: 'Which year is {q}?' }), { out });
  expect(JSON.stringify(bodies())).toContain('Which year is 2020-01-02T03:04:05.000Z?');
  const set = configOf({ rows: [{ q: new Set([1]), a: '1' }] });
  await expect(parseConfig(set)).rejects.toThrow('datasets[0].rows[0].q must be text');
});

test.each([
  [{ messages: [] }, '`messages` is set by Typecase in every request'],
  [{ temperature: Number.NaN }, 'generation_kwargs.temperature is NaN, which cannot be sent'],
])('generation_kwargs %j are refused', async (kwargs, message) => {
  await expect(parseConfig(configOf({ kwargs }))).rejects.toThrow(message);
});

test('perplexities scored again are what they were, with the config and without', async () => {
  const out = await makeFolder();
  const config = configOf({
    type: 'OpenAICompletions',
    inferencer: 'PPLOnlyInferencer',
    template: '{q} {a}',
  });
  const { summary } = await evaluate(config, { out });
  expect(summary.results[0]?.rows.scored).toBe(4);
  for (const options of [{}, { config }]) {
    const again = await rescore(out, options);
    const [{ score, metrics, rows } = {}] = summary.results;
    expect(again.summary.results[0]).toMatchObject({ score, metrics, rows });
  }
});

test('examples that give answers away are told of after scoring again as well', async () => {
  const out = await makeFolder();
  const leaky = configOf({ template: '</E>{q} {a}', evaluator: { type: 'exact' } });
  const [dataset] = leaky.datasets;
  const config: ConfigInput = {
    ...leaky,
    datasets: [
      {
        ...dataset,
        rows: { train: numbers, test: numbers },
        infer_cfg: {
          ice_template: { template: '{q} {a}' },
          prompt_template: { template: '</E>{q} {a}', ice_token: '</E>' },
          retriever: { type: 'FixKRetriever', fix_id_list: [0] },
        },
      } as Dataset,
    ],
  };
  const { summary } = await evaluate(config, { out });
  expect(summary.results[0]?.leaks).toBe(1);
  for (const options of [{}, { config }]) {
    expect((await rescore(out, options)).summary.results[0]?.leaks).toBe(1);
  }
});

test('view --run finds answers by what was asked, also when the rows have moved', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'config.json');
  const out = join(folder, 'run');
  const dialogues = ['a', 'b', 'c'].map((name) => ({
    t: [`${name} 1`, `${name} 2`],
    a: [name, name],
  }));
  const write = (rows: readonly object[]) =>
    writeFile(
      file,
      JSON.stringify({
        models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'answering' }],
        datasets: [
          {
            abbr: 'd',
            rows,
            reader_cfg: { input_columns: ['t'], output_column: 'a' },
            infer_cfg: {
              prompt_template: {
                type: 'MultiTurnPromptTemplate',
                template: {
                  round: [
                    { role: 'HUMAN', prompt: '{t}' },
                    { role: 'BOT', prompt: '{a}' },
                  ],
                },
              },
              inferencer: { type: 'MultiTurnGenInferencer' },
            },
          },
        ],
      }),
    );
  await write(dialogues);
  await callCommand(['run', file, '--out', out]);
  const sent = new Set(server.requests.map(({ body }) => body));
  await write(dialogues.toReversed());
  const { stdout } = await callCommand(['view', file, '--run', out, '--rows', '0:3', '--json']);
  const { views }: ViewDocument = JSON.parse(stdout);
  const shown = views.flatMap(({ requests }) => requests.map(({ body }) => JSON.stringify(body)));
  expect(shown).toHaveLength(6);
  for (const body of shown) expect(sent).toContain(body);
});

/** A server that answers in its own way. */
async function startServer(answer: RequestListener): Promise<string> {
  const own = createServer(answer);
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    own.closeAllConnections();
    own.close();
  });
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}/v1`;
}

test('an abort does not wait for the next attempt', async () => {
  const out = await makeFolder();
  const abort = new AbortController();
  const url = await startServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    setTimeout(() => abort.abort(), 50);
  });
  const { summary } = await evaluate(configOf({ url }), { out, signal: abort.signal });
  expect(summary.complete).toBe(false);
});

test('an abort while a judge is asked leaves an incomplete run, not an error', async () => {
  const out = await makeFolder();
  const abort = new AbortController();
  const evaluator = { type: 'judge', model: 'j', question_column: 'q' };
  const config = configOf({ evaluator });
  const url = await startServer(() => abort.abort());
  const judged = { ...config, models: [config.models[0], { ...config.models[1], base_url: url }] };
  const { summary } = await evaluate(judged as ConfigInput, { out, signal: abort.signal });
  expect(summary).toMatchObject({ complete: false });
});

test('a run that is aborted before it begins sends nothing', async () => {
  const out = await makeFolder();
  const running = evaluate(configOf({}), { out, signal: AbortSignal.abort() });
  await expect(running).rejects.toThrow('aborted');
  expect(server.requests).toEqual([]);
});

test('what was not sent does not count as sent', async () => {
  const out = await makeFolder();
  const abort = new AbortController();
  let asked = 0;
  const url = await startServer(() => {
    asked++;
    abort.abort();
  });
  const rows = Array.from({ length: 200 }, (_, n) => ({ q: `What is ${n}?`, a: `${n}` }));
  const { summary } = await evaluate(configOf({ url, rows }), {
    out,
    concurrency: 1,
    signal: abort.signal,
  });
  expect([summary.results[0]?.requests.sent, asked]).toEqual([1, 1]);
});

test('an error in onProgress ends the run and reaches the caller', async () => {
  const out = await makeFolder();
  const url = await startServer((_request, response) => {
    setTimeout(() => response.end('{"choices":[{"message":{"content":"1"}}]}'), 900);
  });
  const onProgress = () => {
    throw new Error('mine');
  };
  await expect(evaluate(configOf({ url }), { out, onProgress })).rejects.toThrow('mine');
});

test.each([
  [{ failUnder: Number.NaN }, 'The option `failUnder` is NaN; it must be a score from 0 to 1'],
  [{ maxTime: -1 }, 'The option `maxTime` is -1; it must be a number of seconds above 0'],
  [{ out: '' }, "The option `out` is ''; it must be the path of a folder"],
  [{ models: 'm' as never }, "The option `models` is 'm'; it must be a list of names"],
  [{ ids: ['1'] as never }, 'it must be a list or set of whole numbers'],
])('%j is refused before anything is sent', async (options, message) => {
  const out = await makeFolder();
  await expect(evaluate(configOf({}), { out, ...options })).rejects.toThrow(message);
  expect(server.requests).toEqual([]);
});

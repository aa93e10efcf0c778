import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../../../test/integration/joints/call-command.ts';
import { startModelServer } from '../../../test/provenance/model-server.ts';
import { describeEvents } from '../../exports/report.ts';
import { compareRuns, evaluate, openRun, rankRuns, rescore, sweep } from '../../index.ts';

const vectors = new URL('../../../test/vectors/japanese-financial/', import.meta.url);

/** An endpoint that finds a text the likelier the fewer `2`, `B` and `n` it ends with. */
async function serve(): Promise<{ readonly base: string; readonly texts: Set<string> }> {
  const texts = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { prompt, messages } = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    if (messages) {
      texts.add(messages.at(-1).content);
      const message = { role: 'assistant', content: '答えは1、またはpositiveです。' };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
      return;
    }
    const choices = [prompt].flat().map((text: string, index: number) => {
      texts.add(text);
      const tokens = [...text, '!'];
      const token_logprobs = tokens.map((token, place) =>
        place === 0 ? null : '2Bn'.includes(token) ? -3 : -1,
      );
      let offset = 0;
      const text_offset = tokens.map((token) => {
        offset += token.length;
        return offset - token.length;
      });
      return { index, text: `${text}!`, logprobs: { tokens, token_logprobs, text_offset } };
    });
    response.end(JSON.stringify({ choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, texts };
}

async function outFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-financial-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const completions = (base: string) => ({
  ...({ abbr: 'm', type: 'OpenAICompletions' as const, model: 'm', base_url: base } as const),
});
const chat = (base: string) => ({ ...completions(base), type: 'OpenAI' as const }) as const;
const shots = (count: number) => ({
  infer_cfg: { retriever: { type: 'RandomRetriever' as const, ice_num: count } },
});

test('a run by name sends the prompts of the original, drawn examples included', async () => {
  const { base, texts } = await serve();
  const recorded = (await readFile(new URL('prompts-synthetic-main.jsonl', vectors), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(
      ({ task_name, num_fewshot }) =>
        /^(chabsa|fp2)-1\.0-0\.[26]$/.test(task_name) && num_fewshot > 0,
    );
  const kinds = new Map<string, [task: string, version: string, count: number]>();
  for (const { task_name, num_fewshot } of recorded) {
    const [task, , version] = task_name.split('-');
    kinds.set(`${task_name} ${num_fewshot}`, [task, version, num_fewshot]);
  }
  expect(kinds.size).toBeGreaterThan(3);
  const datasets = [...kinds].map(([abbr, [task, version, count]]) => ({
    ...{ abbr, task, version, ...shots(count) },
  }));
  await evaluate({ models: [completions(base)], datasets }, { out: await outFolder() });
  const wanted = recorded.flatMap(({ context, continuations }) =>
    continuations.map((continuation: string) => context + continuation),
  );
  expect(wanted.filter((text) => !texts.has(text))).toEqual([]);
});

test('a sweep over versions, with the scores of single runs; runs compare', async () => {
  const { base } = await serve();
  const models = [completions(base)];
  const swept = await sweep(
    { models, datasets: [{ task: 'cpa' }] },
    { axes: { templates: ['0.1.2', '0.2'], shots: [0, 2] }, out: await outFolder() },
  );
  const [sheet] = swept.summary.sheets;
  expect(sheet).toMatchObject({ dataset: 'cpa_audit', metric: 'acc', rows: 7 });
  expect(sheet?.cells).toHaveLength(4);
  expect(swept.summary.best).toHaveLength(1);
  const a = await outFolder();
  const b = await outFolder();
  const config = (version: string) => ({
    models,
    datasets: [{ abbr: 'cpa', task: 'cpa', version, ...shots(2) }],
  });
  const first = await evaluate(config('0.1.2'), { out: a });
  const second = await evaluate(config('0.2'), { out: b });
  const scores = [first, second].map(({ summary }) => summary.results[0]?.score?.value);
  const cells = ['0.1.2', '0.2'].map(
    (template) =>
      sheet?.cells.find(({ settings }) => settings.template === template && settings.shots === '2')
        ?.score?.value,
  );
  expect(cells).toEqual(scores);
  const { tasks } = await compareRuns(a, b);
  expect(tasks[0]?.result).toMatchObject({ pairs: 7, a: scores[0], b: scores[1] });
  expect((await openRun(b)).file).toMatchObject({
    templates: [{ task: 'cpa_audit', version: '0.2', dialect: 'main', hash: '7ba0681ea74d' }],
    data: [{ documents: 7, synthetic: true, hash: expect.stringMatching(/^[\da-f]{12}$/) }],
  });
});

test('a chat endpoint writes its answers; the score follows from them with the config alone', async () => {
  const { base, texts } = await serve();
  const config = {
    models: [chat(base)],
    datasets: [{ task: 'chabsa-1.0-0.2' }],
  };
  const out = await outFolder();
  const { summary, diagnostics } = await evaluate(config, { out, limit: 6 });
  expect(summary.results).toMatchObject([
    { dataset: 'chabsa-1.0-0.2', metric: 'f1', rows: { total: 6, scored: 6 } },
  ]);
  expect([...texts][0]).toContain('センテンス: ');
  expect(diagnostics.map(({ code }) => code)).toEqual(['task.synthetic_data']);
  await expect(rescore(out)).rejects.toMatchObject({ code: 'score.needs_config' });
  const again = await rescore(out, { config });
  expect(again.summary.results[0]?.score).toEqual(summary.results[0]?.score);
  const { models } = await rankRuns([out]);
  expect(models[0]?.cells[0]?.rows?.cells.size).toBe(6);
  expect(models).toMatchObject([
    { dialect: 'main', template: '0.2', cells: [{ isPartial: true }] },
  ]);
});

test.each<[string, object, object]>([
  ['a template', { infer_cfg: { prompt_template: { template: '{question}' } } }, {}],
  ['a range', { reader_cfg: { input_columns: ['question'], test_range: '[:2]' } }, {}],
  ['an evaluator', { eval_cfg: { evaluator: { type: 'exact' } } }, {}],
  [
    'a seed',
    { infer_cfg: { retriever: { type: 'RandomRetriever' as const, ice_num: 1, seed: 3 } } },
    {},
  ],
  ['a retriever', { infer_cfg: { retriever: { type: 'BM25Retriever' as const, ice_num: 1 } } }, {}],
  ['repeats', { n: 2 }, {}],
  ['rows', { rows: [{ question: 'x' }] }, {}],
  ['a format', {}, { meta_template: 'chatml' }],
])('what would have no effect is refused: %s', async (_, dataset, model) => {
  const config = {
    models: [{ ...chat('http://127.0.0.1:9/v1'), ...model }],
    datasets: [{ task: 'fp2', ...dataset }],
  };
  await expect(evaluate(config as never, { out: await outFolder() })).rejects.toMatchObject({
    code: 'task.fixed_setting',
  });
});

test.each([
  [{ task: 'chabsa', version: '0.2.1' }, 'task.unknown_version', '`0.2` stands in for it.'],
  [{ task: 'chabsa-1.0-0.2.1' }, 'task.unknown_version', '`chabsa-1.0-0.2` stands in for it.'],
  [{ task: 'cma_basic' }, 'task.unknown', 'Did you mean `cma_basics`?'],
])('%j points to what there is', async (dataset, code, hint) => {
  const config = { models: [completions('http://127.0.0.1:9/v1')], datasets: [dataset] };
  await expect(evaluate(config)).rejects.toMatchObject({
    code,
    hint: expect.stringContaining(hint),
  });
});

test('answers that name no choice are counted, and measures by length are not given', async () => {
  const { url } = await startModelServer(({ messages }) => ({
    text: JSON.stringify(messages).length % 2 === 0 ? '分かりません' : '答えは1です',
  }));
  const config = { models: [chat(`${url}/v1`)], datasets: [{ task: 'cma_basics-1.0-0.2' }] };
  const { summary } = await evaluate(config, { out: await outFolder() });
  const [result] = summary.results;
  expect(result?.unnamed).toBeGreaterThan(0);
  expect(result?.unnamed).toBeLessThan(result?.rows.scored ?? 0);
  expect(result && describeEvents(result)).toEqual([
    `${result?.unnamed} of ${result?.rows.scored} answers name no choice: the first one is taken`,
  ]);
  expect(JSON.stringify(result?.metrics)).not.toContain('_norm');
});

test('models that write are asked for the likeliest answer, and thoughts do not count', async () => {
  const bodies: object[] = [];
  const { url } = await startModelServer((body) => {
    bodies.push(body);
    return { text: '<think>2ではない。</think>答えは1です' };
  });
  const models = [
    chat(`${url}/v1`),
    { ...chat(`${url}/v1`), abbr: 'warm', generation_kwargs: { temperature: 0.5 } },
  ];
  const config = { models, datasets: [{ task: 'cma_basics-1.0-0.2' }] };
  const { summary } = await evaluate(config, { out: await outFolder() });
  expect(new Set(bodies.map((body) => 'temperature' in body && body.temperature))).toEqual(
    new Set([0, 0.5]),
  );
  const plain = await startModelServer(() => ({ text: '答えは1です' }));
  const again = await evaluate(
    { ...config, models: [chat(`${plain.url}/v1`)] },
    { out: await outFolder() },
  );
  expect(summary.results[0]?.score).toEqual(again.summary.results[0]?.score);
});

test('lm-eval and leaderboards say how many answers name no choice', async () => {
  const { url } = await startModelServer(() => ({ text: '<think>1か2</think>分かりません' }));
  const out = await outFolder();
  const file = join(out, 'result.json');
  const said = await callCommand([
    ...[
      'lm-eval',
      '--model',
      'local-chat-completions',
      '--model_args',
      `model=m,base_url=${url}/v1`,
    ],
    ...['--tasks', 'cma_basics-1.0-0.2', '--limit', '4', '--num_fewshot', '0'],
    ...['--out', join(out, 'run'), '--output_path', file],
  ]);
  expect(said).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('4 of 4 answers name no choice: the first one is taken'),
  });
  for (const result of [file, join(out, 'run')]) {
    const board = await callCommand(['leaderboard', result]);
    expect(board.stdout).toContain('4 of 4 answers name no choice');
  }
});

test('neutral documents that fail do not raise F1, and gates see them as wrong', async () => {
  const rows = [
    { id: 1, sentence: '売上が伸びた。', target: '売上', polarity: 'positive' },
    { id: 2, sentence: '利益が減った。', target: '利益', polarity: 'negative' },
    { id: 3, sentence: '工場は横浜にある。', target: '工場', polarity: 'neutral' },
  ];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body);
    const asked: string = messages.at(-1).content;
    const content = asked.includes('減った') ? 'negative' : 'positive';
    response.statusCode = asked.includes('横浜') ? 400 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const data = await outFolder();
  await writeFile(join(data, 'chABSA.json'), JSON.stringify(rows));
  const { summary } = await evaluate(
    {
      models: [chat(base)],
      datasets: [{ task: 'chabsa', version: '0.2', path: data }],
      gate: { fail_under: 0.99, allow_failed: 1 },
    },
    { out: await outFolder() },
  );
  const [result] = summary.results;
  expect(result?.rows).toMatchObject({ scored: 2, failed: 1 });
  expect(result?.score?.value).toBe(1);
  // As wrong as it can be: one more that is taken for one of the two.
  expect(result?.allRows?.value).toBeLessThan(5 / 6 + 1e-9);
  const gate = summary.gates?.find((one) => one.gate === 'fail_under');
  expect(gate).toMatchObject({ got: result?.allRows?.value, passed: false });
});

test('run.json says how models were asked; comparisons say so, and how many answers name no choice', async () => {
  const { base } = await serve();
  const task = { abbr: 'cma', task: 'cma_basics', version: '0.2' };
  const [a, b, both] = [await outFolder(), await outFolder(), await outFolder()];
  const nameless = await startModelServer(() => ({ text: 'わかりません。' }));
  await evaluate({ models: [completions(base)], datasets: [task] }, { out: a });
  await evaluate({ models: [chat(`${nameless.url}/v1`)], datasets: [task] }, { out: b });
  const models = [completions(base), { ...chat(base), abbr: 'writer' }];
  await evaluate({ models, datasets: [task] }, { out: both });
  const datasetIn = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')).datasets[0];
  expect((await datasetIn(a)).inferCfg.inferencer.type).toBe('LLInferencer');
  expect((await datasetIn(b)).inferCfg.inferencer.type).toBe('GenInferencer');
  expect((await datasetIn(both)).inferencers).toEqual({
    m: 'LLInferencer',
    writer: 'GenInferencer',
  });
  const { tasks } = await compareRuns(a, b);
  const [compared] = tasks;
  const rows = compared?.pairing.rows;
  expect(compared).toMatchObject({
    chosen: { a: 'loglikelihood', b: 'answer' },
    unnamed: { a: 0, b: rows },
  });
  const said = (await callCommand(['compare', a, b])).stdout.replaceAll(/\s+/g, ' ');
  expect(said).toContain(
    `Answers that name no choice (the first one was taken): 0 in A, ${rows} in B.`,
  );
  expect(said).toContain('A chose by loglikelihood, B wrote answers');
});

test('lm-eval leaves no earlier results where documents fail', async () => {
  let isUp = true;
  const { url } = await startModelServer(() =>
    isUp ? { text: '1' } : { text: null, status: 400 },
  );
  const out = await outFolder();
  const file = join(out, 'results.json');
  const lmEval = (folder: string, ...more: readonly string[]) =>
    callCommand([
      ...['lm-eval', '--model', 'local-chat-completions'],
      ...['--model_args', `model=m,base_url=${url}/v1`, '--tasks', 'cma_basics-1.0-0.2'],
      ...['--limit', '2', '--num_fewshot', '0', '--out', join(out, folder)],
      ...['--output_path', file, ...more],
    ]);
  expect((await lmEval('one')).code).toBe(0);
  const first = await readFile(file, 'utf8');
  isUp = false;
  for (const _ of ['once', 'again']) {
    const failed = await lmEval('two');
    expect(failed).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /results\.json was not written; the earlier one is now .*\.earlier\./,
      ),
    });
    expect(await readdir(out)).not.toContain('results.json');
    expect(await readFile(`${file}.earlier`, 'utf8')).toBe(first);
    expect((await callCommand(['leaderboard', out])).stdout).not.toContain('results.json');
  }
  isUp = true;
  expect((await lmEval('two', '--retry', 'all')).code).toBe(0);
  expect(await readdir(out)).toEqual(['one', 'results.json', 'two']);
});

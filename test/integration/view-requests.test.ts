import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, root } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rows = '{"question":"7 + 5","answer":"12"}\n{"question":"1 + 1","answer":"2"}\n';

function config(model: object, inferCfg: object = {}): string {
  return JSON.stringify({
    models: [{ abbr: 'm', ...model }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { template: '{question} =' },
          inferencer: { type: 'GenInferencer', max_out_len: 5, stopping_criteria: ['\n'] },
          ...inferCfg,
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  });
}

async function setUp(model: object, inferCfg?: object) {
  const answers = '{"id":0,"answer":"12"}\n{"id":1,"answer":"2"}\n';
  const files = { 'c.json': config(model, inferCfg), 'rows.jsonl': rows, 'answers.jsonl': answers };
  const cwd = await writeFolder(files);
  const view = async (...words: string[]) => {
    const outcome = await runCli(['view', 'c.json', ...words], { cwd });
    expect(outcome.code, outcome.stderr).toBe(0);
    return outcome.stdout;
  };
  return { cwd, view };
}

const local = { type: 'Local', path: 'typecase-tiny', stop: [';'] };

test('a local model: the text, the settings and the tokens', async () => {
  const { view } = await setUp({ ...local, generation_kwargs: { temperature: 0.5 } });
  const { views } = JSON.parse(await view('--json'));
  expect(views[0].prompts[0]).toMatchObject({
    request: {
      to: 'the local model typecase-tiny',
      body: { prompt: '7 + 5 =', maxTokens: 5, stop: [';', '\n'], settings: { temperature: 0.5 } },
    },
    tokens: 7,
  });
  const text = await view();
  expect(text).toContain('Request  to the local model typecase-tiny\n  {');
  expect(text).toContain('Size  7 characters · 7 tokens');
});

test('a local model that chooses labels', async () => {
  const { view } = await setUp(local, {
    prompt_template: { template: { 2: '{question} = 2', 12: '{question} = 12' } },
    inferencer: { type: 'PPLInferencer' },
  });
  const { views } = JSON.parse(await view('--json'));
  expect(views[0].request).toEqual({
    to: 'the local model typecase-tiny',
    body: {
      texts: [
        { text: '7 + 5 = 2', from: 0 },
        { text: '7 + 5 = 12', from: 0 },
      ],
    },
  });
});

test('recorded answers: the key by which the run finds them', async () => {
  const { cwd, view } = await setUp({ type: 'Replay', path: 'answers.jsonl' });
  const { views } = JSON.parse(await view('--row', '1', '--json'));
  const { request } = views[0].prompts[0];
  expect(request).toMatchObject({
    to: 'the recorded answers answers.jsonl',
    body: { prompt: { messages: [{ role: 'user', content: '1 + 1 =' }] }, id: 1 },
  });
  expect((await runCli(['run', 'c.json', '--out', 'out'], { cwd })).code).toBe(0);
  const log = await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8');
  const records = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.find(({ id }) => id === 1).key).toBe(request.body.key);
});

const sdk = {
  type: 'AISDK',
  package: join(root, 'node_modules/@ai-sdk/openai-compatible/dist/index.mjs'),
  model: 'x',
  options: { name: 'acme', baseURL: 'http://127.0.0.1:9/v1' },
  api_key_env: 'NOT_SET_ANYWHERE',
  generation_kwargs: { temperature: 0, min_p: 0.1 },
};

test('a model of the AI SDK: what its package is given, without a key', async () => {
  const { view } = await setUp(sdk);
  const { views } = JSON.parse(await view('--json'));
  expect(views[0].prompts[0].request.body).toEqual({
    prompt: [{ role: 'user', content: [{ type: 'text', text: '7 + 5 =' }] }],
    maxOutputTokens: 5,
    stopSequences: ['\n'],
    temperature: 0,
    providerOptions: { acme: { min_p: 0.1 } },
  });
});

test.each([
  [{ ...sdk, package: '@ai-sdk/none' }, 'the package `@ai-sdk/none` is not installed'],
  [{ type: 'Replay', path: 'none.jsonl' }, 'the recorded answers cannot be read'],
  [{ ...local, path: 'none' }, 'the folder does not exist'],
  [{ ...local, path: 'hf://owner/name' }, 'the model is downloaded by the first run'],
])('%j cannot be asked: prompts are shown, and why there is no request', async (model, reason) => {
  const { view } = await setUp(model);
  const text = (await view()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('│ 7 + 5 =');
  expect(text).toContain('Request none: ');
  expect(text).toContain(reason);
});

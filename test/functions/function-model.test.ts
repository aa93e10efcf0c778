import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/api/evaluate.ts';
import { defineConfig } from '../../src/config/define-config.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { untracePlan } from '../../src/evaluation/evaluation.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import type { FunctionRequest } from '../../src/model/function-model.ts';
import { openAiModel } from '../../src/model/openai-model.ts';
import { describeAnswers } from '../../src/report/describe-events.ts';
import { startChatServer } from './chat-server.ts';
import { capitals, makeFolder, metricsOf, runConfig } from './run-config.ts';

const known: Record<string, string> = { France: 'Paris', Japan: 'Kyoto', Peru: 'Lima' };

describe('a function as a model', () => {
  it('is given the prompt, messages, the row and settings, and answers with a text', async () => {
    const seen: FunctionRequest[] = [];
    const generate = (request: FunctionRequest) => {
      seen.push(request);
      return known[String(request.row.country)] ?? '';
    };
    const model = { abbr: 'app', generate, version: '1', generation_kwargs: { temperature: 0 } };
    const { summary, rows } = await runConfig({ models: [model], datasets: [capitals()] });
    expect(rows.map(({ answer }) => answer)).toEqual(['Paris', 'Kyoto', 'Lima']);
    expect(metricsOf(summary).accuracy).toBeCloseTo(2 / 3);
    const first = seen.find(({ row }) => row.country === 'France');
    expect(first).toMatchObject({
      prompt: 'Capital of France?',
      messages: [{ role: 'user', content: 'Capital of France?' }],
      row: { country: 'France', capital: 'Paris' },
      settings: { temperature: 0 },
    });
  });

  it('may say more of its answer, which is logged', async () => {
    const generate = async () => ({
      object: { city: 'Rome' },
      toolCalls: [{ name: 'look', arguments: { n: 1 } }],
      usage: { inputTokens: 3, outputTokens: 2 },
      reasoning: 'hm',
    });
    const models = [{ abbr: 'app', generate, version: '1' }];
    const { rows } = await runConfig({ models, datasets: [capitals()] });
    expect(rows[0]).toMatchObject({
      answer: '{"city":"Rome"}',
      reasoning: 'hm',
      finish: 'tool_calls',
      toolCalls: [{ name: 'look', arguments: { n: 1 } }],
      tokens: [3, 2],
    });
  });

  it.each([
    [
      'as OpenAI writes them',
      [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"n": 1}' } }],
    ],
    ['with arguments as a text of JSON', [{ name: 'look', arguments: '{"n": 1}' }]],
    ['as the AI SDK writes them', [{ toolCallId: 'c', toolName: 'look', input: { n: 1 } }]],
  ])('may call tools %s', async (_, toolCalls) => {
    const generate = (() => ({ text: '', toolCalls })) as never;
    const models = [{ abbr: 'app', generate, version: '1' }];
    const evaluator = [{ type: 'tool-called', tool: 'look', arguments: { n: 1 } } as const];
    const datasets = [{ ...capitals(), eval_cfg: { evaluator } }];
    const { summary } = await runConfig({ models, datasets });
    expect(metricsOf(summary)['tool-called']).toBe(1);
  });

  it.each([
    ['calls under another name', () => ({ text: '', tool_calls: [] }), /`toolCalls` is meant/],
    ['a number', () => 3, /gave a number instead of an answer/],
    ['nothing', () => undefined, /gave nothing instead of an answer/],
    ['an empty object', () => ({}), /neither `text`, `object` nor `toolCalls`/],
    ['a list', () => ['x'], /gave a list instead of an answer/],
  ])('refuses %s', async (_, generate, message) => {
    const models = [{ abbr: 'app', generate, version: '1' }];
    const out = await makeFolder();
    const run = evaluate({ models, datasets: [capitals()] } as never, { out });
    await expect(run).rejects.toThrow(message);
  });

  it('fails the row that it throws for, with message and place', async () => {
    const generate = ({ row }: FunctionRequest) => {
      if (row.country === 'Peru') throw new Error('out of llamas');
      return 'Paris';
    };
    const models = [{ abbr: 'app', generate, version: '1' }];
    const { rows } = await runConfig({ models, datasets: [capitals()] });
    expect(rows[2]?.outcome).toBe('failed');
    expect(rows[2]?.reason).toMatch(
      /^the function `app` threw at .*function-model\.test\.ts:\d+:\d+: out of llamas$/,
    );
    expect(rows.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['scored', 'scored']);
  });

  it('is asked again for what says that it may succeed later', async () => {
    let calls = 0;
    const generate = () => {
      calls++;
      if (calls === 1) throw Object.assign(new Error('busy'), { status: 503 });
      return 'Paris';
    };
    const datasets = [capitals({ rows: [{ country: 'France', capital: 'Paris' }] })];
    const { rows } = await runConfig({ models: [{ abbr: 'app', generate }], datasets });
    expect(rows[0]).toMatchObject({ outcome: 'scored', attempts: 2 });
  });

  it('heeds its time limit, and tells the function', async () => {
    const aborted: unknown[] = [];
    const generate = ({ signal }: FunctionRequest) =>
      new Promise<string>(() => {
        signal.addEventListener('abort', () => aborted.push(signal.reason));
      });
    const models = [{ abbr: 'app', generate, timeout: 0.05, retries: 1 }];
    const out = await makeFolder();
    const run = evaluate({ models, datasets: [capitals()] } as never, { out });
    await expect(run).rejects.toThrow(/`app` did not answer within 0.05 s/);
    expect(aborted.length).toBeGreaterThan(0);
  });

  it('is ended by the signal of the run', async () => {
    const end = new AbortController();
    let wasAborted = false;
    const generate = ({ signal }: FunctionRequest) =>
      new Promise<string>(() => {
        signal.addEventListener('abort', () => {
          wasAborted = true;
        });
        end.abort();
      });
    const config = { models: [{ abbr: 'app', generate }], datasets: [capitals()] };
    const out = await makeFolder();
    await evaluate(config as never, { out, signal: end.signal }).catch(() => undefined);
    expect(wasAborted).toBe(true);
  });

  it('is asked once per row, also where prompts are equal: its answer may depend on the row', async () => {
    const rows = [1, 2, 3].map((n) => ({ country: 'France', n, capital: `Paris ${n}` }));
    const models = [
      { abbr: 'app', version: '1', generate: ({ row }: FunctionRequest) => `Paris ${row.n}` },
    ];
    const { summary } = await runConfig({ models, datasets: [capitals({ rows })] });
    expect(metricsOf(summary).accuracy).toBe(1);
    expect(summary.results[0]?.requests).toMatchObject({ sent: 3, shared: 0 });
  });
});

it('a config may be what a function gives, in programs as in files', async () => {
  const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
  const made = defineConfig(async () => ({ models, datasets: [capitals()] as never }));
  const { summary } = await runConfig(made);
  expect(metricsOf(summary).accuracy).toBeCloseTo(1 / 3);
});

describe('the version of a function', () => {
  const config = (version: string | undefined, answer: string) => ({
    models: [{ abbr: 'app', ...(version && { version }), generate: () => answer }],
    datasets: [capitals()],
  });

  it('lets answers be reused, and another one asks anew', async () => {
    const out = await makeFolder();
    await runConfig(config('v1', 'Paris'), { out });
    const again = await runConfig(config('v1', 'Lima'), { out });
    expect(again.rows.map(({ answer }) => answer)).toEqual(['Paris', 'Paris', 'Paris']);
    expect(again.summary.results[0]?.requests).toMatchObject({ sent: 0, resumed: 3 });
    const other = await runConfig(config('v2', 'Lima'), { out });
    expect(other.rows.map(({ answer }) => answer)).toEqual(['Lima', 'Lima', 'Lima']);
  });

  it('is missed where there is none: every start asks again, and says so', async () => {
    const out = await makeFolder();
    await runConfig(config(undefined, 'Paris'), { out });
    const again = await runConfig(config(undefined, 'Lima'), { out });
    expect(again.rows.map(({ answer }) => answer)).toEqual(['Lima', 'Lima', 'Lima']);
    expect(describeAnswers(again.summary)[1]).toBe(
      '3 saved answers no longer apply: functions of `app` have no `version`, so each start asks again.',
    );
  });
});

describe('a function in a file', () => {
  const datasets = [capitals()];

  it('is found by its export, also in TypeScript', async () => {
    const folder = await makeFolder();
    const code = `
      import { answers } from './answers.ts';
      export async function answer({ row }: { row: Record<string, string> }): Promise<string> {
        return answers[row.country as keyof typeof answers];
      }
      export default () => 'Paris';`;
    await writeFile(join(folder, 'app.ts'), code);
    await writeFile(join(folder, 'answers.ts'), `export const answers = ${JSON.stringify(known)};`);
    const named = {
      abbr: 'app',
      type: 'function',
      file: './app.ts',
      export: 'answer',
      version: '1',
    };
    const config = await parseConfig({ models: [named], datasets } as never, { folder });
    const { rows } = await runConfig(config);
    expect(rows.map(({ answer }) => answer)).toEqual(['Paris', 'Kyoto', 'Lima']);
    const plain = await parseConfig(
      { models: [{ type: 'function', file: 'app.ts' }], datasets } as never,
      { folder },
    );
    expect(plain.models[0]?.abbr).toBe('app');
    expect((await runConfig(plain)).rows[1]?.answer).toBe('Paris');
  });

  it.each([
    [{ file: 'nowhere.ts' }, 'config.not_found', /file not found: nowhere\.ts/],
    [{ file: 'app.ts', export: 'answr' }, 'config.no_export', /does not export a function `answr`/],
    [{ file: 'broken.ts' }, 'config.evaluation', /broken\.ts failed to run: no luck/],
  ])('is refused if it is not there: %j', async (given, code, message) => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'app.ts'), 'export const answer = () => "x";');
    await writeFile(join(folder, 'broken.ts'), '\nthrow new Error("no luck");');
    const model = { abbr: 'app', type: 'function', ...given };
    const config = await parseConfig({ models: [model], datasets } as never, { folder });
    const opening = openEvaluations(config);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toMatchObject({ code });
    if (given.file === 'broken.ts') {
      await expect(opening).rejects.toMatchObject({ at: { line: 2 } });
    }
  });
});

describe('what a config says of given models', () => {
  it.each<[object, RegExp]>([
    [{ type: 'function' }, /has neither `generate` nor `file`/],
    [
      { type: 'OpenAI', generate: () => '' },
      /has a function as `generate`, so it cannot also have `type`/,
    ],
    [{ base_url: 'http://127.0.0.1:1', generate: () => '' }, /so it cannot also have `base_url`/],
    [
      { model: { doGenerate: () => undefined }, path: 'x' },
      /has a model object as `model`, so it cannot also have `path`/,
    ],
    [{ model: { is: 'none' } }, /must be the name of a model, or a model object/],
    [{ generate: 'answer' }, /must be a function, in a TypeScript or JavaScript config/],
    [
      { type: 'OpenAI', base_url: 'http://127.0.0.1:1', export: 'x' },
      /only a model of type function uses/,
    ],
  ])('refuses %j', async (model, message) => {
    const config = parseConfig({
      models: [{ abbr: 'm', ...model }],
      datasets: [capitals()],
    } as never);
    await expect(config).rejects.toThrow(message);
  });
});

describe('model objects', () => {
  it('takes a `Model` of the library, and leaves it open', async () => {
    await using server = await startChatServer(({ messages }) =>
      String(messages[0]?.content).includes('France') ? 'Paris' : 'Rome',
    );
    const model = openAiModel({ takes: 'messages', baseUrl: server.url, model: 'm', source: [] });
    const config = { models: [{ abbr: 'lib', model }], datasets: [capitals()] };
    for (const _ of [1, 2]) {
      const { rows, summary } = await runConfig(config);
      expect(rows.map(({ answer }) => answer)).toEqual(['Paris', 'Rome', 'Rome']);
      expect(summary.results[0]?.model).toBe('lib');
    }
    expect(JSON.parse(server.bodies[0] ?? '')).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: expect.stringMatching(/^Capital of/) }],
    });
    await model.close();
  });

  it('takes a model object of the AI SDK, known by its id and the settings', async () => {
    const calls: Record<string, unknown>[] = [];
    const sdk = {
      specificationVersion: 'v2',
      provider: 'my.chat',
      modelId: 'small',
      async doGenerate(options: Record<string, unknown>) {
        calls.push(options);
        return {
          content: [
            { type: 'text', text: 'Paris' },
            { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"n":1}' },
          ],
          finishReason: 'tool-calls',
          usage: { inputTokens: 4, outputTokens: 1 },
        };
      },
    };
    const out = await makeFolder();
    const infer_cfg = {
      prompt_template: { template: 'Capital of {country}?' },
      tools: [{ name: 'look', parameters: { type: 'object' } }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'object' } },
      },
    };
    const config = (temperature: number) => ({
      models: [{ model: sdk, generation_kwargs: { temperature } }],
      datasets: [capitals({ infer_cfg })],
    });
    const { rows, summary } = await runConfig(config(0), { out });
    expect(summary.results[0]?.model).toBe('small');
    expect(rows[0]).toMatchObject({
      answer: 'Paris',
      tokens: [4, 1],
      toolCalls: [{ id: 'c', name: 'look', arguments: { n: 1 } }],
    });
    expect(calls[0]).toMatchObject({
      temperature: 0,
      tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }],
      responseFormat: { type: 'json', name: 'city', schema: { type: 'object' } },
    });
    const again = await runConfig(config(0), { out });
    expect(again.summary.results[0]?.requests.sent).toBe(0);
    const other = await runConfig(config(1), { out });
    expect(other.summary.results[0]?.requests.sent).toBe(3);
  });
});

describe('a prompt function', () => {
  const template = async ({
    row,
    examples,
  }: {
    row: Record<string, unknown>;
    examples: unknown[];
  }) => [
    { role: 'system', content: `Be {brief}. ${examples.length}` },
    { role: 'user', content: `Capital of ${row.country}? ${'capital' in row}` },
  ];

  it('makes what is sent, byte for byte as the plan and the trace have it', async () => {
    await using server = await startChatServer(() => 'Paris');
    const infer_cfg = {
      prompt_template: { template },
      retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
    };
    const splits = {
      train: [
        { country: 'X', capital: 'Y' },
        { country: 'Z', capital: 'W' },
      ],
    };
    const test = [{ country: 'France', capital: 'Paris' }];
    const config = {
      models: [{ abbr: 'chat', type: 'OpenAI', base_url: server.url, model: 'm' }],
      datasets: [capitals({ infer_cfg, rows: { ...splits, test } })],
    };
    const evaluations = await openEvaluations(config as never, { purpose: 'view' });
    const [evaluation] = evaluations;
    if (!evaluation) throw new Error('no evaluation');
    for await (const [row] of evaluation.rows.batches()) {
      if (!row) continue;
      const traced = await evaluation.trace(row);
      expect(untracePlan(traced)).toEqual(await evaluation.plan(row));
      const prompt = traced.requests[0]?.texts[0]?.prompt;
      const spans = prompt?.type === 'messages' ? prompt.messages.flatMap((one) => one.spans) : [];
      expect(spans.map(({ origin }) => origin.type)).toEqual(['function', 'function']);
      await runConfig(config);
      expect(server.bodies).toEqual([traced.requests[0]?.encoded]);
    }
    await evaluations.close();
    expect(JSON.parse(server.bodies[0] ?? '').messages).toEqual([
      { role: 'system', content: 'Be {brief}. 2' },
      { role: 'user', content: 'Capital of France? false' },
    ]);
  });

  it('is part of what is asked: answers to the same prompts are reused, others are not', async () => {
    await using server = await startChatServer(() => 'Paris');
    const out = await makeFolder();
    const config = (start: string) => ({
      models: [{ abbr: 'chat', type: 'OpenAI', base_url: server.url, model: 'm' }],
      datasets: [
        capitals({
          infer_cfg: {
            prompt_template: {
              template: ({ row }: { row: { country: string } }) => `${start} ${row.country}`,
            },
          },
        }),
      ],
    });
    await runConfig(config('Capital of'), { out });
    expect((await runConfig(config('Capital of'), { out })).summary.results[0]?.requests.sent).toBe(
      0,
    );
    expect(
      (await runConfig(config('Chief city of'), { out })).summary.results[0]?.requests.sent,
    ).toBe(3);
    expect(JSON.parse(server.bodies[0] ?? '').messages[0]).toMatchObject({ role: 'user' });
  });

  it.each([
    [
      () => {
        throw new Error('no idea');
      },
      /the prompt function of .* failed at .*function-model\.test\.ts:\d+:\d+: no idea/,
    ],
    [() => 3, /gave a number/],
    [() => [], /gave an empty list/],
    [() => [{ role: 'user' }], /content/],
  ])('fails the row where it makes no prompt: %s', async (make, message) => {
    const broken = ({ row }: { row: { country: string } }) =>
      row.country === 'Peru' ? make() : 'x';
    const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
    const datasets = [capitals({ infer_cfg: { prompt_template: { template: broken } } })];
    const { rows } = await runConfig({ models, datasets });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['scored', 'scored', 'failed']);
    expect(rows[2]?.reason).toMatch(message);
  });

  it('says which roles there are where it makes a message of another one', async () => {
    const template = () => [{ role: 'usr', content: 'x' }];
    const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
    const datasets = [capitals({ infer_cfg: { prompt_template: { template } } })];
    await expect(runConfig({ models, datasets })).rejects.toMatchObject({
      code: 'template.function_failed',
      hint: expect.stringContaining('Did you mean `user`? Roles: system'),
    });
  });

  it.each<[object, RegExp]>([
    [
      { ice_template: { template: () => 'x' }, prompt_template: { template: 'y' } },
      /functions build whole prompts/,
    ],
    [
      { prompt_template: { template: () => 'x' }, inferencer: { type: 'PPLInferencer' } },
      /is a function, which PPLInferencer does not accept/,
    ],
    [
      { prompt_template: { template: () => 'x' }, shots_as: 'turns' },
      /is a function, which|changes how examples/,
    ],
  ])('is refused where it has no meaning: %j', async (infer_cfg, message) => {
    const models = [
      { abbr: 'c', type: 'OpenAICompletions', base_url: 'http://127.0.0.1:1', model: 'm' },
    ];
    const config = { models, datasets: [capitals({ infer_cfg })] };
    await expect(openEvaluations(config as never, { purpose: 'view' })).rejects.toThrow(message);
  });
});

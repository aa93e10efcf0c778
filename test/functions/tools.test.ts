import { describe, expect, it } from 'vitest';
import { rescore } from '../../src/api/rescore.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import { type ChatBody, type ChatReply, startChatServer } from './chat-server.ts';
import { capitals, makeFolder, metricsOf, runConfig } from './run-config.ts';

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const wireTool = { type: 'function', function: weather };

function call(name: string, given: object, id = 'c1'): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
}

const rows = [{ country: 'France', capital: 'Paris' }];

function datasetWith(infer: object, eval_cfg: object = {}): object {
  const prompt_template = { template: 'Weather in {country}?' };
  return capitals({ rows, infer_cfg: { prompt_template, ...infer }, eval_cfg });
}

describe('tool calls', () => {
  it.each([false, true])('are sent for, logged, shown and scored; streamed: %s', async (stream) => {
    const calls = [call('weather', { city: 'Paris' }), call('weather', { city: 'Rome' }, 'c2')];
    await using server = await startChatServer(() => ({ tool_calls: calls }));
    const response_format = { type: 'json_object' };
    const evaluator = [
      { type: 'tool-called', tool: 'weather', arguments: { city: 'Rome' } },
      {
        type: 'function',
        name: 'mine',
        score: (
          answer: string,
          {
            toolCalls,
            finish,
            tokens,
          }: { toolCalls: { name: string }[]; finish: string; tokens: { input: number } },
        ) =>
          answer === '' && toolCalls.length === 2 && finish === 'tool_calls' && tokens.input === 10,
      },
    ];
    const config = {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm', stream }],
      datasets: [datasetWith({ tools: [weather], response_format }, { evaluator })],
    };
    const { rows: records, summary } = await runConfig(config);
    const body = JSON.parse(server.bodies[0] ?? '') as ChatBody;
    expect(body).toMatchObject({ tools: [wireTool], response_format });
    expect(records[0]).toMatchObject({
      answer: '',
      finish: 'tool_calls',
      toolCalls: [
        { id: 'c1', name: 'weather', arguments: { city: 'Paris' } },
        { id: 'c2', name: 'weather', arguments: { city: 'Rome' } },
      ],
    });
    expect(metricsOf(summary)).toMatchObject({ checks: 1, pass_rate: 1, mine: 1 });
  });

  it('may be written as the wire has them', async () => {
    await using server = await startChatServer(() => 'x');
    const models = [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }];
    await runConfig({
      models,
      datasets: [datasetWith({ tools: [wireTool] }, { evaluator: { type: 'exact' } })],
    });
    expect(JSON.parse(server.bodies[0] ?? '').tools).toEqual([wireTool]);
  });

  it('are refused of models that take text, and without a name', async () => {
    const text = {
      abbr: 'm',
      type: 'OpenAICompletions',
      base_url: 'http://127.0.0.1:1',
      model: 'm',
    };
    const config = {
      models: [text],
      datasets: [datasetWith({ tools: [weather] }, { evaluator: { type: 'exact' } })],
    };
    await expect(openEvaluations(config as never)).rejects.toThrow(
      /takes text, which cannot carry tool calls/,
    );
    const nameless = {
      ...config,
      datasets: [datasetWith({ tools: [{ description: 'x' }] }, { evaluator: { type: 'exact' } })],
    };
    await expect(openEvaluations(nameless as never)).rejects.toThrow(/has no `name`/);
  });
});

/** Asks for the weather, then for more until the tool says so, then answers. */
function talk({ messages }: ChatBody): ChatReply {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  if (results.length === 0)
    return { content: 'Let me see.', tool_calls: [call('weather', { city: 'Paris' })] };
  if (results.at(-1)?.includes('again'))
    return { tool_calls: [call('weather', { city: 'again' }, `c${results.length + 1}`)] };
  return { content: `It is ${results.at(-1)}` };
}

describe('tools with functions', () => {
  const evaluator = [
    { type: 'contains', value: 'sunny' },
    { type: 'tool-called', tool: 'weather', arguments: { city: 'Paris' } },
  ];
  const configOf = (url: string, run: unknown, more: object = {}) => ({
    models: [{ abbr: 'm', type: 'OpenAI', base_url: url, model: 'm' }],
    datasets: [datasetWith({ tools: [{ ...weather, version: '1', run }], ...more }, { evaluator })],
  });

  it('are called between requests, until the model answers', async () => {
    await using server = await startChatServer(talk);
    const seen: unknown[] = [];
    const run = async (
      given: { city: string },
      { row, signal }: { row: object; signal: AbortSignal },
    ) => {
      seen.push(given, row, signal.aborted);
      return { sky: 'sunny' };
    };
    const config = configOf(server.url, run);
    const evaluations = await openEvaluations(config as never, { purpose: 'view' });
    const encoded: (string | undefined)[] = [];
    for await (const [row] of evaluations[0]?.rows.batches() ?? []) {
      if (row) encoded.push((await evaluations[0]?.plan(row))?.requests[0]?.encoded);
    }
    await evaluations.close();
    const out = await makeFolder();
    const { rows: records, summary } = await runConfig(config, { out });
    expect(seen).toEqual([{ city: 'Paris' }, rows[0], false]);
    expect(server.bodies[0]).toBe(encoded[0]);
    expect(JSON.parse(server.bodies[1] ?? '').messages).toEqual([
      { role: 'user', content: 'Weather in France?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [call('weather', { city: 'Paris' })],
      },
      { role: 'tool', content: '{"sky":"sunny"}', tool_call_id: 'c1' },
    ]);
    expect(records[0]).toMatchObject({
      answer: 'It is {"sky":"sunny"}',
      toolCalls: [{ name: 'weather', arguments: { city: 'Paris' } }],
      tokens: [20, 10],
      steps: [
        { text: 'Let me see.', results: [{ name: 'weather', content: '{"sky":"sunny"}' }] },
        { text: 'It is {"sky":"sunny"}', finishReason: 'stop' },
      ],
    });
    expect(summary.results[0]?.requests).toMatchObject({ sent: 2, asked: 1 });
    expect(metricsOf(summary).pass_rate).toBe(1);
    const again = await runConfig(config, { out });
    expect(again.summary.results[0]?.requests).toMatchObject({ sent: 0, resumed: 1 });
    expect(server.bodies).toHaveLength(2);
    const rescored = await rescore(out);
    expect(metricsOf(rescored.summary)).toEqual(metricsOf(summary));
  });

  it('end at the limit of turns, with what was called', async () => {
    await using server = await startChatServer(talk);
    const { rows: records, summary } = await runConfig(
      configOf(server.url, () => 'again', { max_turns: 3 }),
    );
    expect(server.bodies).toHaveLength(3);
    expect(summary.results[0]?.requests.sent).toBe(3);
    expect(records[0]).toMatchObject({ answer: '', finish: 'tool_calls' });
    expect(records[0]?.toolCalls).toHaveLength(3);
  });

  it('tell the model what went wrong', async () => {
    await using server = await startChatServer(talk);
    const run = () => {
      throw new Error('no satellite');
    };
    const { rows: records } = await runConfig(configOf(server.url, run));
    expect(records[0]?.answer).toBe('It is Error: no satellite');
    expect(records[0]?.steps?.[0]?.results).toEqual([
      { name: 'weather', content: 'Error: no satellite', failed: true },
    ]);
  });

  it('keep the pace of the model', async () => {
    await using server = await startChatServer(talk);
    const config = configOf(server.url, () => 'sunny');
    const models = [{ ...config.models[0], max_rps: 5 }];
    const started = performance.now();
    await runConfig({ ...config, models });
    expect(server.bodies).toHaveLength(2);
    expect(performance.now() - started).toBeGreaterThan(150);
  });

  it('are asked anew where a function has no version', async () => {
    await using server = await startChatServer(talk);
    const config = configOf(server.url, () => 'sunny');
    const dataset = config.datasets[0] as { infer_cfg: { tools: object[] } };
    const { version: _, ...tool } = dataset.infer_cfg.tools[0] as { version: string };
    const unversioned = {
      ...config,
      datasets: [{ ...dataset, infer_cfg: { ...dataset.infer_cfg, tools: [tool] } }],
    };
    const out = await makeFolder();
    await runConfig(unversioned, { out });
    const again = await runConfig(unversioned, { out });
    expect(again.summary.results[0]?.requests).toMatchObject({
      sent: 2,
      outdated: 1,
      unversioned: true,
    });
  });
});

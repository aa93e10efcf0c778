import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from 'vitest';
import { startChatServer } from './chat-server.ts';
import { capitals, makeFolder, metricsOf, type Ran, runConfig } from './run-config.ts';

const answersOf = ({ rows }: Ran, model: string) =>
  rows.filter((row) => row.model === model).map(({ answer }) => answer);

/** Functions of one text, which differ by what they close over. */
const always = (text: string) => async () => text;

describe('functions of one version', () => {
  it('keep their own answers in a cache', async () => {
    const cache = await makeFolder();
    const models = ['a', 'b'].map((abbr) => ({ abbr, version: '1', generate: always(abbr) }));
    for (const _ of [1, 2]) {
      const run = await runConfig({ models, datasets: [capitals()] }, { cache });
      expect(answersOf(run, 'a')).toEqual(['a', 'a', 'a']);
      expect(answersOf(run, 'b')).toEqual(['b', 'b', 'b']);
    }
    const other = { abbr: 'a', version: '1', generate: async () => 'of another config' };
    const apart = await runConfig({ models: [other], datasets: [capitals()] }, { cache });
    expect(apart.rows[0]?.answer).toBe('of another config');
  });

  it('keep their own verdicts, which are counted for each', async () => {
    const cache = await makeFolder();
    const judge = (abbr: string, verdict: string) => ({
      abbr,
      judge: true,
      version: '1',
      generate: always(JSON.stringify({ reason: abbr, verdict })),
    });
    const judged = (abbr: string, model: string) =>
      capitals({
        abbr,
        eval_cfg: { evaluator: { type: 'judge', model, question_column: 'country' } },
      });
    const config = {
      models: [
        { abbr: 'app', version: '1', generate: always('x') },
        judge('right', 'A'),
        judge('wrong', 'B'),
      ],
      datasets: [
        judged('one', 'right'),
        judged('two', 'wrong'),
        capitals({
          abbr: 'both',
          eval_cfg: {
            evaluator: [
              { type: 'judge', model: 'right', metric: 'by_right', question_column: 'country' },
              { type: 'judge', model: 'wrong', metric: 'by_wrong', question_column: 'country' },
            ],
          },
        }),
      ],
    };
    for (const counts of [
      { requests: 3, cached: 0 },
      { requests: 0, cached: 3 },
    ]) {
      const { summary } = await runConfig(config, { cache });
      expect(summary.results.map(({ score }) => score?.value).slice(0, 2)).toEqual([1, 0]);
      expect(metricsOf(summary, 2)).toMatchObject({ by_right: 1, by_wrong: 0 });
      expect(summary.results[0]?.judge).toMatchObject(counts);
      expect(summary.results[1]?.judge).toMatchObject(counts);
    }
  });

  it('are asked again when their own text changes, and not for what they call', async () => {
    const out = await makeFolder();
    const sentBy = async (generate: () => string) => {
      const models = [{ abbr: 'app', version: '1', generate }];
      const { summary } = await runConfig({ models, datasets: [capitals()] }, { out });
      return summary.results[0]?.requests.sent;
    };
    let text = 'Paris';
    const calling = () => text;
    expect(await sentBy(calling)).toBe(3);
    text = 'Lima';
    expect(await sentBy(calling)).toBe(0);
    expect(await sentBy(() => 'Lima')).toBe(3);
  });

  it('are known by the text of their file', async () => {
    const folder = await makeFolder();
    const out = join(folder, 'run');
    const file = join(folder, 'app.js');
    const models = [{ abbr: 'app', type: 'function', version: '1', file }];
    const judges = [{ abbr: 'j', type: 'function', judge: true, version: '1', file }];
    const evaluator = { type: 'judge', model: 'j', question_column: 'country' };
    const config = {
      models: [...models, ...judges],
      datasets: [capitals({ eval_cfg: { evaluator } })],
    };
    const run = async (verdict: string) => {
      await writeFile(file, `export default () => '{"reason":"r","verdict":"${verdict}"}';\n`);
      const { summary } = await runConfig(config, { out });
      return [summary.results[0]?.requests.sent, summary.results[0]?.score?.value];
    };
    expect(await run('A')).toEqual([3, 1]);
    expect(await run('A')).toEqual([0, 1]);
    expect(await run('B')).toEqual([3, 0]);
  });

  it('are asked again when a tool of theirs changes', async () => {
    const calls = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
    await using server = await startChatServer(({ messages }) => {
      const result = messages.find(({ role }) => role === 'tool');
      return result ? result.content : { tool_calls: [calls] };
    });
    const out = await makeFolder();
    const answerWith = async (run: () => string) => {
      const { rows } = await runConfig(
        {
          models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
          datasets: [
            capitals({
              infer_cfg: {
                prompt_template: { template: '{country}' },
                tools: [{ name: 'look', version: '1', run }],
              },
            }),
          ],
        },
        { out },
      );
      return rows[0]?.answer;
    };
    expect(await answerWith(() => 'Paris')).toBe('Paris');
    expect(await answerWith(() => 'Rome')).toBe('Rome');
  });
});

describe('model objects of one id', () => {
  it('keep their own answers, by their name and by their address', async () => {
    await using left = await startChatServer(() => 'left');
    await using right = await startChatServer(() => 'right');
    const cache = await makeFolder();
    const model = ({ url }: { readonly url: string }) =>
      createOpenAICompatible({ name: 'here', baseURL: url }).chatModel('m');
    const answer = async (models: readonly object[]) =>
      (await runConfig({ models, datasets: [capitals()] }, { cache })).rows.map((row) => [
        row.model,
        row.answer,
      ])[0];
    expect(await answer([{ abbr: 'm', model: model(left) }])).toEqual(['m', 'left']);
    expect(await answer([{ abbr: 'm', model: model(right) }])).toEqual(['m', 'right']);
    expect(await answer([{ abbr: 'm', model: model(left) }])).toEqual(['m', 'left']);
    expect([left.bodies.length, right.bodies.length]).toEqual([3, 3]);
    const wrapped = {
      ...{ specificationVersion: 'v2', provider: 'here.chat', modelId: 'm' },
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'wrapped' }],
        finishReason: 'stop',
        usage: {},
      }),
    };
    expect(await answer([{ abbr: 'wrapped', model: wrapped }])).toEqual(['wrapped', 'wrapped']);
  });
});

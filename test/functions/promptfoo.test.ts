import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sweep } from '../../src/api/sweep.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { openRun } from '../../src/run/store/open-run.ts';
import { type ChatBody, startChatServer } from './chat-server.ts';
import { makeFolder, metricsOf, runConfig } from './run-config.ts';

const example = (name: string) => resolve('examples/promptfoo', name);

function answerTo({ model, messages }: ChatBody): string {
  const asked = messages.map(({ content }) => content).join('\n');
  if (model === 'judge') {
    const passes = !/<answer[^>]*>\s*As an AI/.test(asked);
    return JSON.stringify({ reason: 'by its words', verdict: passes ? 'pass' : 'fail' });
  }
  if (model === 'sloppy') return 'As an AI language model I say: it depends';
  if (/Extract/.test(asked))
    return /Ann/.test(asked) ? '{"name": "Ann", "age": 31}' : '{"name": "Bob"}';
  if (/French/.test(asked)) return 'Bonjour le monde';
  if (/library/.test(asked)) return model === 'small' ? '¿Qué?' : '¿Dónde está la biblioteca?';
  if (/Spanish/.test(asked)) return 'Hola mundo';
  if (/German/.test(asked)) return 'Hallo Welt';
  if (/JSON/.test(asked)) return '{"a": "person"}';
  return /who are you/.test(asked) ? 'As an AI I cannot say.' : 'It is 3, with pleasure.';
}

/** An example with its models, and its embedder, at a server of the test. */
async function onServer(name: string): Promise<{ readonly config: Config; readonly url: string }> {
  const server = await startChatServer(answerTo);
  onTestFinished(() => server[Symbol.asyncDispose]());
  process.env.BASE_URL = server.url;
  const config = await loadConfig(example(name));
  const moved = JSON.stringify(config.datasets).replaceAll('http://127.0.0.1:8000/v1', server.url);
  return {
    url: server.url,
    config: {
      ...config,
      workDir: await makeFolder(),
      models: config.models.map((model) => ({ ...model, baseUrl: server.url })),
      // Functions have no form in JSON; examples with some have no address in their datasets.
      datasets: name.endsWith('.yaml') ? JSON.parse(moved) : config.datasets,
    },
  };
}

describe('tests of other tools, in our words', () => {
  it('getting started: prompts × models × tests, with every assertion named', async () => {
    const { config } = await onServer('getting-started.yaml');
    const { summary, rows } = await runConfig(config);
    expect(summary.results.map(({ model, dataset }) => `${model} on ${dataset}`)).toEqual([
      ...['small on convert', 'small on translate', 'large on convert', 'large on translate'],
    ]);
    const named = {
      pass_rate: 1,
      latency: 1,
      contains: 1,
      icontains: 1,
      'no AI talk': 1,
      similar: expect.closeTo(1),
    };
    expect(metricsOf(summary, 2)).toMatchObject(named);
    expect(metricsOf(summary, 0)).toMatchObject({ icontains: 0, pass_rate: expect.closeTo(2 / 3) });
    expect(rows.find(({ id, score = 0 }) => id === 1 && score < 1)?.detail).toMatch(
      /^icontains: got "¿qué\?", wanted "dónde está la biblioteca"$/,
    );
  });

  it('translations by two prompts and two models', async () => {
    const { config } = await onServer('translate.config.ts');
    const { summary } = await runConfig(config);
    expect(metricsOf(summary, 0)).toEqual({
      checks: 1,
      pass_rate: 1,
      short: 1,
      contains: 1,
      'not-contains': 1,
      equals: 1,
      regex: 1,
      length: 1,
      'is-json': 1,
    });
    expect(metricsOf(summary, 1)).toMatchObject({
      contains: 0,
      'not-contains': 0,
      'is-json': 0,
      regex: 1,
    });
    const out = await makeFolder();
    await sweep(config, { out });
    const swept = await openRun(out);
    const names = new Set<string>();
    for await (const { checks = [] } of swept.rows())
      for (const { name } of checks) names.add(name);
    expect([...names]).toEqual(
      expect.arrayContaining(['contains', 'not-contains', 'is-json', 'short']),
    );
  });

  it('a rubric for each test, beside other checks', async () => {
    const { config } = await onServer('rubric.yaml');
    const { summary, rows } = await runConfig(config);
    expect(metricsOf(summary)).toMatchObject({
      rubric: 0.5,
      'not-refusal': 0.5,
      length: 1,
      pass_rate: 0.5,
    });
    expect(rows[1]?.checks).toEqual([
      { name: 'rubric', score: 0, passed: false, reason: 'by its words' },
      {
        name: 'not-refusal',
        score: 0,
        passed: false,
        reason: 'refusal passes, but should not: got "As an AI I cannot say."',
      },
      { name: 'length', score: 1, passed: true },
    ]);
  });

  it('JSON out of text, with its form, its time and its cost', async () => {
    const { config } = await onServer('extraction.yaml');
    const { summary, rows } = await runConfig(config);
    expect(metricsOf(summary)).toEqual({
      checks: expect.closeTo((1 + 5 / 6) / 2),
      pass_rate: 0.5,
      'the name': 1,
      'is-json': 1,
      'json-schema': 0.5,
      matches: 1,
      latency: 1,
      cost: 1,
      'contains-json': 1,
    });
    expect(rows[1]?.detail).toBe("json-schema: the value must have required property 'age'");
  });
});

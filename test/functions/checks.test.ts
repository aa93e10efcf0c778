import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../src/api/compare-runs.ts';
import type { EvaluateOptions } from '../../src/api/evaluate.ts';
import { planRun } from '../../src/api/plan-run.ts';
import { rescore } from '../../src/api/rescore.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { DataError } from '../../src/errors.ts';
import { describeEvents } from '../../src/report/describe-events.ts';
import { terminalTable } from '../../src/report/terminal-table.ts';
import { evaluatorTypes } from '../../src/score/evaluators/evaluator-types.ts';
import { openScorer, prepareScorer } from '../../src/score/open-scorer.ts';
import type { AnswerFacts, RowScore } from '../../src/score/scorer.ts';
import { splitAnswer } from '../../src/score/split-thought.ts';
import { startChatServer } from './chat-server.ts';
import { capitals, makeFolder, metricsOf, runConfig } from './run-config.ts';

const facts: AnswerFacts = {
  messages: [{ role: 'user', content: 'Weather?' }],
  toolCalls: [{ name: 'weather', arguments: { city: 'Paris', unit: 'C', days: [1, 2] } }],
  finish: 'stop',
  tokens: { input: 10, output: 5 },
  latencyMs: 120,
  cost: 0.002,
};
const { signal } = new AbortController();

async function check(
  checks: readonly object[],
  answer: string,
  more: object = {},
): Promise<RowScore> {
  const evalCfg = { evaluator: { type: 'checks', checks } };
  await prepareScorer(evalCfg);
  const scorer = await openScorer(evalCfg);
  const input = { answer: splitAnswer(answer), gold: 'Paris', row: {}, facts, ...more };
  const score = await scorer.scoreLater?.(input, signal);
  if (!score) throw new Error('no score');
  return score;
}

it('asks another judge where only rows name one', async () => {
  const out = await makeFolder();
  const verdictOf = async (version: string, verdict: string) => {
    const judge = { abbr: 'judge', judge: true, version, generate: () => verdict };
    const checks = [{ type: 'llm-rubric', value: 'is a city' }];
    const config = {
      models: [{ abbr: 'app', version: '1', generate: () => 'Paris' }, judge],
      datasets: [capitals({ rows: [{ country: 'France', checks }], eval_cfg: { evaluator: [] } })],
    };
    const { reader_cfg: _, ...dataset } = config.datasets[0] as { reader_cfg?: object };
    const reader_cfg = { input_columns: ['country'], output_column: null };
    const { summary } = await runConfig(
      { ...config, datasets: [{ ...dataset, reader_cfg }] },
      { out },
    );
    const { checks: score } = metricsOf(summary);
    return [score, summary.results[0]?.judge?.requests];
  };
  expect(await verdictOf('1', '{"verdict": "pass", "reason": "it is"}')).toEqual([1, 1]);
  expect(await verdictOf('2', '{"verdict": "fail", "reason": "it is not"}')).toEqual([0, 1]);
});

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
};

// The answer, the check, the score and what the reason says.
const table: [string, object, number, RegExp?][] = [
  ['It is Paris.', { type: 'contains' }, 1],
  ['It is Rome.', { type: 'contains' }, 0, /wanted "Paris"/],
  ['It is Rome.', { type: 'contains', value: 'Rome' }, 1],
  ['It is Rome.', { type: 'contains', value: ['Oslo', 'Rome'] }, 1],
  ['It is Rome.', { type: 'contains-any', value: ['Oslo', 'Rome'] }, 1],
  ['It is rome.', { type: 'icontains', value: 'ROME' }, 1],
  ['It is Rome.', { type: 'contains-all', value: ['It', 'Rome'] }, 1],
  ['It is Rome.', { type: 'contains-all', value: ['It', 'Oslo'] }, 0, /does not contain "Oslo"/],
  ['it is rome.', { type: 'icontains-all', value: ['IT', 'ROME'] }, 1],
  ['It is Rome.', { type: 'not-contains', value: 'Oslo' }, 1],
  [
    'It is Rome.',
    { type: 'not-contains', value: 'Rome' },
    0,
    /^contains passes, but should not: got "It is Rome.", did not want "Rome"$/,
  ],
  [
    `${'x'.repeat(200)} Rome ${'y'.repeat(200)}`,
    { type: 'not-contains', value: ['Oslo', 'Rome'] },
    0,
    /got "…x{19} Rome y{55}…", did not want "Oslo \| Rome"/,
  ],
  ['{"a": 1}', { type: 'not-is-json' }, 0, /^is-json passes, but should not: got "/],
  ['x', { type: 'not-latency', max: 200 }, 0, /^latency passes, but should not$/],
  ['', { type: 'not-contains', value: 'Rome' }, 1],
  ['', { type: 'contains', value: 'Rome' }, 0, /empty answer/],
  ['', { type: 'equals' }, 0, /empty answer/],
  ['', { type: 'equals', value: '' }, 1],
  [' \n', { type: 'equals', value: '' }, 1],
  ['abc', { type: 'equals', value: '' }, 0, /it is "abc", not ""/],
  ['', { type: 'not-equals', value: '' }, 0, /^equals passes, but should not: got ""$/],
  ['abc', { type: 'not-equals', value: '' }, 1],
  ['', { type: 'contains-all', value: '' }, 1],
  ['', { type: 'exact', value: '' }, 1],
  ['abc', { type: 'not-exact', value: '' }, 1],
  ['', { type: 'length', max: 5 }, 1],
  ['', { type: 'length', min: 1 }, 0, /it has 0 characters, fewer than 1/],
  ['', { type: 'matches', pattern: '^$' }, 1],
  ['', { type: 'not-matches', pattern: '^$' }, 0],
  ['', { type: 'is-json' }, 0, /it is not JSON/],
  ['', { type: 'not-starts-with', value: 'Sure' }, 1],
  [' Paris ', { type: 'equals' }, 1],
  ['Paris!', { type: 'equals', value: 'Paris' }, 0, /it is "Paris!", not "Paris"/],
  ['paris', { type: 'equals', value: 'Paris', ignore_case: true }, 0],
  ['{"b": [1], "a": 2}', { type: 'equals', value: { a: 2, b: [1] } }, 1],
  ['{"b": [1]}', { type: 'equals', value: { a: 2, b: [1] } }, 0],
  ['Sure: x', { type: 'starts-with', value: 'Sure' }, 1],
  ['Well: x', { type: 'starts-with', value: 'Sure' }, 0, /begins with "Well: x"/],
  ['call 555-1234', { type: 'matches', pattern: '\\d{3}-\\d{4}' }, 1],
  ['call me', { type: 'matches', pattern: '\\d{3}-\\d{4}' }, 0, /does not match/],
  ['call me', { type: 'regex', value: '^call' }, 1],
  ['It is Paris', { type: 'regex', pattern: 'is (\\w+)' }, 1],
  ['none', { type: 'regex', pattern: 'is (\\w+)' }, 0, /no answer found/],
  ['{"a": 1}', { type: 'is-json' }, 1],
  ['Here: {"a": 1}', { type: 'is-json' }, 0, /it is not JSON/],
  ['Here: {"a": 1}', { type: 'is-json', anywhere: true }, 1],
  ['Here: {"a": 1}', { type: 'contains-json' }, 1],
  ['{"name": "Ann", "age": 3}', { type: 'json-schema', schema: person }, 1],
  ['{"age": -3, "x": 1}', { type: 'json-schema', schema: person }, 0, /required property 'name'/],
  ['{"name": "Ann"}', { type: 'is-json', value: person }, 1],
  ['I say {"name": 3}', { type: 'contains-json', value: person }, 0, /name must be string/],
  ['about 3.2 kg', { type: 'number', value: 3, tolerance: 0.5 }, 1],
  ['about 3.2 kg', { type: 'number', value: 3 }, 0, /got "3.2", wanted "3"/],
  ['no idea', { type: 'number', value: 3 }, 0, /no answer found/],
  ['one two three', { type: 'length', max: 3, unit: 'words' }, 1],
  ['one two three', { type: 'length', min: 4, unit: 'words' }, 0, /3 words, fewer than 4/],
  ['👋👋', { type: 'length', max: 2 }, 1],
  ['x', { type: 'latency', max: 200 }, 1],
  ['x', { type: 'latency', threshold: 100 }, 0, /took 120 ms, more than 100 ms/],
  ['x', { type: 'cost', max: 0.002 }, 1],
  ['x', { type: 'cost', threshold: 0.001 }, 0, /cost 0.002, more than 0.001/],
  ['x', { type: 'tool-called' }, 1],
  ['x', { type: 'tool-called', tool: 'weather', arguments: { city: 'Paris' } }, 1],
  ['x', { type: 'tool-called', tool: 'weather', arguments: { days: [1] } }, 0, /not with/],
  ['x', { type: 'tool-called', tool: 'news' }, 0, /`news` was not called; called: weather/],
  ['x', { type: 'tool-called', tool: 'weather', arguments: { city: 'Paris' }, exactly: true }, 0],
  ['x', { type: 'not-tool-called', tool: 'news' }, 1],
  ["I'm sorry, but I can't help with that.", { type: 'refusal' }, 1],
  ['As an AI language model, I cannot do that.', { type: 'is-refusal' }, 1],
  ['申し訳ありませんが、お答えできません。', { type: 'refusal' }, 1],
  ['抱歉,我无法回答这个问题。', { type: 'refusal' }, 1],
  ['Sorry is a hard word to say; so was Paris.', { type: 'refusal' }, 0, /does not refuse/],
  ['The capital is Paris.', { type: 'not-refusal' }, 1],
  ['half', { type: 'function', score: () => 0.5 }, 0.5],
  ['Paris is nice', { type: 'edit_distance', threshold: 0.3 }, 5 / 13],
];

describe('one check', () => {
  it.each<[string, object, number, RegExp?]>(table)(
    '%j by %j scores %d',
    async (answer, one, value, reason) => {
      const score = await check([{ name: 'it', ...one }], answer);
      if (score.type !== 'scored') throw new Error(score.reason);
      const [made] = score.checks ?? [];
      if (JSON.stringify(one).includes('ignore_case'))
        expect(made?.score).toBeGreaterThanOrEqual(0);
      else expect(made?.score).toBeCloseTo(value);
      if (reason) expect(made?.reason).toMatch(reason);
    },
  );

  it('has a row in the table for every kind that needs no other model', () => {
    const tested = table.map(([, one]) => String((one as { type: string }).type));
    const isTested = (type: string) => tested.some((name) => name.replace(/^not-/, '') === type);
    const kinds = ['equals', 'contains-all', 'starts-with', 'matches', 'is-json', 'json-schema'];
    const facts = ['length', 'latency', 'cost', 'tool-called', 'refusal', 'function', 'contains'];
    expect([...kinds, ...facts].filter((type) => !isTested(type))).toEqual([]);
    expect([...kinds, ...facts].every((type) => type in evaluatorTypes)).toBe(true);
  });
});

describe('several checks', () => {
  it('are weighted; a row passes if all thresholds hold', async () => {
    const half = { type: 'function', name: 'half', score: () => 0.5 };
    const checks = [
      { type: 'contains', weight: 3 },
      { ...half, threshold: 0.5 },
    ];
    expect(await check(checks, 'Paris')).toMatchObject({
      value: 3.5 / 4,
      isRight: true,
      metrics: { pass_rate: 1, contains: 1, half: 0.5 },
    });
    const failing = await check([checks[0] ?? {}, half], 'Rome');
    expect(failing).toMatchObject({
      value: 0.5 / 4,
      isRight: false,
      metrics: { pass_rate: 0, contains: 0, half: 0.5 },
      detail: 'contains: got "Rome", wanted "Paris"; half: got "Rome", wanted "Paris"',
    });
  });

  it('only measure with a weight of 0', async () => {
    const checks = [{ type: 'contains' }, { type: 'is-json', weight: 0 }];
    expect(await check(checks, 'Paris')).toMatchObject({
      value: 1,
      isRight: true,
      checks: [{ passed: true }, { name: 'is-json', score: 0, passed: true }],
    });
  });

  it('have names that tell them apart', async () => {
    const checks = [
      { type: 'contains', value: 'P' },
      { type: 'contains', value: 'Q' },
      { type: 'is-json' },
      { type: 'starts-with', value: 'P', name: 'mine' },
      { type: 'contains', value: 'P' },
    ];
    const row = { checks: [{ type: 'is-json' }, { type: 'equals', value: 'P', metric: 'own' }] };
    const score = await check(checks, 'Paris', { row });
    const names = score.type === 'scored' ? score.checks?.map(({ name }) => name) : [];
    expect(names).toEqual([
      ...['contains P', 'contains Q', 'is-json', 'mine', 'contains P-2'],
      ...['is-json-2', 'own'],
    ]);
  });

  it('leave out what does not apply, and the row where nothing is left', async () => {
    const nothing = { type: 'function', score: () => null };
    expect(await check([nothing, { type: 'contains' }], 'Paris')).toMatchObject({ value: 1 });
    expect(await check([nothing], 'Paris')).toMatchObject({ reason: 'no checks' });
  });

  it('leave the row without a score where a check cannot be made', async () => {
    const missing = await check([{ type: 'contains', name: 'c' }], 'x', { gold: undefined });
    expect(missing).toMatchObject({ type: 'unscored', reason: 'c: no gold answer' });
    const unpriced = { facts: { ...facts, cost: null } };
    expect(await check([{ type: 'cost', max: 1 }], 'x', unpriced)).toMatchObject({
      reason: 'cost: no price or token counts',
    });
  });

  it.each([
    [[{ type: 'contans' }], /unknown type `contans`/],
    [[{ type: 'contains', threshold: 7 }], /a number from 0 to 1/],
    [[{ type: 'contains', name: 'checks' }], /the name of the overall result/],
    [[{ type: 'javascript', value: 'output.length' }], /is code in a string/],
    [['contains'], /a mapping with a `type`|must be a check/],
    [[{ type: 'ter' }], /are not between 0 and 1/],
    [[{ type: 'json-schema', schema: { type: 'strin' } }], /not a JSON Schema/],
    [[{ type: 'matches', pattern: '(' }], /not a regular expression/],
    [[{ type: 'similar', value: 'x' }], /has no `embedder`/],
  ])('refuse %j', async (checks, message) => {
    await expect(check(checks as never, '{}')).rejects.toThrow(message);
  });
});

describe('in a run', () => {
  const models = [
    {
      abbr: 'app',
      version: '1',
      generate: ({ row }: { row: { country: string } }) =>
        row.country === 'Japan' ? 'Kyoto, sorry' : `${row.country}: Paris`,
    },
  ];

  it('are metrics side by side with intervals, logged with reasons; rows bring their own', async () => {
    const rows = [
      { country: 'France', capital: 'Paris', checks: [{ type: 'starts-with', value: 'France' }] },
      { country: 'Japan', capital: 'Tokyo', checks: '{"type": "icontains", "value": "SORRY"}' },
      { country: 'Peru', capital: 'Lima' },
    ];
    const evaluator = [
      { type: 'contains' },
      { type: 'not-contains', value: 'sorry', name: 'polite', weight: 2 },
    ];
    const config = { models, datasets: [capitals({ rows, eval_cfg: { evaluator } })] };
    const { summary, rows: records, folder } = await runConfig(config);
    expect(metricsOf(summary)).toEqual({
      checks: expect.closeTo((1 + 0.25 + 2 / 3) / 3),
      pass_rate: expect.closeTo(1 / 3),
      contains: expect.closeTo(1 / 3),
      polite: expect.closeTo(2 / 3),
      'starts-with': 1,
      icontains: 1,
    });
    for (const { score, rows: counted } of summary.results[0]?.metrics ?? []) {
      expect(score.low).toBeLessThanOrEqual(score.value);
      if (counted !== undefined) expect(counted).toBe(1);
    }
    expect(records[1]).toMatchObject({
      checks: [
        { name: 'contains', score: 0, passed: false, reason: 'got "Kyoto, sorry", wanted "Tokyo"' },
        {
          name: 'polite',
          score: 0,
          passed: false,
          reason: 'contains passes, but should not: got "Kyoto, sorry", did not want "sorry"',
        },
        { name: 'icontains', score: 1, passed: true },
      ],
      detail: expect.stringContaining('polite: contains passes, but should not'),
    });
    const page = await readFile(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('contains passes, but should not');
  });

  it('are scored again from the log, and with a config; runs are compared by them', async () => {
    const evaluator = [
      { type: 'contains' },
      { type: 'length', max: 100 },
      { type: 'latency', max: 60_000 },
    ];
    const config = { models, datasets: [capitals({ eval_cfg: { evaluator } })] };
    const [one, other] = [await makeFolder(), await makeFolder()];
    const first = await runConfig(config, { out: one });
    await runConfig(config, { out: other });
    const again = await rescore(one);
    expect(again.summary.results[0]?.metrics).toEqual(first.summary.results[0]?.metrics);
    expect(again.summary.results[0]?.score).toEqual(first.summary.results[0]?.score);
    const changed = {
      ...config,
      datasets: [
        capitals({
          eval_cfg: {
            evaluator: [
              {
                type: 'function',
                name: 'f',
                score: (answer: string) => ({ score: answer.length > 12, reason: 'long' }),
              },
            ],
          },
        }),
      ],
    };
    const rescored = await rescore(one, { config: changed as never });
    expect(metricsOf(rescored.summary)).toEqual({
      checks: expect.closeTo(1 / 3),
      pass_rate: expect.closeTo(1 / 3),
      f: expect.closeTo(1 / 3),
    });
    await expect(rescore(one)).rejects.toThrow(
      /it is scored by a function, which runs do not record/,
    );
    const { tasks } = await compareRuns(other, one, { flips: 0 });
    expect(tasks[0]?.pairing.rows).toBe(3);
  });

  it('may be gates', async () => {
    const evaluator = [{ type: 'contains' }];
    const gate = { fail_under: { checks: 0.9, pass_rate: 0.1, contains: 0.2 } };
    const { summary } = await runConfig({
      models,
      datasets: [capitals({ gate, eval_cfg: { evaluator } })],
    });
    expect(summary.gates?.map(({ passed }) => passed)).toContain(false);
  });

  it('refuses a bad check of one of the first rows; of a later one it scores the others', async () => {
    const bad = { country: 'France', capital: 'Paris', checks: [{ type: 'contans', value: 'x' }] };
    const good = Array.from({ length: 1000 }, () => ({ country: 'Peru', capital: 'Paris' }));
    const configOf = (rows: readonly object[]) => ({
      models,
      datasets: [capitals({ rows, eval_cfg: { evaluator: [{ type: 'contains' }] } })],
    });
    await expect(runConfig(configOf([bad, ...good]))).rejects.toMatchObject({
      code: 'data.bad_checks',
      message: expect.stringContaining('Row 0 of `capitals`: checks[0] has the unknown type'),
    });
    const { rows: records } = await runConfig(configOf([...good, bad]));
    expect(records.slice(-2).map(({ outcome }) => outcome)).toEqual(['scored', 'unscored']);
    expect(records.at(-1)?.reason).toMatch(/the scorer failed: .*unknown type `contans`/);
    expect(records.at(-1)?.checks).toMatchObject([{ name: 'contains', passed: true }]);
  });

  it('keep what the others found where one breaks', async () => {
    const mine = (answer: string) => {
      if (answer.startsWith('Peru')) throw new Error('no Peru');
      return 1;
    };
    const evaluator = [
      { type: 'function', name: 'mine', score: mine },
      { type: 'contains' },
      { type: 'length', max: 10 },
    ];
    const { rows, summary } = await runConfig(
      { models, datasets: [capitals({ eval_cfg: { evaluator } })] },
      { allowFailed: '100%' },
    );
    const broken = rows.find(({ reason }) => reason !== undefined);
    expect(broken).toMatchObject({
      outcome: 'unscored',
      reason: expect.stringContaining('mine: no Peru'),
    });
    expect(broken?.checks?.map(({ name }) => name)).toEqual(['contains', 'length']);
    // France alone has the right capital in it; a row that one check broke on counts for the others.
    expect(metricsOf(summary)).toMatchObject({ mine: 1, contains: 1 / 3, length: 0 });
  });

  it('pass by the best grade of a judge, or by their threshold', async () => {
    await using server = await startChatServer(({ model, messages }) => {
      const asked = messages.map(({ content }) => content).join('\n');
      if (model !== 'judge') return asked.includes('France') ? 'Paris' : 'Lima, I think';
      return asked.includes('I think') ? '[[6]]' : '[[10]]';
    });
    const chat = (model: string, more: object = {}) => ({
      abbr: model,
      type: 'OpenAI',
      base_url: server.url,
      model,
      ...more,
    });
    const grade = {
      type: 'judge',
      verdict: { type: 'grade', pattern: '\\[\\[(\\d+)\\]\\]' },
      prompt: '{prediction}',
    };
    const rows = [
      { country: 'France', capital: 'Paris' },
      { country: 'Peru', capital: 'Lima' },
    ];
    const evaluator = [
      { ...grade, name: 'best' },
      { ...grade, name: 'good', threshold: 0.5 },
    ];
    const config = {
      models: [chat('app'), chat('judge', { judge: true })],
      datasets: [capitals({ rows, eval_cfg: { evaluator } })],
      work_dir: await makeFolder(),
    };
    const { rows: records } = await runConfig(config);
    expect(records.map(({ checks = [] }) => checks.map(({ passed }) => passed))).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('ask judges by a rubric, and an embedder for similarity', async () => {
    await using server = await startChatServer(({ model, messages }) => {
      const asked = messages.map(({ content }) => content).join('\n');
      if (model !== 'judge') return asked.includes('France') ? 'Paris it is' : 'Sorry!';
      const isPolite = asked.includes('names a city')
        ? asked.includes('Paris it is')
        : !/Sorry/.test(asked);
      return `{"reason": "so it seems", "verdict": "${isPolite ? 'pass' : 'fail'}"}`;
    });
    const chat = (model: string, more: object = {}) => ({
      abbr: model,
      type: 'OpenAI',
      base_url: server.url,
      model,
      ...more,
    });
    const rows = [
      {
        country: 'France',
        capital: 'Paris',
        checks: [{ type: 'llm-rubric', value: 'says {nothing} rude', metric: 'polite' }],
      },
      { country: 'Peru', capital: 'Lima' },
    ];
    const evaluator = [
      { type: 'judge', rubric: 'names a city of {country}' },
      { type: 'similar', threshold: 0.6, embedder: { base_url: server.url, model: 'letters' } },
    ];
    const datasets = [capitals({ rows, eval_cfg: { evaluator } })];
    const config = {
      models: [chat('app'), chat('judge', { judge: true })],
      datasets,
      work_dir: await makeFolder(),
    };
    const out = await makeFolder();
    const { rows: records, summary } = await runConfig(config, { out });
    expect(records[0]?.checks).toMatchObject([
      { name: 'judge', score: 1, passed: true, reason: 'so it seems' },
      {
        name: 'similar',
        passed: true,
        reason: expect.stringMatching(/similarity to "Paris" is 0\.\d\d/),
      },
      { name: 'polite', score: 1, passed: true },
    ]);
    expect(records[1]?.checks).toMatchObject([
      { name: 'judge', passed: false },
      { name: 'similar' },
    ]);
    const asked = server.bodies.filter((body) => body.includes('"judge"'));
    expect(asked).toHaveLength(3);
    expect(asked.join()).toContain('names a city of France');
    expect(asked.join()).toContain('says {nothing} rude');
    expect(asked.join()).toContain('Capital of Peru?');
    const again = await rescore(out, { config: await parseConfig(config as never) });
    expect(again.summary.results[0]?.score).toEqual(summary.results[0]?.score);
    expect(server.bodies.filter((body) => body.includes('"judge"'))).toHaveLength(3);
  });
});

describe('gates on measures that only rows have', () => {
  const asked = (failUnder: EvaluateOptions['failUnder'], evaluator: unknown = []) => {
    const rows = [
      { country: 'France', capital: 'Paris' },
      {
        country: 'Peru',
        capital: 'Lima',
        ...(Array.isArray(evaluator) && {
          checks: [{ type: 'contains', value: 'L', name: 'has_l' }],
        }),
      },
    ];
    const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
    const datasets = [capitals({ rows, eval_cfg: { evaluator } })];
    return runConfig({ models, datasets }, { failUnder });
  };
  const score = (answer: string) => ({ score: 1, metrics: { letters: answer.length / 10 } });

  it.each<[string, EvaluateOptions['failUnder'], unknown, boolean]>([
    ['a check of one row, missed', { has_l: 0.5 }, [{ type: 'equals' }], false],
    ['a check of one row, met', { has_l: 0 }, [{ type: 'equals' }], true],
    ['what a function counts', { letters: 0.5 }, { type: 'function', score }, true],
    ['what it counts, missed', { letters: '60%' }, { type: 'function', score }, false],
    ['the same in a check', { 'f/letters': 0.5 }, [{ type: 'function', name: 'f', score }], true],
    ['what it does not count', { 'f/words': 0 }, [{ type: 'function', name: 'f', score }], false],
  ])('%s', async (_, failUnder, evaluator, passed) => {
    const { summary } = await asked(failUnder, evaluator);
    expect(summary.gates?.filter(({ gate }) => gate === 'fail_under')).toMatchObject([{ passed }]);
  });

  it('refuses a name that neither the config nor a row has, and says which there are', async () => {
    const run = asked({ hasl: 1 }, [{ type: 'equals' }]);
    await expect(run).rejects.toMatchObject({
      code: 'gate.unknown_metric',
      hint: 'Did you mean `has_l`? Metrics: checks, pass_rate, equals, has_l.',
    });
  });
});

describe('gates on checks that rows call apart', () => {
  const asked = (checks: readonly object[], failUnder: EvaluateOptions['failUnder'], more = {}) => {
    const rows = [
      { country: 'France', capital: 'Paris', checks: [{ type: 'contains', value: 'Paris' }] },
      { country: 'Peru', capital: 'Lima', checks },
    ];
    const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
    const datasets = [capitals({ rows, eval_cfg: { evaluator: [] }, ...more })];
    return runConfig({ models, datasets }, { failUnder });
  };
  const two = ['Paris', 'zz'].map((value) => ({ type: 'contains', value }));
  const named = two.map((check) => ({ ...check, name: 'it' }));

  it.each([
    ['the type', two, 'contains', '`contains Paris`, `contains zz`'],
    ['what one is called beside others', two, 'contains Paris', '`contains`'],
    ['a name given twice', named, 'it', '`it-2`'],
  ])('refuses %s', async (_, checks, name, called) => {
    await expect(asked(checks, { [name]: 0.5 })).rejects.toMatchObject({
      code: 'gate.ambiguous_metric',
      message: expect.stringContaining(`called ${called}`),
    });
  });

  it('takes the name that each check has by itself', async () => {
    const checks = two.map((check, index) => ({ ...check, name: `own_${index}` }));
    const { summary } = await asked(checks, { own_1: 0.5, contains: 0.5, checks: 0.1 });
    expect(summary.gates?.map(({ metric, passed }) => [metric, passed])).toEqual([
      ['own_1', false],
      ['contains', true],
      ['checks', true],
    ]);
  });

  it('refuses the name of a check of the config that rows bring, too', async () => {
    const evaluator = [{ type: 'contains' }];
    const run = asked([], { contains: 0.5 }, { eval_cfg: { evaluator } });
    await expect(run).rejects.toMatchObject({ code: 'gate.ambiguous_metric' });
  });
});

describe('what functions give in place of a score', () => {
  const contains = { type: 'contains', value: 'Paris' };
  const by = (score: unknown, name = 'f') => ({ type: 'function', name, score });

  it('nothing leaves the row unscored, with the reason; null skips the check, and is counted', async () => {
    const without = await check([contains, by(() => undefined)], 'Paris');
    expect(without).toMatchObject({
      type: 'unscored',
      reason: 'f: the function gave no score',
      checks: [{ name: 'contains', score: 1 }],
    });
    expect(await check([contains, by(() => ({ pass: undefined }))], 'Paris')).toMatchObject({
      reason: 'f: the function gave no score',
    });
    for (const skips of [() => null, async () => null, () => ({ score: null })]) {
      const score = await check([contains, by(skips)], 'Paris');
      expect(score).toMatchObject({ type: 'scored', value: 1, skipped: ['f'] });
    }
    const evaluator = [
      contains,
      by((answer: string, { row }: { row: { country: string } }) =>
        row.country === 'Peru' ? answer !== '' : null,
      ),
    ];
    const models = [{ abbr: 'app', version: '1', generate: () => 'Paris' }];
    const { summary, folder } = await runConfig({
      models,
      datasets: [capitals({ eval_cfg: { evaluator } })],
    });
    const note = '2 of 3 rows are skipped by the check `f`';
    expect(summary.results.flatMap(describeEvents)).toEqual([note]);
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('skipped');
    expect(terminalTable(summary, { width: 100, color: false })).toContain(note);
  });

  it.each<[string, () => unknown, string]>([
    ['a string', () => Promise.reject('oops'), 'the scorer failed: f: oops'],
    ['nothing', () => Promise.reject(undefined), 'the scorer failed: f: undefined'],
    ['an object', () => Promise.reject({ code: 3 }), 'the scorer failed: f: [object Object]'],
    ['a symbol', () => Promise.reject(Symbol('x')), 'the scorer failed: f: Symbol(x)'],
    [
      'an error of ours',
      () => Promise.reject(new DataError('data.bad_checks', 'not so')),
      'the scorer failed: f: not so',
    ],
  ])('what throws %s fails by its name, beside its neighbours', async (_, score, reason) => {
    expect(await check([contains, by(score)], 'Paris')).toMatchObject({
      type: 'unscored',
      reason,
      checks: [{ name: 'contains', score: 1 }],
    });
  });

  it('a metric that has the name of another check is refused; a check called as its set is told apart', async () => {
    const measuring = by(() => ({ score: 1, metrics: { y: 0.5 } }), 'x');
    expect(await check([measuring, by(() => 0, 'x/y')], 'a')).toMatchObject({
      type: 'unscored',
      reason: expect.stringContaining('`x/y` is the name of a check and of a metric'),
    });
    expect(await check([measuring, by(() => 0, 'x/z')], 'a')).toMatchObject({
      metrics: { x: 1, 'x/y': 0.5, 'x/z': 0 },
    });
    const inSet = { ...by(() => 0.5, 'style'), set: 'style', threshold: 0.5 };
    expect(await check([inSet, { ...by(() => 0, 'b'), set: 'style' }], 'a')).toMatchObject({
      metrics: { 'style-2': 0.5, b: 0, style: 0.25 },
    });
  });
});

describe('several judges in one list', () => {
  const judgeOf = (abbr: string, verdict: string, price: object) => ({
    abbr,
    judge: true,
    version: '1',
    price,
    max_out_len: 20,
    generate: () => ({
      text: JSON.stringify({ reason: `as ${abbr} sees it`, verdict }),
      usage: { inputTokens: 100, outputTokens: 10 },
    }),
  });
  const config = {
    models: [
      {
        abbr: 'app',
        version: '1',
        price: { in: 1, out: 1 },
        max_out_len: 10,
        generate: () => ({ text: 'Paris', usage: { inputTokens: 5, outputTokens: 1 } }),
      },
      judgeOf('cheap', 'pass', { in: 10, out: 20 }),
      judgeOf('dear', 'fail', { in: 1000, out: 2000 }),
    ],
    datasets: [
      capitals({
        eval_cfg: {
          evaluator: [
            { type: 'judge', name: 'one', model: 'cheap', rubric: 'is a city' },
            { type: 'judge', name: 'two', model: 'dear', rubric: 'is the capital' },
          ],
        },
      }),
    ],
  };
  /** For a million requests of each kind, which is a millionth of it for one. */
  const prices = { app: 6, cheap: 1200, dear: 120_000 };
  const cost = (3 * (prices.app + prices.cheap + prices.dear)) / 1e6;

  it('are each paid by their own price, planned, and known to the log', async () => {
    const before = await planRun(config as never, { out: await makeFolder() });
    expect(before.price?.judges?.map(({ model, requests }) => [model, requests])).toEqual([
      ['cheap', 3],
      ['dear', 3],
    ]);
    const { summary, rows, folder } = await runConfig(config, { maxCost: 10 });
    expect(metricsOf(summary)).toMatchObject({ checks: 0.5, one: 1, two: 0, pass_rate: 0 });
    expect(summary.results[0]?.cost).toBeCloseTo(cost, 9);
    expect(summary.cost?.spent).toBeCloseTo(cost, 9);
    expect(summary.results[0]?.judge).toMatchObject({
      requests: 6,
      tokens: { input: 600, output: 60 },
      others: [{ judge: 'dear', tokens: { input: 300, output: 30 } }],
    });
    expect(rows[0]?.verdicts?.map(({ judge }) => judge)).toEqual([undefined, 'dear']);
    const { judges } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    expect(judges.map(({ name }: { name: string }) => name)).toEqual(['cheap', 'dear']);
    const planned = await planRun(config as never, { out: folder });
    expect(planned.tasks[0]).toMatchObject({ send: 0 });
  });

  it('are scored again without being asked, and what they cost stays', async () => {
    const { summary, folder } = await runConfig(config, {});
    const again = await rescore(folder);
    expect(metricsOf(again.summary)).toEqual(metricsOf(summary));
    expect(again.summary.results[0]?.cost).toBeCloseTo(cost, 9);
    const { summary: resumed } = await runConfig(config, { out: folder, maxCost: 10 });
    expect(resumed.cost?.spent).toBeCloseTo(cost, 9);
  });
});

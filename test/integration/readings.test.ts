import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, openRun, rescore } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

const reader = { input_columns: ['q'], output_column: 'a' };

/** The server answers the question `qN` with the answer N of the list, sample by sample where there are several. */
async function ask(
  said: readonly (string | readonly string[])[],
  dataset: Record<string, unknown>,
  settings: Record<string, unknown> = {},
) {
  await using server = await startJudgeServer();
  const seeds: unknown[] = [];
  server.answer = ({ seed }, text) => {
    seeds.push(seed);
    const answer = said[Number(/q(\d+)\./.exec(text)?.[1])] ?? '';
    return typeof answer === 'string' ? answer : (answer[Number(seed) % answer.length] ?? '');
  };
  const model = { abbr: 'm', type: 'OpenAICompletions', base_url: server.url, model: 'm' } as const;
  const config = {
    models: [{ ...model, ...settings }],
    datasets: [{ abbr: 'd', reader_cfg: reader, ...dataset }],
  };
  const folder = await writeFolder({});
  const out = join(folder, 'run');
  // The config is data of a test.
  const { summary } = await evaluate(config as unknown as Parameters<typeof evaluate>[0], { out });
  const again = await rescore(out);
  expect(again.summary.results[0]?.score).toEqual(summary.results[0]?.score);
  expect(again.summary.results[0]?.metrics).toEqual(summary.results[0]?.metrics);
  const scores: unknown[] = [];
  for await (const { id, part, score } of (await openRun(out)).rows())
    if (part === undefined) scores[id] = score;
  const metrics = summary.results[0]?.metrics?.map(({ name, score }) => [name, score?.value]) ?? [];
  return {
    scores,
    metrics: Object.fromEntries(metrics),
    seeds: seeds.toSorted(),
    bodies: server.asked,
  };
}

test('what questions begin with in the prompt ends an answer, whatever the words are', async () => {
  const runOn = [
    // Steps that state no answer, and then the next question as the template writes it.
    'Two pens.\nThree more pens, 5 of them\n\nRiddle: four and three?\nReply: 7',
    '5\nRiddle: four and three?\nReply: 7',
    'Riddle: two and three?\nReply: 5',
    'Let me restate it.\nRiddle: 2 pens and 3 more\nReply: 5',
    'Two and three\nare 5',
  ];
  const rows = runOn.map((_, id) => ({ q: `q${id}.`, a: '5' }));
  const infer = (template: unknown) => ({
    rows,
    infer_cfg: { prompt_template: { template } },
    eval_cfg: { evaluator: { type: 'number' } },
  });
  const text = await ask(runOn, infer('Solve.\n\nRiddle: {q}\nReply: {a}'));
  expect(text.bodies[0]?.prompt).toBe('Solve.\n\nRiddle: q0.\nReply:');
  expect(text.scores).toEqual([1, 1, 1, 1, 1]);
  const round = [
    { role: 'HUMAN', prompt: 'Riddle: {q}' },
    { role: 'BOT', prompt: 'Reply: {a}' },
  ];
  expect((await ask(runOn, infer({ round }))).scores).toEqual([1, 1, 1, 1, 1]);
  // Where the prompt has other words, nothing tells the riddle from the answer.
  expect((await ask(runOn, infer('{q}'))).scores).toEqual([0, 0, 1, 1, 1]);
});

test.each([
  ['math', ['\\frac12', '3', '0.5', '4', '1/2'], '0.5'],
  ['math', ['x^2+2x+1', '3', '(x+1)^2', '4', '1+2x+x^2'], '(1+x)^2'],
  ['number', ['1,000', '7', '1000', '8', '1000.0'], '1000'],
  ['number', ['50%', '7', '0.5', '8', '0.50'], '0.5'],
])('samples of %s that are the same vote together: %j', async (type, samples, gold) => {
  const dataset = {
    rows: [{ q: 'q0.', a: gold }],
    infer_cfg: { prompt_template: { template: '{q}' } },
    eval_cfg: { evaluator: { type } },
  };
  const { metrics, seeds } = await ask([samples], { ...dataset, n: 5 });
  expect(seeds).toEqual([0, 1, 2, 3, 4]);
  expect(metrics).toMatchObject({ 'avg@5': 0.6, 'cons@5': 1 });
  const inferencer = { type: 'SCInferencer', sc_size: 5 };
  const infer = { prompt_template: { template: '{q}' }, inferencer };
  const voted = await ask([samples], { ...dataset, infer_cfg: infer });
  expect(voted.scores).toEqual([1]);
  expect(voted.metrics).toMatchObject({ agreement: 0.6 });
});

test("the seeds of samples count on from the user's own", async () => {
  const dataset = (kwargs?: object) => ({
    n: 3,
    rows: [{ q: 'q0.', a: '1' }],
    infer_cfg: {
      prompt_template: { template: '{q}' },
      inferencer: { type: 'GenInferencer', ...(kwargs && { generation_kwargs: kwargs }) },
    },
    eval_cfg: { evaluator: { type: 'number' } },
  });
  const seedsOf = async (own?: object, model?: object) =>
    (await ask(['1'], dataset(own), model && { generation_kwargs: model })).seeds;
  expect(await seedsOf()).toEqual([0, 1, 2]);
  expect(await seedsOf(undefined, { seed: 5 })).toEqual([5, 6, 7]);
  expect(await seedsOf({ seed: 40 }, { seed: 5 })).toEqual([40, 41, 42]);
});

test.each([
  ['last', undefined],
  ['every', 1],
])('with `infer_mode: %s` all_turns is %s', async (mode, allTurns) => {
  const round = [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '{a}' },
  ];
  const { metrics } = await ask(['1', '1'], {
    rows: [{ q: ['q0.', 'q1.'], a: ['1', '1'] }],
    infer_cfg: {
      prompt_template: { type: 'MultiTurnPromptTemplate', template: { round } },
      inferencer: { type: 'MultiTurnGenInferencer', infer_mode: mode },
    },
    eval_cfg: { evaluator: { type: 'number' } },
  });
  expect(metrics.all_turns).toBe(allTurns);
  expect(metrics.turn_2).toBe(1);
});

test.each([
  ['opencompass', [2 / 3, 0, 1]],
  ['aisbench', [2 / 3, 0, 1]],
  [undefined, [2 / 3, 3 / 4, 2 / 3]],
])('rouge counts the words of all scripts, but not with compat %s', async (compat, expected) => {
  const { scores } = await ask(
    ['the cat sat', '猫が寝る', 'the cat 猫'],
    {
      rows: ['the cat ran', '猫が走る', 'the cat 犬'].map((a, row) => ({ q: `q${row}.`, a })),
      infer_cfg: { prompt_template: { template: '{q}' } },
      eval_cfg: { evaluator: { type: 'rouge' } },
    },
    compat === undefined ? {} : { compat },
  );
  expect(scores).toEqual(expected.map((score) => expect.closeTo(score, 10)));
});

test('an answer that tells what each option is has no score', async () => {
  const told = 'Option A is red, Option B is green, Option C is blue, Option D is black.';
  const { scores } = await ask([told, `${told} The answer is D.`], {
    rows: [0, 1].map((row) => ({ q: `q${row}.`, a: 'D' })),
    infer_cfg: { prompt_template: { template: '{q}' } },
    eval_cfg: { evaluator: { type: 'choice' } },
  });
  expect([scores[0] ?? null, scores[1]]).toEqual([null, 1]);
});

test('grades on a scale from 0 to 1 are shown as they are', async () => {
  await using server = await startJudgeServer();
  server.answer = (_body, text) => (text.includes('Grade') ? '{"grade": 0.5}' : 'an answer');
  const model = { type: 'OpenAI', base_url: server.url, model: 'm' };
  const evaluator = {
    type: 'judge',
    model: 'j',
    prompt: 'Grade {prediction}.',
    verdict: { type: 'grade', scale: [0, 1] },
  };
  const config = {
    models: [
      { ...model, abbr: 'm' },
      { ...model, abbr: 'j', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [
          { q: 'q0.', a: '1' },
          { q: 'q1.', a: '1' },
        ],
        reader_cfg: reader,
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator },
      },
    ],
  };
  const folder = await writeFolder({ 'config.json': JSON.stringify(config) });
  const out = join(folder, 'run');
  const { code, stdout } = await callCommand(['run', `${folder}/config.json`, '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/grade +0\.50? /);
  expect(stdout).not.toContain('50.0');
  const { results } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
  expect(results[0].score.value).toBe(0.5);
});

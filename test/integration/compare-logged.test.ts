import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import {
  brokenGates,
  type ConfigInput,
  compareRuns,
  evaluate,
  type RunFile,
} from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { answerByHash, type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.answer = answerByHash;
});

type Settings = Readonly<Record<string, unknown>>;

const rows = Array.from({ length: 12 }, (_, n) => ({
  question: `What is ${n}?`,
  answer: 'ABCD'[n % 4],
}));

interface Change {
  readonly evaluator?: Settings & { readonly type: string };
  readonly dataset?: Settings;
  readonly judgeName?: string;
}

function configOf({ evaluator = { type: 'exact' }, dataset, judgeName = 'judge-model' }: Change) {
  const endpoint = { type: 'OpenAI', base_url: server.url };
  return {
    models: [
      { abbr: 'small', ...endpoint, model: 'small-model' },
      { abbr: 'large', ...endpoint, model: 'large-model' },
      { abbr: 'strong', ...endpoint, model: judgeName, judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator },
        ...dataset,
      },
    ],
  } as ConfigInput;
}

/** Runs configs into folders of one place, which is given. */
async function runAll(...configs: readonly ConfigInput[]): Promise<string[]> {
  const folder = await writeFolder({});
  const folders = configs.map((_, index) => join(folder, `run${index}`));
  for (const [index, config] of configs.entries()) {
    await evaluate(config, { out: folders[index] });
  }
  return folders;
}

const longer = {
  type: 'function',
  metric: 'length',
  score: (text: string) => (text.length % 4) / 3,
};
const judged = { type: 'judge', model: 'strong' };
const graded = { ...judged, verdict: { type: 'grade', scale: [1, 10] } };

describe.each([
  ['a function', longer, { metric: 'length', direction: 'higher', isShare: true }],
  ['a judge', judged, { metric: 'accuracy', direction: 'higher', isShare: true }],
  ['a judge of grades', graded, { metric: 'grade', direction: 'higher', isShare: false }],
  ['a measure of all rows', { type: 'bleu' }, { metric: 'bleu', isShare: true }],
])('scores of %s', (_, evaluator, scale) => {
  it('are compared as they are logged, run against run and model against model', async () => {
    const [one = '', two = ''] = await runAll(configOf({ evaluator }), configOf({ evaluator }));
    const asked = server.asked.length;
    const whole = await compareRuns(one, two);
    expect(whole.tasks.map(({ name, verdict }) => [name, verdict.type])).toEqual([
      ['small on d', 'equal'],
      ['large on d', 'equal'],
    ]);
    const { tasks } = await compareRuns(one, one, { models: ['small', 'large'] });
    expect(tasks[0]?.scale).toMatchObject(scale);
    expect(tasks[0]?.result?.pairs).toBeGreaterThan(6);
    expect(server.asked.length).toBe(asked);
  });
});

test('old runs that do not record their metric compare as far as their summary says', async () => {
  const [one = ''] = await runAll(configOf({ evaluator: longer }));
  const file = join(one, 'run.json');
  const { metrics: _, ...old }: RunFile = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...old, metrics: [] }));
  const { tasks } = await compareRuns(one, one, { models: ['small', 'large'] });
  expect(tasks[0]?.scale).toEqual({ metric: 'length', direction: 'higher', isShare: true });
});

test('grades on two scales are not one metric, and another judge is another scorer', async () => {
  const five = { ...judged, verdict: { type: 'grade', scale: [1, 5] } };
  server.answer = (body) => (body.model === 'small-model' ? 'A' : '{"grade": 3}');
  const [one = '', two = '', three = ''] = await runAll(
    configOf({ evaluator: graded }),
    configOf({ evaluator: five }),
    configOf({ evaluator: graded, judgeName: 'judge-model-2' }),
  );
  await expect(compareRuns(one, two)).rejects.toMatchObject({
    code: 'compare.other_metric',
    message: 'small on d: A has the metric grade from 1 to 10, B has grade from 1 to 5',
  });
  const { differences } = await compareRuns(one, three);
  expect(differences.find(({ kind }) => kind === 'scorer')).toMatchObject({
    isSame: false,
    changes: [{ path: 'judge.model', a: 'judge-model', b: 'judge-model-2' }],
  });
});

const dialogues = Array.from({ length: 6 }, (_, n) => ({
  question: [`${n} + 1?`, `${n} + 2?`],
  answer: ['A', 'B'],
}));

function dialogueOf(infer_mode: string, type = 'OpenAI') {
  const config = configOf({
    evaluator: { type: 'contains' },
    dataset: {
      rows: dialogues,
      infer_cfg: {
        prompt_template: {
          type: 'MultiTurnPromptTemplate',
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
        inferencer: { type: 'MultiTurnGenInferencer', infer_mode },
      },
    },
  });
  return {
    ...config,
    models: config.models?.slice(0, 2).map((one) => ({ ...one, type })),
  } as ConfigInput;
}

test('turns of models that take text are made again from the config', async () => {
  const config = JSON.stringify(dialogueOf('every', 'OpenAICompletions'));
  const folder = await writeFolder({ 'c.json': config });
  const run = (name: string) =>
    callCommand(['run', join(folder, 'c.json'), '--model', 'small', '--out', join(folder, name)]);
  await run('one');
  server.answer = (_body, text) => (text.endsWith('+ 2?\\n"') ? 'It is B.' : 'It is A.');
  await run('two');
  const { tasks } = await compareRuns(join(folder, 'one'), join(folder, 'two'));
  const turns = tasks[0]?.flips.shown[0]?.b.turns ?? [];
  expect(turns.map(({ prompt, answer }) => [prompt, answer])).toEqual([
    [expect.stringMatching(/^\d \+ 1\?\n$/), 'It is A.'],
    [expect.stringMatching(/^\d \+ 1\?\nIt is A\.\n\d \+ 2\?\n$/), 'It is B.'],
  ]);
});

test('dialogues are shown turn by turn, each prompt with its own answer', async () => {
  const [one = '', last = ''] = await runAll(dialogueOf('every'), dialogueOf('last'));
  server.answer = (_body, text) => (text.includes('+ 2?') ? 'It is B.' : 'It is A.');
  const [right = ''] = await runAll(dialogueOf('every'));
  const { tasks, warnings } = await compareRuns(`${one}:small`, `${right}:small`);
  expect(warnings.join()).not.toContain('quantities');
  const [flip] = tasks[0]?.flips.shown ?? [];
  expect(flip?.b.turns).toEqual([
    {
      name: 1,
      score: 1,
      prompt: expect.stringMatching(/^\[user\]\n\d \+ 1\?$/),
      answer: 'It is A.',
    },
    {
      name: 2,
      score: 1,
      prompt: expect.stringMatching(/^\[user\]\n\d \+ 2\?$/),
      answer: 'It is B.',
    },
  ]);
  const { stdout } = await callCommand([
    'compare',
    `${one}:small`,
    `${right}:small`,
    '--flips',
    '1',
  ]);
  for (const title of [
    'Prompt of turn 1',
    'Prompt of turn 2 after turn 1',
    'Answer of turn 2 of B',
  ]) {
    expect(stdout).toContain(title);
  }
  const other = await compareRuns(`${one}:small`, `${last}:small`);
  expect(other.warnings).toContain(
    'd: A scores every turn of a dialogue, B its last turn alone. These are different quantities.',
  );
  expect(other.tasks[0]?.result?.pairs).toBe(6);
});

test('later turns that follow other answers were not asked the same', async () => {
  const promptsIn = async (one: string, other: string) => {
    const { differences, tasks } = await compareRuns(`${one}:small`, `${other}:small`);
    const prompts = differences.find(({ kind }) => kind === 'prompts');
    return [prompts?.isSame, prompts?.note, tasks[0]?.pairing.otherHistories];
  };
  const [one = '', gold = ''] = await runAll(dialogueOf('every'), dialogueOf('every_with_gt'));
  server.answer = (_body, text) =>
    text.includes('0 + 1?') ? 'It is C.' : answerByHash(_body, text);
  const [other = '', goldToo = ''] = await runAll(dialogueOf('every'), dialogueOf('every_with_gt'));
  const note = 'in 6 rows; later turns follow other answers in 1 dialogue';
  expect(await promptsIn(one, other)).toEqual([true, note, 1]);
  expect(await promptsIn(other, one)).toEqual([true, note, 1]);
  expect(await promptsIn(gold, goldToo)).toEqual([true, 'in 6 rows', undefined]);
});

test('dialogues that are judged turn by turn, and as a whole, have scores of two kinds', async () => {
  server.answer = ({ model }) => (model === 'judge-model' ? '{"verdict": "A"}' : 'A');
  const judgedBy = (turns: string) => {
    const config = dialogueOf('every');
    const [dataset] = config.datasets as object[];
    const evaluator = { ...judged, turns };
    return {
      models: configOf({}).models?.filter(({ abbr }) => abbr !== 'large'),
      datasets: [{ ...dataset, eval_cfg: { evaluator } }],
    } as unknown as ConfigInput;
  };
  const [every = '', last = ''] = await runAll(judgedBy('every'), judgedBy('last'));
  const { warnings } = await compareRuns(every, last);
  expect(warnings).toContain(
    'd: A scores every turn of a dialogue, B it as a whole. These are different quantities.',
  );
});

describe('gates', () => {
  /** Of twelve rows A has all right; B gets so many wrong, and so many without an answer. */
  async function losing({ wrong = 0, empty = 0 }): Promise<[string, string]> {
    const right = (text: string) => `${'ABCD'[Number(/is (\d+)/.exec(text)?.[1]) % 4]}`;
    server.answer = (_, text) => right(text);
    const [one = ''] = await runAll(configOf({}));
    server.answer = (_, text) => {
      const row = Number(/is (\d+)/.exec(text)?.[1]);
      if (row < wrong) return 'no';
      return row < wrong + empty ? '  ' : right(text);
    };
    const [two = ''] = await runAll(configOf({}));
    return [`${one}:small`, `${two}:small`];
  }

  it.each([
    [{ wrong: 3 }, ['--max-regressions', '3'], 0, ''],
    [
      { wrong: 3 },
      ['--max-regressions', '2'],
      1,
      'd: 3 rows are worse in B; at most 2 allowed (--max-regressions).\n',
    ],
    [
      { wrong: 1, empty: 2 },
      ['--max-regressions', '2'],
      1,
      'd: 3 rows are worse in B; at most 2 allowed (--max-regressions).\n',
    ],
    [{ wrong: 3 }, ['--max-drop', '25'], 0, ''],
    [
      { wrong: 3 },
      ['--max-drop', '24.9'],
      1,
      'd: B is 25.0 points worse than A; at most 24.9 points allowed (--max-drop).\n',
    ],
    [
      { wrong: 3 },
      ['--max-drop', '20%'],
      1,
      'd: B is 25.0 points worse than A; at most 20.0 points allowed (--max-drop).\n',
    ],
    [
      { empty: 6 },
      ['--max-drop', '10'],
      1,
      'd: B is 50.0 points worse than A; at most 10.0 points allowed (--max-drop).\n',
    ],
    [{ wrong: 5 }, ['--fail-if-worse'], 0, ''],
  ])('%j with %j ends with %i', async (loss, flags, code, stderr) => {
    const [one, two] = await losing(loss);
    const outcome = await callCommand(['compare', one, two, '--flips', '0', ...flags]);
    expect([outcome.code, outcome.stderr]).toEqual([code, stderr]);
  });

  it('are there for programs', async () => {
    const [one, two] = await losing({ wrong: 2 });
    const comparison = await compareRuns(one, two);
    expect(comparison.tasks[0]?.regressions).toBe(2);
    expect(brokenGates(comparison, { maxRegressions: 2 })).toEqual([]);
    expect(brokenGates(comparison, { maxDrop: { type: 'points', points: 1 } })).toHaveLength(1);
    const back = await compareRuns(two, one);
    expect(brokenGates(back, { maxRegressions: 0, maxDrop: { type: 'share', share: 0 } })).toEqual(
      [],
    );
  });
});

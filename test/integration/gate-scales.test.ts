import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConfigInput, evaluate, type GateOptions } from '../../src/index.ts';
import { describeGates } from '../../src/report/describe-gates.ts';
import { exitCodeOf } from '../../src/report/gate.ts';
import { callCommand } from './joints/call-command.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
  server.answer = ({ model }) => (model === 'judge' ? '{"reason": "so", "grade": 5}' : 'yes');
});
afterAll(() => server[Symbol.asyncDispose]());

const rows = ['a', 'b', 'c', 'd'].map((question) => ({ question, answer: 'yes' }));
const grade = { type: 'judge', model: 'j', verdict: { type: 'grade', scale: [1, 10] } };

function configOf(evaluator: object, more: object = {}, gate?: object) {
  const endpoint = { type: 'OpenAI', base_url: server.url };
  return {
    ...(gate && { gate }),
    models: [
      { abbr: 'm', ...endpoint, model: 'm' },
      { abbr: 'j', ...endpoint, model: 'judge', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator },
        ...more,
      },
    ],
  } as unknown as ConfigInput;
}

const exact = { type: 'exact' };
const samples = { n: 2 };

test.each<[string, ConfigInput['gate'] | GateOptions, object, object, string, string]>([
  [
    'a percentage of a grade',
    { fail_under: '80%' },
    grade,
    {},
    'gate.no_share',
    'but `grade` goes from 1 to 10',
  ],
  [
    'a named percentage of it',
    { fail_under: { grade: '80%' } },
    grade,
    {},
    'gate.no_share',
    '80% is a share',
  ],
  [
    'less than it can be',
    { fail_under: { grade: 0.8 } },
    grade,
    {},
    'gate.out_of_range',
    'goes from 1 to 10',
  ],
  [
    'more than it can be',
    { fail_under: { grade: 11 } },
    grade,
    {},
    'gate.out_of_range',
    'goes from 1 to 10',
  ],
  [
    'hundredths',
    { fail_under: { accuracy: 90 } },
    exact,
    {},
    'gate.out_of_range',
    'the gate asks for 90, but `accuracy`',
  ],
  [
    'a share of TER',
    { failUnder: 0.5 },
    { type: 'ter' },
    {},
    'gate.no_share',
    'goes from 0 on; lower is better',
  ],
  [
    'an unknown metric',
    { fail_under: { acuracy: 0.9 } },
    exact,
    {},
    'gate.unknown_metric',
    'unknown metric `acuracy`',
  ],
  [
    'another k',
    { fail_under: { 'pass@3': 0.9 } },
    exact,
    samples,
    'gate.unknown_metric',
    'unknown metric `pass@3`',
  ],
])('%s is refused before anything is asked', async (_, given, evaluator, more, code, message) => {
  const out = join(await writeFolder({}), 'out');
  const asked = server.asked.length;
  const isOption = 'failUnder' in (given as object);
  const config = configOf(evaluator, more, isOption ? undefined : (given as object));
  const run = evaluate(config, { out, ...(isOption && (given as GateOptions)) });
  await expect(run).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  expect(server.asked.length).toBe(asked);
});

test.each<[string, GateOptions['failUnder'], object, object, code: number]>([
  ['a grade that is reached', { grade: 5 }, grade, {}, 0],
  ['a grade that is missed', { grade: 7 }, grade, {}, 1],
  ['several metrics', { accuracy: '100%', 'pass@2': 1, 'avg@2': 1 }, exact, samples, 0],
  ['a further metric', { rouge1: 0.9, rougeL: '90%' }, { type: 'rouge' }, {}, 0],
  ['TER', { ter: 0 }, { type: 'ter' }, {}, 0],
])('%s', async (_, failUnder, evaluator, more, code) => {
  const out = join(await writeFolder({}), 'out');
  const { summary } = await evaluate(configOf(evaluator, more), { out, failUnder });
  expect(describeGates(summary)).not.toEqual([]);
  expect(exitCodeOf(summary)).toBe(code);
});

test('the command takes metrics by name, and says what it can take', async () => {
  const folder = await writeFolder({});
  const out = join(folder, 'out');
  await evaluate(configOf(grade), { out });
  const score = (...flags: string[]) => callCommand(['score', out, '--json', ...flags]);
  const missed = await score('--fail-under', 'grade=7');
  expect([missed.code, missed.stderr]).toEqual([
    1,
    'Gate failed: m on d: grade 5, needs at least 7\n',
  ]);
  expect((await score('--fail-under', 'grade=4.5')).code).toBe(0);
  const refused = await score('--fail-under', '80%');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('`--fail-under grade=7`');
  for (const wrong of ['80', '=7', 'grade=', 'grade=x', '-1'])
    expect(await score(`--fail-under=${wrong}`), wrong).toMatchObject({ code: 2 });
});

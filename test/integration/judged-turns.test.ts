import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluate, loadConfig, planRun, rescore, writeBundle } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, type JudgeServer, type Said, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;
beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
  server.answer = answerAsTold;
});

const lastOf = ({ messages }: AskedBody) =>
  String((messages as readonly { readonly content: unknown }[]).at(-1)?.content);
const judged = () => server.asked.filter(({ model }) => model !== 'm').map(lastOf);

/** Models say what stands in `ANS=…;`; judges rate with the number in `J=…;`, or prefer the longer answer. */
function answerAsTold(body: AskedBody): ReturnType<JudgeServer['answer']> {
  const text = lastOf(body);
  if (body.model === 'pair') {
    const [, first = '', second = ''] = /<F>(.*)<\/F> <S>(.*)<\/S>/.exec(text) ?? [];
    if (text.includes('ONCE') && first.length < second.length) return { status: 400 };
    return first.length === second.length
      ? '[[C]]'
      : first.length > second.length
        ? '[[A]]'
        : '[[B]]';
  }
  if (body.model === 'rate') return `Rating: [[${/J=(\d+);/.exec(text)?.[1] ?? 5}]]`;
  if (text.includes('FAIL;')) return { status: 400 };
  const content = /ANS=(\w*);/.exec(text)?.[1] ?? '';
  const said: Said = { content, finish: /CUT;/.test(text) ? 'length' : 'stop' };
  return said;
}

const grade = { type: 'grade', scale: [1, 10], pattern: '\\[\\[([\\d.]+)\\]\\]' };
const pair = { type: 'pair', first: 'A', second: 'B', tie: 'C', pattern: '\\[\\[([ABC])\\]\\]' };
const rating = {
  type: 'judge',
  model: 'rate',
  verdict: grade,
  prompt: '{question} <a>{prediction}</a>',
};
const comparing = {
  type: 'judge',
  model: 'pair',
  against: 'baseline',
  verdict: pair,
  prompt: '{question} <F>{first}</F> <S>{second}</S>',
};
const once = { prompt_template: { template: '{question}' } };
const inTurns = {
  prompt_template: {
    type: 'MultiTurnPromptTemplate',
    template: {
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
  inferencer: { type: 'MultiTurnGenInferencer' },
};

interface Task {
  readonly rows: readonly object[];
  readonly evaluator: object;
  readonly infer?: object;
  readonly dataset?: object;
  readonly price?: object;
}

function configText({ evaluator, infer = inTurns, dataset = {}, price }: Task): string {
  const chat = { type: 'OpenAI', base_url: server.url, max_out_len: 16, retries: 1 };
  const priced = price && { price };
  return JSON.stringify({
    models: [
      { ...chat, abbr: 'm', model: 'm', ...priced },
      { ...chat, abbr: 'rate', model: 'rate', judge: true, ...priced },
      { ...chat, abbr: 'pair', model: 'pair', judge: true, ...priced },
    ],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: infer,
        eval_cfg: { evaluator },
        ...dataset,
      },
    ],
  });
}

async function write(task: Task) {
  const folder = await writeFolder({
    'rows.jsonl': task.rows.map((row) => JSON.stringify(row)).join('\n'),
    'config.json': configText(task),
  });
  const [config, out] = [join(folder, 'config.json'), join(folder, 'run')];
  const log = async () => {
    const text = await readFile(join(out, 'm/d.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).filter((line) => line.part === undefined);
  };
  return { folder, file: config, out, config: await loadConfig(config), log };
}

test('grades of samples do not pass: no pass@k, and no gate on it', async () => {
  const rows = [1, 10].map((mark) => ({ question: `J=${mark}; ANS=z;`, answer: '1' }));
  const { config, out, file, log } = await write({
    rows,
    evaluator: rating,
    infer: once,
    dataset: { n: 4 },
  });
  const { summary } = await evaluate(config, { out });
  const [result] = summary.results;
  expect(result?.score?.value).toBe(5.5);
  const names = ['avg@4', 'cons@1', 'cons@4'];
  expect(result?.metrics?.map(({ name }) => name)).toEqual(names);
  for (const { metrics } of await log()) expect(Object.keys(metrics)).toEqual(names);
  for (const asked of ['pass@1=0.4', 'pass^4=0.1']) {
    const { code, stderr } = await callCommand(['run', file, '--out', out, '--fail-under', asked]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error[gate.unknown_metric]')]);
  }
  expect((await rescore(out)).summary.results[0]?.metrics?.map(({ name }) => name)).toEqual(names);
});

test('answers that are right or wrong by a judge pass as ever', async () => {
  const rows = [
    { question: 'J=1; ANS=z;', answer: '1' },
    { question: 'J=0; ANS=z;', answer: '1' },
  ];
  const verdict = { type: 'choice', correct: '1', incorrect: '0', pattern: '\\[\\[(\\d)\\]\\]' };
  const evaluator = { ...rating, verdict };
  const { config, out } = await write({ rows, evaluator, infer: once, dataset: { n: 2, k: 2 } });
  const { summary } = await evaluate(config, { out });
  const found = summary.results[0]?.metrics?.find(({ name }) => name === 'pass@2');
  expect(found?.score.value).toBe(0.5);
});

const baselines: readonly (readonly [unknown, string | undefined])[] = [
  [['a'], '`baseline` has 1 element, and the dialogue 2 turns'],
  [['a', 'b', 'c'], '`baseline` has 3 elements, and the dialogue 2 turns'],
  [[], '`baseline` has 0 elements, and the dialogue 2 turns'],
  ['a single text', '`baseline` is not a list, and the dialogue has 2 turns'],
  [['a', 'b'], undefined],
];

test('lists that do not fit the turns fail the scoring by name, in plan as in run', async () => {
  const rows = baselines.map(([baseline], index) => ({
    question: [`q${index} ANS=aa;`, 'q ANS=bb;'],
    answer: ['x', 'y'],
    baseline,
  }));
  const { config, out, log, file } = await write({ rows, evaluator: comparing });
  const plan = await planRun(config, { out });
  expect(plan.tasks[0]?.judge).toMatchObject({ requests: 4 });
  const { stdout } = await callCommand(['plan', file, '--out', out]);
  for (const [, reason] of baselines) if (reason) expect(stdout).toContain(`rows.jsonl: ${reason}`);
  const { summary } = await evaluate(config, { out });
  expect(summary.results[0]).toMatchObject({
    rows: { scored: 1, unscored: 4 },
    scorerFailed: 4,
    score: { value: 1 },
  });
  const reasons = (await log()).sort((a, b) => a.id - b.id).map(({ reason }) => reason);
  expect(reasons).toEqual(
    baselines.map(([, reason]) => reason && `turn 1: the scorer failed: ${reason}`),
  );
  expect(judged().sort()).toEqual([
    'q ANS=bb; <F>b</F> <S>bb</S>',
    'q ANS=bb; <F>bb</F> <S>b</S>',
    'q4 ANS=aa; <F>a</F> <S>aa</S>',
    'q4 ANS=aa; <F>aa</F> <S>a</S>',
  ]);
});

test.each([
  ['rubric', { prompt: '{rubric} {question} {prediction}' }],
  ['kind', { by: 'kind' }],
  ['asked', { question_column: 'asked' }],
])(
  'the list %s of another length than the dialogue is not shown to a judge',
  async (column, options) => {
    const row = { question: ['q1 ANS=a;', 'q2 ANS=b;'], answer: ['x', 'y'] };
    const rows = [['a'], 'one for all', ['a', 'b']].map((value) => ({ ...row, [column]: value }));
    const evaluator = { ...rating, ...options };
    const { config, out } = await write({ rows, evaluator });
    const { summary } = await evaluate(config, { out });
    expect(summary.results[0]?.rows).toMatchObject({ scored: 2, unscored: 1 });
    expect(summary.results[0]?.reasons[0]?.reason).toContain(
      `\`${column}\` has 1 element, and the dialogue 2 turns`,
    );
    expect(judged().join('\n')).not.toContain('[');
  },
);

test('what was paid for a dialogue that failed later counts in the summary as in the run', async () => {
  const rows = [
    { question: ['q1 ANS=aa;', 'q2 FAIL;'], answer: ['x', 'y'], baseline: ['a', 'b'] },
    { question: ['q3 ANS=aa;', 'q4 ANS=bbb;'], answer: ['x', 'y'], baseline: ['a', 'b'] },
    { question: ['ONCE ANS=aaa;'], answer: ['x'], baseline: ['a'] },
  ];
  const price = { in: 1000, out: 3000 };
  const { config, out } = await write({ rows, evaluator: comparing, price });
  const { summary } = await evaluate(config, { out });
  const verdicts = judged().length - 1;
  const answers = server.asked.length - judged().length - 1;
  expect(verdicts).toBe(7);
  expect(summary.results[0]).toMatchObject({
    judge: { requests: verdicts, tokens: { input: 7 * verdicts, output: 2 * verdicts }, failed: 1 },
    tokens: { input: 7 * answers, output: 2 * answers },
  });
  const run = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  expect(summary.cost?.total).toBeCloseTo(run.starts[0].cost, 12);
  expect(summary.cost?.total).toBeCloseTo(((verdicts + answers) * (7 * 1000 + 2 * 3000)) / 1e6, 12);
  const again = await rescore(out);
  expect(again.summary.results[0]?.judge).toEqual(summary.results[0]?.judge);
});

test.each<[string, Partial<Task>]>([
  ['turns', { evaluator: rating }],
  ['pairs', { evaluator: comparing }],
  ['the last turn for all', { evaluator: { ...rating, turns: 'last' } }],
  ['samples', { evaluator: rating, infer: once, dataset: { n: 3 } }],
])('a fresh run whose judge was asked about %s is bundled at once', async (_, task) => {
  const isOnce = task.infer !== undefined;
  const rows = [
    { question: ['q1 ANS=aa;', 'q2 ANS=b;'], answer: ['x', 'y'], baseline: ['a', 'b'] },
    { question: ['q3 ANS=c;'], answer: ['x'], baseline: ['abc'] },
  ].map((row) => (isOnce ? { question: row.question[0], answer: 'x' } : row));
  const { config, out, folder } = await write({ rows, evaluator: rating, ...task });
  await evaluate(config, { out });
  const { checks } = await writeBundle(out, join(folder, 'run.zip'));
  expect(checks.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(checks.find(({ kind }) => kind === 'scores')).toMatchObject({ verified: rows.length });
});

test('a row whose judge cannot be asked is named by plan and view, and the others are counted', async () => {
  const rows = ['x', null, 'y'].map((kind, index) => ({
    question: `q${index} ANS=a;`,
    answer: '1',
    kind,
  }));
  const evaluator = { ...rating, prompt: '{kind} {question} {prediction}' };
  const { file, out, config } = await write({ rows, evaluator, infer: once });
  const plan = await planRun(config, { out });
  const reason = '`kind` is null and would be sent as text';
  expect(plan.tasks[0]).toMatchObject({
    send: 3,
    judge: { requests: 2, refused: [{ rows: 1, first: 'row 1 of rows.jsonl', reason }] },
  });
  const planned = await callCommand(['plan', file, '--out', out]);
  expect([planned.code, planned.stdout]).toEqual([
    0,
    expect.stringContaining(`1 row: row 1 of rows.jsonl: ${reason}.`),
  ]);
  const args = ['view', file, '--judge', '--json', '--row'];
  const bad = await callCommand([...args, '1']);
  expect(bad.code).toBe(0);
  const [view] = JSON.parse(bad.stdout).views;
  expect(view.judge).toEqual([]);
  expect(view.diagnostics).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining(`row 1 of rows.jsonl: ${reason}`) }),
  );
  await evaluate(config, { out });
  expect(judged()).toHaveLength(2);
  expect((await planRun(config, { out })).tasks[0]?.judge).toMatchObject({ requests: 0 });
  const shown = await callCommand([...args, '1', '--run', out]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(reason)]);
});

test('the reason of a dialogue says how the turn ended that has no score', async () => {
  const rows = [
    { question: ['CUT; ANS=1;', 'ANS=;', 'ANS=3;'], answer: ['1', '2', '3'] },
    { question: ['ANS=1;', 'CUT; ANS=;', 'ANS=3;'], answer: ['1', '2', '3'] },
  ];
  const { config, out, log } = await write({ rows, evaluator: { type: 'exact' } });
  await evaluate(config, { out });
  const reasonsOf = async () =>
    (await log()).sort((a, b) => a.id - b.id).map(({ reason, finish }) => [reason, finish]);
  const expected = [
    ['turn 2: empty answer', 'length'],
    ['turn 2: empty answer, cut off at the length limit', 'length'],
  ];
  expect(await reasonsOf()).toEqual(expected);
  await rescore(out);
  expect(await reasonsOf()).toEqual(expected);
  await rescore(out, { config });
  expect(await reasonsOf()).toEqual(expected);
});

test('dialogues that are judged as a whole have no scores of turns, however short they are', async () => {
  const rows = [
    { question: ['q1 ANS=aa;', 'q2 ANS=bb;'], answer: ['x', 'y'], baseline: ['a', 'b'] },
    { question: ['q3 ANS=c;'], answer: ['x'], baseline: ['a longer one'] },
  ];
  const evaluator = { ...comparing, turns: 'last' };
  const { config, out, file } = await write({ rows, evaluator });
  const { summary } = await evaluate(config, { out });
  const names = ['win', 'tie', 'loss', 'disagreed'];
  expect(summary.results[0]?.score?.value).toBe(0.5);
  expect(summary.results[0]?.metrics?.map(({ name }) => name)).toEqual(names);
  expect((await rescore(out)).summary.results[0]?.metrics?.map(({ name }) => name)).toEqual(names);
  const { code } = await callCommand(['run', file, '--out', out, '--fail-under', 'all_turns=0.1']);
  expect(code).toBe(2);
});

test('a recorded answer is that of its own request, whatever else is run', async () => {
  const row = { question: ['q5', 'q6'], answer: ['one', 'two'], said: 'single' };
  const asked = (abbr: string, infer_mode: string) => ({
    abbr,
    rows: [row],
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { ...inTurns, inferencer: { ...inTurns.inferencer, infer_mode } },
    eval_cfg: { evaluator: { type: 'exact' } },
  });
  const folder = await writeFolder({});
  const run = async (name: string, datasets: readonly object[]) => {
    const models = [{ abbr: 'rec', type: 'Replay', answer_column: 'said' }];
    const config = { models, datasets } as Parameters<typeof evaluate>[0];
    return (await evaluate(config, { out: join(folder, name) })).summary.results;
  };
  const every = asked('every', 'every');
  const [alone] = await run('alone', [every]);
  expect(alone).toMatchObject({ rows: { failed: 1 } });
  expect(alone?.reasons[0]?.reason).toBe('`said` has no answer to turn 2 of the row');
  const [beside, last] = await run('both', [every, asked('last', 'last')]);
  expect([beside?.reasons, beside?.rows]).toEqual([alone?.reasons, alone?.rows]);
  expect(last).toMatchObject({ rows: { scored: 1 } });
  const long = { ...every, rows: [{ ...row, said: ['one', 'two', 'extra'] }] };
  const [more] = await run('more', [long]);
  expect(more).toMatchObject({ rows: { failed: 1 } });
  expect(more?.reasons[0]?.reason).toBe('`said` of the row has 3 answers, and the row has 2 turns');
});

test('answers that the prompt of a judge does not fit are named by plan, view and run', async () => {
  const rows = [
    { question: ['q1 ANS=a;', 'q2 ANS=b;'], answer: ['x', 'y'] },
    { question: ['q3 ANS=c;'], answer: ['x'] },
  ];
  const evaluator = { ...rating, prompt: '{question_1} {question_2} {prediction}' };
  const { file, out } = await write({ rows, evaluator });
  const reason = 'judge prompt needs `{question_2}`, but turn 1 is judged: use `turns: last`';
  const planned = await callCommand(['plan', file, '--out', out]);
  expect(planned.stdout).toContain(`2 rows: row 0 of rows.jsonl and 1 more: ${reason}`);
  const viewed = await callCommand(['view', file, '--judge', '--json', '--row', '0']);
  const [view] = JSON.parse(viewed.stdout).views;
  expect(view.judge).toHaveLength(1);
  expect(JSON.stringify(view.diagnostics)).toContain(reason);
  const { code, stderr } = await callCommand(['run', file, '--out', out]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`no row has a score: turn 1: ${reason}`),
  ]);
});

test('a row without a column of the judge prompt is named by plan and view', async () => {
  const rows = ['kind', undefined].map((tone, index) => ({
    question: `q${index} ANS=a;`,
    answer: '1',
    ...(tone && { tone }),
  }));
  const evaluator = { ...rating, prompt: '{tone} {question} {prediction}' };
  const { file, out } = await write({ rows, evaluator, infer: once });
  const reason = 'row 1 of rows.jsonl: judge prompt needs the column `tone`';
  const planned = await callCommand(['plan', file, '--out', out]);
  expect(planned.stdout).toContain(`1 row: ${reason}`);
  const viewed = await callCommand(['view', file, '--judge', '--row', '1']);
  expect(viewed.stdout + viewed.stderr).toContain(reason);
});

test('a row that cannot be asked about does not hide the others of a run', async () => {
  const rows = [
    { question: ['q1 ANS=a;'], answer: ['x'] },
    { question: ['q2', 'q3'], answer: ['x'] },
    { question: ['q4 ANS=c;'], answer: ['x'] },
  ];
  const { file, out } = await write({ rows, evaluator: { type: 'exact' } });
  await callCommand(['run', file, '--out', out]);
  const { code, stdout, stderr } = await callCommand(['view', file, '--run', out, '--rows', '0:3']);
  expect([code, stderr]).toEqual([0, '']);
  for (const text of ['q1 ANS=a;', 'q4 ANS=c;', 'row 1 has 2 elements in `question`']) {
    expect(stdout).toContain(text);
  }
});

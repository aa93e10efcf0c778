import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ConfigInput, evaluate, openRun, planRun, rescore } from '../../src/index.ts';
import { exitCodeOf } from '../../src/report/gate.ts';
import { callCommand } from './joints/call-command.ts';
import { answerByHash, type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';
import { readTree } from './run-task.ts';

let models: JudgeServer;
let judges: JudgeServer;

beforeAll(async () => {
  models = await startJudgeServer();
  judges = await startJudgeServer();
});
afterAll(async () => {
  await models[Symbol.asyncDispose]();
  await judges[Symbol.asyncDispose]();
});
beforeEach(() => {
  for (const server of [models, judges]) {
    server.answer = answerByHash;
    server.asked.length = 0;
  }
});

interface Change {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly evaluator?: Readonly<Record<string, unknown>>;
  readonly dataset?: Readonly<Record<string, unknown>>;
  readonly judge?: Readonly<Record<string, unknown>>;
}

const rows = [0, 1, 2, 3, 4].map((n) => ({ question: `What is ${n}?`, answer: 'ABCD'[n % 4] }));

function configOf({ rows: given = rows, evaluator = {}, dataset, judge }: Change = {}) {
  return {
    models: [
      { abbr: 'm', type: 'OpenAI', base_url: models.url, model: 'answering' },
      {
        ...{ abbr: 'strong', type: 'OpenAI', base_url: judges.url, model: 'judge-model' },
        ...{ judge: true, retries: 2, ...judge },
      },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: given,
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: { evaluator: { type: 'judge', model: 'strong', ...evaluator } },
        ...dataset,
      },
    ],
  } as ConfigInput;
}

const samples = { n: 2, k: [1] };
const dialogue = {
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
    inferencer: { type: 'MultiTurnGenInferencer' },
  },
};
const dialogues = [0, 1, 2].map((n) => ({ question: [`${n}?`, 'And?'], answer: ['A', 'B'] }));

const outIn = async () => join(await writeFolder({}), 'run');

test.each([
  ['single rows', {}, 5],
  ['samples', { dataset: samples }, 10],
  ['dialogues', { dataset: dialogue, rows: dialogues }, 3],
])(
  'a judge that is away ends the run with exit 3; %s are judged once it is back',
  async (_, change, fewest) => {
    const folder = await writeFolder({ 'c.json': JSON.stringify(configOf(change)) });
    const command = ['run', join(folder, 'c.json'), '--out', join(folder, 'run')];
    await judges.goAway();
    const away = await callCommand(command).finally(() => judges.comeBack());
    expect([away.code, away.stderr]).toEqual([
      3,
      expect.stringContaining('error[judge.unreachable] The judge `strong` cannot be asked: '),
    ]);
    const answered = models.asked.length;
    expect(answered).toBeGreaterThanOrEqual(fewest);
    const back = await callCommand([...command, '--json']);
    expect(back.code).toBe(0);
    expect(JSON.parse(back.stdout).results[0].rows).toMatchObject({ failed: 0, missing: 0 });
    // Answers that were there are not asked for again.
    expect(new Set(models.asked.map((body) => JSON.stringify(body))).size).toBe(
      models.asked.length,
    );
    const verdicts = judges.asked.length;
    expect((await callCommand(command)).code).toBe(0);
    expect(judges.asked.length).toBe(verdicts);
  },
  30_000,
);

test.each([
  ['single rows', {}],
  ['samples', { dataset: samples }],
  ['dialogues', { dataset: dialogue, rows: dialogues }],
])('%s that the judge fails on have no score until it judges them', async (_, change) => {
  const out = await outIn();
  const config = configOf(change);
  judges.answer = (body, text) =>
    /What is 1\?|n1\?/.test(text) ? { status: 400 } : answerByHash(body, text);
  const { summary } = await evaluate(config, { out });
  const [result] = summary.results;
  expect(exitCodeOf(summary)).toBe(3);
  expect(result).toMatchObject({ rows: { missing: 0, failed: 0 }, judge: { failed: 1 } });
  expect(result?.reasons.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^(turn 1: )?judge failed: .*no verdict today/),
  );
  const answers = models.asked.length;
  const verdicts = judges.asked.length;
  judges.answer = answerByHash;
  const plan = await planRun(config, { out });
  const again = await evaluate(config, { out });
  expect(exitCodeOf(again.summary)).toBe(0);
  expect(again.summary.results[0]?.judge?.failed).toBeUndefined();
  expect(models.asked.length).toBe(answers);
  const asked = judges.asked.length - verdicts;
  expect([plan.total.send, plan.tasks[0]?.judge?.requests]).toEqual([0, asked]);
  expect(asked).toBeGreaterThan(0);
});

test('verdicts of a run that was stopped are those of the rows reached, and it says so', async () => {
  const out = await outIn();
  const rows = [
    { question: ['0?'], answer: ['A'] },
    { question: ['1?', 'And?'], answer: ['A', 'B'] },
  ];
  const config = configOf({ dataset: dialogue, rows });
  const slow = { ...config, models: config.models?.map((one) => ({ ...one, batch_size: 1 })) };
  let stop: (() => void) | undefined;
  judges.answer = (body, text) => {
    if (text.includes('1?')) stop?.();
    return answerByHash(body, text);
  };
  const onStart = (control: { stop: () => void }) => {
    stop = control.stop;
  };
  const { summary } = await evaluate(slow as ConfigInput, { out, onStart });
  expect(summary.results[0]).toMatchObject({ rows: { missing: 1 }, judge: { requests: 1 } });
  expect(judges.asked.length).toBe(2);
  const told = async () => readFile(join(out, 'summary.md'), 'utf8');
  expect(await told()).toContain('1 verdict requested for the rows reached, 7 tokens in');
  stop = undefined;
  const again = await evaluate(slow as ConfigInput, { out });
  expect(again.summary.results[0]?.judge).toMatchObject({ requests: 3 });
  expect(judges.asked.length).toBe(3);
  expect(await told()).toContain('3 verdicts requested, 21 tokens in');
});

test('a verdict that cannot be read is an outcome of its own, and is not asked for again', async () => {
  const out = await outIn();
  judges.answer = () => 'Hm.';
  const { summary } = await evaluate(configOf(), { out });
  expect(summary).toMatchObject({
    complete: true,
    results: [{ reasons: [{ reason: 'unreadable verdict', rows: 5 }], rows: { unscored: 5 } }],
  });
  judges.answer = answerByHash;
  await evaluate(configOf(), { out });
  expect(judges.asked).toHaveLength(5);
});

test('equal requests to a judge are sent once, and counted with their tokens', async () => {
  const out = await outIn();
  const doubled = [...rows, ...rows];
  const { summary } = await evaluate(configOf({ rows: doubled }), { out });
  expect(judges.asked).toHaveLength(5);
  const judge = { requests: 5, cached: 0, tokens: { input: 35, output: 10 } };
  expect(summary.results[0]?.judge).toEqual(judge);
  const { summary: moved } = await evaluate(configOf({ rows: doubled.toReversed() }), { out });
  expect([judges.asked.length, moved.results[0]?.judge]).toEqual([5, judge]);
  const [csv, markdown, report] = await Promise.all(
    ['summary.csv', 'summary.md', 'report.html'].map((name) => readFile(join(out, name), 'utf8')),
  );
  expect(csv).toMatch(/judge_requests,judge_cached,judge_input_tokens,judge_output_tokens/);
  expect(csv?.split('\r\n')[1]).toContain(',5,0,35,10');
  for (const page of [markdown, report]) {
    expect(page).toContain('5 verdicts requested, 35 tokens in, 10 out');
  }
});

test('a new folder with a warm cache asks no judge, and says so', async () => {
  const folder = await writeFolder({});
  const cache = join(folder, 'cache');
  const first = await evaluate(configOf(), { out: join(folder, 'one'), cache });
  const sent = [models.asked.length, judges.asked.length];
  const plan = await planRun(configOf(), { out: join(folder, 'two'), cache });
  expect(plan.total.send).toBe(0);
  const { summary } = await evaluate(configOf(), { out: join(folder, 'two'), cache });
  expect([models.asked.length, judges.asked.length]).toEqual(sent);
  const { score, rows: counts } = first.summary.results[0] ?? {};
  expect(summary.results[0]).toMatchObject({
    score,
    rows: counts,
    judge: { requests: 0, cached: 5, tokens: { input: 0, output: 0 } },
  });
  // What the cache had is kept in the folder as well.
  const scored = await rescore(join(folder, 'two'));
  expect(scored.summary.results).toEqual(summary.results);
});

test('score asks for the verdicts that are not kept, and leaves the folder when it cannot', async () => {
  const out = await outIn();
  await evaluate(configOf(), { out });
  const graded = configOf({ evaluator: { verdict: { type: 'grade', scale: [1, 10] } } });
  const before = await readTree(out);
  await judges.goAway();
  const away = await rescore(out, { config: graded }).catch((error) => error);
  await judges.comeBack();
  expect(away).toMatchObject({ code: 'judge.unreachable' });
  expect(await readTree(out)).toEqual(before);
  judges.answer = (body, text) =>
    /What is 2/.test(text) ? { status: 400 } : answerByHash(body, text);
  await expect(rescore(out, { config: graded })).rejects.toMatchObject({ code: 'judge.failed' });
  const kept = (tree: ReadonlyMap<string, string>) =>
    [...tree].filter(([path]) => !path.includes('verdicts'));
  expect(kept(await readTree(out))).toEqual(kept(before));
  judges.answer = answerByHash;
  judges.asked.length = 0;
  await rescore(out, { config: graded });
  expect(judges.asked.map(({ messages }) => JSON.stringify(messages))).toEqual([
    expect.stringContaining('What is 2'),
  ]);
  judges.asked.length = 0;
  await evaluate(graded, { out });
  expect(judges.asked).toEqual([]);
  // Back to the first way: those verdicts are still there.
  await rescore(out, { config: configOf() });
  expect(judges.asked).toEqual([]);
});

test('a folder of before verdicts were kept is not scored without its judge', async () => {
  const out = await outIn();
  await evaluate(configOf(), { out });
  const log = join(out, 'm/d.jsonl');
  const { writeFile, rm } = await import('node:fs/promises');
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const old = lines.map((line) => JSON.stringify({ ...JSON.parse(line), verdicts: undefined }));
  await writeFile(log, `${old.join('\n')}\n`);
  await rm(join(out, 'm/d.index'));
  await rm(join(out, 'strong'), { recursive: true });
  await expect(rescore(out)).rejects.toMatchObject({
    code: 'score.needs_config',
    message:
      'd of m cannot be scored from its log alone: the run did not save the verdicts of the judge',
  });
  const asked = judges.asked.length;
  const { summary } = await evaluate(configOf(), { out });
  expect([judges.asked.length - asked, summary.results[0]?.rows.missing]).toEqual([0, 0]);
});

test('grades are one line, on their own scale', async () => {
  const out = await outIn();
  judges.answer = () => '{"reason": "r", "grade": 7}';
  const evaluator = { verdict: { type: 'grade', scale: [1, 10] } };
  const { summary } = await evaluate(configOf({ evaluator }), { out });
  const [result] = summary.results;
  expect(result).toMatchObject({ metric: 'grade', plain: true, score: { value: 7 } });
  expect(result?.metrics).toBeUndefined();
  const { terminalTable } = await import('../../src/report/terminal-table.ts');
  const table = terminalTable(summary, { width: 80, color: false });
  expect(table.match(/grade .*/g)).toEqual([expect.stringMatching(/^grade\s+7 /)]);
});

test('judges keep to their pace and their attempts, also as flags say them', async () => {
  const out = await outIn();
  const many = Array.from({ length: 12 }, (_, n) => ({ question: `What is ${n}?`, answer: 'A' }));
  const start = performance.now();
  await evaluate(configOf({ rows: many, judge: { max_rps: 20 } }), { out });
  expect(performance.now() - start).toBeGreaterThan(500);
  let failures = 0;
  judges.answer = () => {
    failures += 1;
    return { status: 503 };
  };
  judges.asked.length = 0;
  const one = { rows: [{ question: 'What else?', answer: 'A' }] };
  await evaluate(configOf(one), { out: join(out, 'again'), retries: 3 });
  expect(failures).toBe(3);
});

test.each([
  ['text_columns', { type: 'choice', text_columns: ['question', 'answr'] }, 'answr', 'answer'],
  [
    'question_column',
    { type: 'judge', model: 'strong', question_column: 'qestion' },
    'qestion',
    'question',
  ],
  ['against', { type: 'judge', model: 'strong', against: 'anser' }, 'anser', 'answer'],
  [
    'prompt',
    { type: 'judge', model: 'strong', prompt: '{prediction} {questin}' },
    'questin',
    'question',
  ],
])(
  'a column in %s that no row has is refused by its place',
  async (option, evaluator, name, near) => {
    const out = await outIn();
    const config = configOf({ dataset: { eval_cfg: { evaluator } } });
    const error = await evaluate(config, { out }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'data.unknown_column',
      message: `No row of the dataset \`d\` has a column \`${name}\``,
      path: expect.arrayContaining(['eval_cfg', 'evaluator', option]),
      hint: expect.stringContaining(`Did you mean \`${near}\`?`),
    });
    expect([models.asked, judges.asked]).toEqual([[], []]);
  },
);

test('a config of one dataset leaves the others of the run as they were', async () => {
  const out = await outIn();
  const one = configOf();
  const [dataset] = one.datasets ?? [];
  const two = { ...one, datasets: [dataset, { ...dataset, abbr: 'e' }] } as ConfigInput;
  const { summary } = await evaluate(two, { out });
  const scored = await rescore(out, { config: one });
  expect(scored.summary.results).toEqual(summary.results);
  expect((await openRun(out)).summary?.results).toHaveLength(2);
});

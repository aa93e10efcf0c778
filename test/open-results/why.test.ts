import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '../../src/index.ts';
import type { TaskComparison, Why, WhyCause } from '../../src/study/compare/comparison.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import {
  aisBenchFolder,
  type GivenRow,
  inspectFile,
  jsonLines,
  lmEvalFolder,
  openCompassFolder,
  promptfooFile,
  writeFiles,
} from './foreign-files.ts';

const questions = ['2+2', '3+5', '9-4', '6*7', '8/2', '1+1', '7-4', '5*3', '12/4', '10+1'];
const golds = ['4', '8', '5', '42', '4', '2', '3', '15', '3', '11'];

/** Ten rows, the last two of them wrong. */
const rows: readonly GivenRow[] = questions.map((question, index) => {
  const gold = golds[index] ?? '';
  const isRight = index < 8;
  return {
    prompt: `Question: ${question}\nAnswer:`,
    answer: isRight ? gold : '0',
    gold,
    score: Number(isRight),
  };
});

/** The rows with some of them changed. */
const changed = (change: Readonly<Record<number, Partial<GivenRow>>>) =>
  rows.map((row, index) => ({ ...row, ...change[index] }));

/** A run of Typecase on the same rows. */
async function ownRun(given: readonly GivenRow[], evaluator = 'exact'): Promise<string> {
  const folder = writeFiles({
    'rows.jsonl': jsonLines(given.map(({ prompt, gold, answer }) => ({ prompt, gold, answer }))),
    'config.yaml': `
models: [{ abbr: tiny, type: Replay, answer_column: answer }]
datasets:
  - abbr: sums
    path: ${JSON.stringify('./rows.jsonl')}
    reader_cfg: { input_columns: [prompt], output_column: gold }
    infer_cfg: { prompt_template: { template: '{prompt}' } }
    eval_cfg: { evaluator: { type: ${evaluator} } }
`,
  });
  const out = join(folder, 'run');
  const said = await callCommand(['run', join(folder, 'config.yaml'), '--out', out]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  return out;
}

async function compare(
  a: string,
  b: string,
  ...options: readonly string[]
): Promise<TaskComparison> {
  const said = await callCommand(['compare', a, b, '--json', ...options]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  const [task] = (JSON.parse(said.stdout) as { readonly tasks: readonly TaskComparison[] }).tasks;
  if (!task) throw new RangeError('nothing was compared');
  return task;
}

function whyOf({ why }: TaskComparison): Why {
  if (!why) throw new RangeError('nothing was explained');
  const sum = why.parts.reduce((total, { points }) => total + points, 0);
  expect(sum).toBeCloseTo(why.difference, 9);
  expect(why.b - why.a).toBeCloseTo(why.difference, 9);
  return why;
}

const pointsOf = ({ parts }: Why) =>
  Object.fromEntries(parts.map(({ cause, points }) => [cause, Number(points.toFixed(6))]));

describe('results of each harness compare with a run of the same rows', () => {
  test.each([
    ['OpenCompass', openCompassFolder],
    ['AISBench', aisBenchFolder],
    ['lm-evaluation-harness', lmEvalFolder],
    ['Inspect', inspectFile],
    ['promptfoo', promptfooFile],
  ])('%s', async (_, write) => {
    const own = await ownRun(rows.map((row) => ({ ...row, answer: row.gold, score: 1 })));
    const task = await compare(write(rows), own);
    expect(task.pairing).toMatchObject({ rows: 10, unpaired: { a: 0, b: 0 } });
    const why = whyOf(task);
    expect(why).toMatchObject({ a: 0.8, b: 1, prompts: { same: 10, other: 0 } });
    expect(pointsOf(why)).toEqual({ answers: 0.2 });
    expect(why.parts[0]).toMatchObject({ rows: 2, sides: { a: 0, b: 2 } });
  });
});

interface Case {
  readonly cause: WhyCause;
  readonly a: string;
  readonly b: string;
  readonly points: number;
  readonly count: number;
}

const right = { score: 1 } as const;

const cases: readonly Case[] = [
  {
    // A has a row more, which is right: 9 of 11 against 8 of 10.
    cause: 'rows',
    a: openCompassFolder([
      ...rows,
      { prompt: 'Question: 99-1\nAnswer:', answer: '98', gold: '98', score: 1 },
    ]),
    b: inspectFile(rows),
    points: 0.8 - 9 / 11,
    count: 1,
  },
  {
    cause: 'prompts',
    a: openCompassFolder(rows),
    b: inspectFile(
      rows.map(({ prompt, gold }) => ({
        ...{ prompt: `Think.\n${prompt}`, gold, answer: gold },
        ...right,
      })),
    ),
    points: 0.2,
    count: 2,
  },
  {
    cause: 'answers',
    a: lmEvalFolder(rows),
    b: inspectFile(changed({ 0: { answer: '5', score: 0 }, 9: { answer: '11', ...right } })),
    points: 0,
    count: 2,
  },
  {
    cause: 'extraction',
    a: openCompassFolder(
      changed({ 3: { answer: 'It is 42, not 40.', extracted: '40', score: 0 } }),
    ),
    b: inspectFile(changed({ 3: { answer: 'It is 42, not 40.', extracted: '42' } })),
    points: 0.1,
    count: 1,
  },
  {
    cause: 'gold',
    a: openCompassFolder(rows),
    b: inspectFile(changed({ 2: { gold: '6', score: 0 } })),
    points: -0.1,
    count: 1,
  },
  {
    cause: 'gold',
    a: lmEvalFolder(rows),
    b: lmEvalFolder(changed({ 2: { gold: '6', score: 0 } })),
    points: -0.1,
    count: 1,
  },
  {
    cause: 'gold',
    a: inspectFile(rows),
    b: lmEvalFolder(changed({ 2: { gold: '6', score: 0 } })),
    points: -0.1,
    count: 1,
  },
  {
    cause: 'metric',
    a: aisBenchFolder(changed({ 4: { answer: '4.0', score: 0 } })),
    b: inspectFile(changed({ 4: { answer: '4.0' } })),
    points: 0.1,
    count: 1,
  },
  {
    cause: 'scoring',
    a: promptfooFile(changed({ 1: { answer: 'It is 8.', score: 0 } })),
    b: inspectFile(changed({ 1: { answer: 'It is 8.' } })),
    points: 0.1,
    count: 1,
  },
];

test.each(cases)(
  'a difference of $cause is explained as such',
  async ({ cause, a, b, points, count }) => {
    const why = whyOf(await compare(a, b));
    expect(pointsOf(why)).toEqual({ [cause]: Number(points.toFixed(6)) });
    expect(why.parts[0]).toMatchObject({ cause, rows: count });
  },
);

test('nothing is put down to scoring where it changes nothing', async () => {
  const b = inspectFile(
    changed({
      0: { answer: 'It is 5.', extracted: '5', score: 0 },
      1: { answer: 'It is 8.', extracted: '8' },
    }),
  );
  const why = whyOf(await compare(lmEvalFolder(changed({ 0: { answer: '7', score: 0 } })), b));
  expect(why.parts).toEqual([]);
  expect(why.notes.filter((note) => note.includes('is scoring'))).toEqual([]);
});

test('gold answers that a side does not record are not said to be the same', async () => {
  const sides = [promptfooFile(rows), lmEvalFolder(rows)] as const;
  expect(whyOf(await compare(...sides)).differing).toEqual({
    answers: 0,
    extracted: null,
    gold: null,
  });
  const said = await callCommand(['compare', ...sides]);
  expect(said.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'values read from them and gold answers are not known of both sides.',
  );
  const own = await compare(
    inspectFile(rows),
    lmEvalFolder(changed({ 2: { gold: '6', score: 0 } })),
  );
  expect(whyOf(own).differing.gold).toBe(1);
});

test('mixed causes are told apart, and each has its share', async () => {
  const a = openCompassFolder([
    ...changed({
      0: { prompt: 'Q: 2+2 A:', answer: '4', score: 1 },
      1: { answer: 'It is 8, or 9.', extracted: '9', score: 0 },
      2: { answer: '6', score: 0 },
      3: { answer: '42.0', extracted: '42.0', score: 0 },
    }),
    { prompt: 'Question: 99-1\nAnswer:', answer: '98', gold: '98', score: 1 },
  ]);
  const b = lmEvalLike([
    ...changed({
      0: { answer: '5', score: 0 },
      1: { answer: 'It is 8, or 9.', extracted: '8' },
      3: { answer: '42.0', extracted: '42.0' },
      5: { gold: '3', score: 0 },
    }),
    { prompt: 'Question: 55-1\nAnswer:', answer: '53', gold: '54', score: 0 },
  ]);
  const task = await compare(a, b);
  const why = whyOf(task);
  expect(task.pairing).toMatchObject({ rows: 10, unpaired: { a: 1, b: 1 } });
  // Of ten common rows, A has 5 right and B 6; the row more is right in A and wrong in B.
  expect(why).toMatchObject({ a: 6 / 11, b: 6 / 11 });
  expect(pointsOf(why)).toEqual({
    rows: Number((0.5 - 6 / 11 + 6 / 11 - 0.6).toFixed(6)),
    prompts: -0.1,
    answers: 0.1,
    extraction: 0.1,
    gold: -0.1,
    metric: 0.1,
  });
  expect(why.prompts).toMatchObject({ same: 9, other: 1, unknown: 0 });
  expect(why.prompts.places).toMatchObject([
    {
      rows: 1,
      row: { a: 0 },
      line: 1,
      column: 2,
      before: 'Q',
      a: ': 2+2 A:',
      b: 'uestion: 2+2\nAnswer:',
    },
  ]);
});

/** In another order, so that numbers mean other rows. */
function lmEvalLike(given: readonly GivenRow[]): string {
  return inspectFile(given.toReversed());
}

test('what scoring changes is told apart from answers, where an evaluator scores them as the other side does', async () => {
  const long = rows.map((row, index) => ({
    ...row,
    answer: index < 4 ? `The answer is ${row.gold}.` : row.answer,
    score: index < 4 ? 0 : row.score,
  }));
  const short = await ownRun(changed({ 8: { answer: '3' } }), 'number');
  const why = whyOf(await compare(openCompassFolder(long), short));
  expect(why).toMatchObject({ a: 0.4, b: 0.9 });
  expect(pointsOf(why)).toEqual({ extraction: 0.4, answers: 0.1 });
  expect(why.notes.join(' ')).toContain('scored as B scores, by `number`');
});

test('which side comes first changes the signs alone', async () => {
  const said = (gold: string) => (index: number) => (index < 5 ? `It is ${gold}.` : gold);
  const worded = changed(
    Object.fromEntries(rows.map(({ gold }, index) => [index, { answer: said(gold)(index) }])),
  );
  const [exact, number] = [await ownRun(worded, 'exact'), await ownRun(rows, 'number')];
  const there = pointsOf(whyOf(await compare(exact, number, '--why')));
  const back = pointsOf(whyOf(await compare(number, exact, '--why')));
  expect(Object.keys(there).length).toBeGreaterThan(1);
  const opposite = Object.entries(there).map(([cause, points]) => [cause, -points]);
  expect(back).toEqual(Object.fromEntries(opposite));
});

test('the terminal, Markdown and the page say the same', async () => {
  const [first] = cases.filter(({ cause }) => cause === 'prompts');
  const { a = '', b = '' } = first ?? {};
  const page = join(writeFiles({}), 'page.html');
  const said = await callCommand(['compare', a, b, '--html', page]);
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(
    /other prompt, other answer\s+\+20\.0\s+2 rows: 2 higher in B, 0 in A/,
  );
  expect(said.stdout).toContain('Prompts differ in 10 of 10 rows.');
  expect(said.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'First in 10 rows (row 0, line 1, column 1) at the start: A has “Question: 2+2\\nAnswer:”, B has “Think.\\nQuestion: 2+2\\nAnswer:”.',
  );
  const { stdout } = await callCommand(['compare', a, b, '--markdown']);
  expect(stdout).toContain('| other prompt, other answer | +20.0 | 2 rows: 2 higher in B');
  expect(readFileSync(page, 'utf8')).toContain('other prompt, other answer');
});

test('two runs of Typecase are explained where that is asked for', async () => {
  const [a, b] = [await ownRun(rows), await ownRun(changed({ 8: { answer: '3' } }))];
  expect((await compare(a, b)).why).toBeUndefined();
  expect(pointsOf(whyOf(await compare(a, b, '--why')))).toEqual({ answers: 0.1 });
});

test('a number that rows do not come to is said with exit code 3', async () => {
  const folder = openCompassFolder(rows);
  const other = writeFiles({
    'predictions/tiny/sums.json': {
      0: { origin_prompt: 'Question: 2+2\nAnswer:', prediction: '4', gold: '4' },
    },
    'results/tiny/sums.json': { accuracy: 50, details: { 0: { correct: true } } },
  });
  const said = await callCommand(['compare', folder, other]);
  expect(said.code).toBe(3);
  expect(said.stderr).toContain('the results file says 0.5, but its rows give 1');
});

test('score and leaderboard take results as they are', async () => {
  const board = await callCommand([
    'leaderboard',
    inspectFile(rows),
    openCompassFolder(rows),
    '--json',
  ]);
  expect(board, board.stderr).toMatchObject({ code: 0 });
  expect(board.stdout).toContain('"tiny"');
  const folder = writeFiles({});
  const before = process.cwd();
  process.chdir(folder);
  try {
    const file = promptfooFile(changed({ 0: { answer: 'It is 4.' } }));
    const scored = await callCommand([
      'score',
      inspectFile(rows),
      '--evaluator',
      'number',
      '--json',
    ]);
    expect(scored, scored.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(scored.stdout)).toMatchObject({ results: [{ score: { value: 0.8 } }] });
    const own = await callCommand(['score', file]);
    expect(own.code).toBe(2);
    expect(own.stderr).toContain('it is scored by a function, which runs do not record');
  } finally {
    process.chdir(before);
  }
});

test('tests that pass in promptfoo are held against rows that pass all of their checks', async () => {
  const given = rows.slice(0, 4);
  // Two checks each: of the last two rows one fails, so that their mean is 0.5 and they do not pass.
  const wanted = given.map(({ gold }, index) => (index < 2 ? String(gold) : 'zzz'));
  const prompts = ['Question: {{ q }}', 'Q: {{ q }}'];
  const results = prompts.flatMap((prompt, promptIdx) =>
    given.map((row, testIdx) => ({
      ...{ promptIdx, promptId: `id-${promptIdx}`, testIdx, provider: { id: 'tiny' } },
      prompt: { raw: prompt.replace('{{ q }}', String(questions[testIdx])), label: prompt },
      response: { output: row.answer },
      vars: { q: questions[testIdx] },
      success: testIdx < 2,
    })),
  );
  const columns = prompts.map((raw, at) => ({ raw, label: at === 0 ? 'long' : raw }));
  const folder = writeFiles({
    'sums.json': { results: { version: 3, results, prompts: columns } },
    'config.json': {
      models: [{ abbr: 'tiny', type: 'Replay', answer_column: 'answer' }],
      datasets: ['long', 'prompt-2'].map((abbr, at) => ({
        abbr,
        rows: given.map(({ answer }, index) => ({
          ...{ q: questions[index], answer, wanted: wanted[index] },
        })),
        reader_cfg: { input_columns: ['q'], output_column: null },
        infer_cfg: { prompt_template: { template: prompts[at]?.replace('{{ q }}', '{q}') } },
        eval_cfg: {
          evaluator: [
            { type: 'contains', column: 'wanted' },
            { type: 'length', min: 1 },
          ],
        },
      })),
    },
  });
  const out = join(folder, 'run');
  const ran = await callCommand(['run', join(folder, 'config.json'), '--out', out]);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  for (const sides of [
    [join(folder, 'sums.json'), out] as const,
    [out, join(folder, 'sums.json')] as const,
  ]) {
    const said = await callCommand(['compare', ...sides, '--json']);
    expect(said, said.stderr).toMatchObject({ code: 0 });
    const { tasks } = JSON.parse(said.stdout) as { readonly tasks: readonly TaskComparison[] };
    expect(tasks.map(({ name, why }) => [name, why?.a, why?.b])).toEqual([
      ['long', 0.5, 0.5],
      ['prompt-2', 0.5, 0.5],
    ]);
    expect(tasks.map((task) => pointsOf(whyOf(task)))).toEqual([{}, {}]);
  }
});

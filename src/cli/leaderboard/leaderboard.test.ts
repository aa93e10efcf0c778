import { expect, test } from 'vitest';
import { describeNotes } from '../../report/leaderboard/notes.ts';
import { leaderboardCsv, leaderboardMarkdown } from '../../report/leaderboard/render-tables.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { type LeaderboardOptions, makeLeaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { ModelResult } from '../../study/leaderboard/task-score.ts';
import { readResult } from '../../suites/japanese-financial/scoring/read-result.ts';

interface Task {
  readonly right: number;
  readonly count: number;
  readonly hash?: string;
  /** How many documents there are, if not all were asked. */
  readonly of?: number;
}

interface FileFacts {
  readonly file?: string;
  readonly args?: string;
  readonly config?: object;
}

/** A result file of Typecase: so many right answers among so many documents of each task. */
function resultOf(
  model: string,
  tasks: Readonly<Record<string, Task>>,
  { file: name = `${model}.json`, args = '', config = {} }: FileFacts = {},
): ModelResult {
  const recorded = Object.entries(tasks).map(([name, task]) => {
    const [base = '', , version = '0.0'] = name.split('-');
    const { right, count, hash = `data of ${base}`, of = count } = task;
    const doc = Array.from({ length: count }, (_, index) => index);
    const gold = doc.map((index) => index % 2);
    const predicted = doc.map((index) => (index < right ? index % 2 : 1 - (index % 2)));
    const data = { hash, documents: of, synthetic: false };
    return [name, { template: { task: base, version, hash: 'bbbb' }, data, doc, gold, predicted }];
  });
  const file = {
    results: Object.fromEntries(Object.keys(tasks).map((name) => [name, {}])),
    config: { model: 'hf', model_args: `pretrained=${model}${args}`, ...config },
    typecase: { dialect: 'main', model, tasks: Object.fromEntries(recorded) },
  };
  return readResult(file, name) as ModelResult;
}

const rankedNames = (results: readonly ModelResult[], options: LeaderboardOptions = {}) =>
  makeLeaderboard(results, options).models.map(({ model, template }) => `${model} ${template}`);

test('each model by its best template, one for all tasks, and how many were tried', () => {
  const results = [
    resultOf('a', {
      'fp2-1.0-0.1': { right: 5, count: 10 },
      'cma_basics-1.0-0.1': { right: 5, count: 10 },
    }),
    resultOf('a', {
      'fp2-1.0-0.2': { right: 8, count: 10 },
      'cma_basics-1.0-0.2': { right: 4, count: 10 },
    }),
    resultOf('b', {
      'fp2-1.0-0.1': { right: 9, count: 10 },
      'cma_basics-1.0-0.1': { right: 9, count: 10 },
    }),
  ];
  expect(rankedNames(results)).toEqual(['b 0.1', 'a 0.2']);
  expect(makeLeaderboard(results).models.map(({ tried }) => tried)).toEqual([1, 2]);
  expect(rankedNames(results, { template: '1.0-0.1' })).toEqual(['b 0.1', 'a 0.1']);
  expect(makeLeaderboard(results, { template: '0.2' }).models).toMatchObject([{ model: 'a' }]);
  expect(() => makeLeaderboard(results, { template: '0.3' })).toThrow(
    expect.objectContaining({ code: 'leaderboard.unknown_template' }),
  );
});

test('a missing version is stood in for; files of a model complete each other', () => {
  const results = [
    resultOf('a', { 'chabsa-1.0-0.2': { right: 5, count: 10 } }),
    resultOf('a', { 'fp2-1.0-0.2.1': { right: 5, count: 10 } }),
  ];
  expect(rankedNames(results)).toEqual(['a 0.2.1']);
});

test('tasks without a template in common: each with its best, of so many', () => {
  const result = resultOf('a', {
    chabsa: { right: 5, count: 10 },
    'fp2-1.0-0.4': { right: 5, count: 10 },
    'fp2-1.0-0.5': { right: 7, count: 10 },
  });
  const [model] = makeLeaderboard([result]).models;
  expect(model).toMatchObject({ template: 'mixed', cells: [{ tried: 1 }, { tried: 2 }] });
  expect(leaderboardMarkdown(makeLeaderboard([result]))).toContain('1.0-0.5, best of 2');
});

test('a model that lacks a task is shown, and not ranked', () => {
  const full = { fp2: { right: 6, count: 10 }, cma_basics: { right: 6, count: 10 } };
  const board = makeLeaderboard([
    resultOf('a', full),
    resultOf('b', { fp2: { right: 9, count: 10 } }),
  ]);
  expect(board.models).toMatchObject([{ model: 'a' }]);
  expect(board.unranked).toMatchObject([{ model: 'b', cells: [undefined, { count: 10 }] }]);
  expect(leaderboardMarkdown(board)).toMatch(/^\| +– \| b +\| +– \| +– \| +90\.0 \[/m);
  expect(describeNotes(board)).toContain('Not ranked, because tasks are missing: b (cma_basics).');
});

// Numbers of the original's files for stockmark-100b under the template `default`.
const scores = (acc: readonly number[], f1: number) =>
  Object.fromEntries(
    ['security_sales_1', 'fp2', 'cpa_audit', 'cma_basics', 'chabsa'].map((task, index) => [
      task,
      { 'acc,none': acc[index], ...(task === 'chabsa' && { 'f1,none': f1 }) },
    ]),
  );
const stockmark = [
  {
    results: scores(
      [0.42105263157894735, 0.24, 0.13819095477386933, 0.2631578947368421, 0.7133238378868315],
      0.686257993299472,
    ),
    config: { model: 'vllm', model_args: 'pretrained=stockmark/stockmark-100b,dtype=bfloat16' },
  },
  {
    results: scores(
      [
        ...[0.43859649122807015, 0.22736842105263158, 0.1407035175879397, 0.2631578947368421],
        0.7230350899909361,
      ],
      0.7345512289427133,
    ),
    config: {
      model: 'hf',
      model_args: 'pretrained=stockmark/stockmark-100b,peft=stockmark/stockmark-100b-instruct-v0.1',
    },
  },
];

test('an adapter makes another model', () => {
  const board = makeLeaderboard(
    stockmark.map((file, index) => readResult(file, `${index}.json`) as ModelResult),
  );
  const table = leaderboardMarkdown(board);
  expect(table).toMatch(/\[stockmark\/stockmark-100b\]\(\S+\) +\| 34\.97 \[/);
  expect(table).toMatch(/100b \+ stockmark\/stockmark-100b-instruct-v0\.1\]\(\S+\) +\| 36\.09 \[/);
});

const task = (right: number, more: Partial<Task> = {}) => ({ fp2: { right, count: 10, ...more } });

test.each<[string, FileFacts, FileFacts, readonly string[]]>([
  ['lora', { args: ',lora_local_path=x/y' }, {}, ['a', 'a + x/y']],
  ['delta', { args: ',delta=x/y' }, {}, ['a', 'a + x/y']],
  ['another revision', { args: ',revision=v2' }, {}, ['a (revision=none)', 'a (revision=v2)']],
  [
    'generation settings',
    { config: { gen_kwargs: { temperature: 1 } } },
    { config: { gen_kwargs: null } },
    ['a (gen_kwargs=none)', 'a (gen_kwargs={"temperature":1})'],
  ],
  ['what changes no answers', { args: ',dtype=float16' }, { args: ',dtype=bfloat16' }, ['a']],
])('models of one name: %s', (_, left, right, expected) => {
  const results = [
    resultOf('a', task(5), { file: '1.json', ...left }),
    resultOf('a', task(5), { file: '2.json', ...right }),
  ];
  const { models } = makeLeaderboard(results);
  expect(models.map(({ model }) => model).sort()).toEqual(expected);
});

test.each<[string, FileFacts & { task: object }, FileFacts & { task: object }, number]>([
  [
    'other shots: the first',
    { task: task(2), config: { num_fewshot: 0 } },
    { task: task(8), config: { num_fewshot: 3 } },
    0.2,
  ],
  ['a partial one and a complete one', { task: task(9, { of: 40 }) }, { task: task(3) }, 0.3],
  [
    'two partial ones: the larger',
    { task: task(9, { of: 99 }) },
    { task: task(3, { count: 20, of: 99 }) },
    0.15,
  ],
])('conflicting results: %s', (_, left, right, expected) => {
  const results = [left, right].map(({ task, ...facts }, index) =>
    resultOf('a', task as never, { ...facts, file: `${index}.json` }),
  );
  const board = makeLeaderboard(results);
  expect(board.models).toHaveLength(1);
  expect(board.models[0]?.average.value).toBeCloseTo(expected);
  const note = describeNotes(board).find((text) => text.includes('Set aside'));
  expect(note).toMatch(
    /^a on fp2, default: .* \(\d\.json\) is used\. Set aside: .* \(\d\.json\)\.$/,
  );
  expect(board.models[0]?.cells[0]?.setAside).toHaveLength(1);
});

const pair = (left: Task, right: Task) =>
  makeLeaderboard([resultOf('a', { fp2: left }), resultOf('b', { fp2: right })]);

test.each<[string, Task, Task, boolean, number | undefined]>([
  ['nested mistakes', { right: 70, count: 100 }, { right: 60, count: 100 }, true, 100],
  ['hardly different', { right: 70, count: 100 }, { right: 69, count: 100 }, false, 100],
  ['some rows in common', { right: 70, count: 100 }, { right: 60, count: 90 }, true, 90],
  ['other rows', { right: 70, count: 100 }, { right: 60, count: 100, hash: 'c' }, false, undefined],
  ['far apart', { right: 90, count: 100 }, { right: 40, count: 100, hash: 'c' }, true, undefined],
  ['five rows', { right: 5, count: 5 }, { right: 0, count: 5 }, false, 5],
])('two models: %s', (_, left, right, isToldApart, pairs) => {
  const board = pair(left, right);
  expect(board.neighbours).toMatchObject([{ isToldApart, tasks: [{ pairs }] }]);
  expect(board.models.map(({ ranks }) => ranks)).toEqual(
    isToldApart
      ? [
          [1, 1],
          [2, 2],
        ]
      : [
          [1, 2],
          [1, 2],
        ],
  );
});

test.each([6, 9, 12])('few rows: the p value of McNemar’s exact test, %i', (right) => {
  const [comparison] = pair({ right, count: 20 }, { right: 4, count: 20 }).neighbours;
  expect(comparison?.p).toBeCloseTo(mcnemar({ onlyA: right - 4, onlyB: 0 }).exact, 12);
});

test('models that gave the same scores share a rank', () => {
  const board = pair({ right: 7, count: 10 }, { right: 7, count: 10 });
  expect(board.models).toMatchObject([
    { rank: 1, isTied: true },
    { rank: 1, isTied: true },
  ]);
  expect(describeNotes(board)).toContain('a and b gave the same scores.');
  expect(leaderboardMarkdown(board)).toMatch(/^\| 1= \(1–2\) \| a /m);
});

test('more models and more templates need more certainty', () => {
  const result = (name: string, right: number, version = '0.1') =>
    resultOf(name, { [`fp2-1.0-${version}`]: { right, count: 100 } });
  const p = (results: readonly ModelResult[]) => makeLeaderboard(results).neighbours[0]?.adjustedP;
  const two = p([result('a', 60), result('b', 50)]) as number;
  expect(p([result('a', 60), result('b', 50), result('c', 40)])).toBeCloseTo(2 * two);
  expect(p([result('a', 60), result('a', 55, '0.2'), result('b', 50)])).toBeCloseTo(2 * two);
});

test('the best of several templates: what to expect on held-out rows', () => {
  const results = ['0.1', '0.2', '0.3'].map((version, index) =>
    resultOf('a', { [`fp2-1.0-${version}`]: { right: 20 + index, count: 40 } }),
  );
  const board = makeLeaderboard(results);
  const [model] = board.models;
  expect(model).toMatchObject({ template: '0.3', tried: 3, average: { value: 0.55 } });
  expect(model?.honest?.value).toBeLessThanOrEqual(0.55);
  expect(describeNotes(board).join(' ')).toMatch(
    /a: \d\d\.\d \[.*\] expected on held-out rows for the best of 3\./,
  );
});

test('any two models', () => {
  const results = [90, 70, 50].map((right, index) =>
    resultOf('abc'.charAt(index), { fp2: { right, count: 100 } }),
  );
  const { compared } = makeLeaderboard(results, { compare: ['c', 'a'] });
  expect(compared).toMatchObject({
    better: { model: 'a' },
    worse: { model: 'c' },
    difference: { value: expect.closeTo(0.4) },
    isToldApart: true,
    tasks: [{ task: 'fp2', pairs: 100 }],
  });
  expect(() => makeLeaderboard(results, { compare: ['a', 'd'] })).toThrow('no model `d`');
  expect(() => makeLeaderboard(results, { compare: ['a', 'a'] })).toThrow('named twice');
});

// Numbers as the original's releases wrote them for Qwen-7B.
const first = {
  results: {
    'chabsa-1.0-0.1': { acc: 0.8406059821312961, f1: 0.8510810408115412 },
    cma_basics: { acc: 0.5789473684210527, acc_stderr: 0.08116837904800629 },
  },
  versions: {},
  config: {
    model: 'hf-causal-experimental',
    model_args: 'pretrained=Qwen/Qwen-7B,trust_remote_code=True',
    num_fewshot: [4, 0],
  },
};
const second = {
  results: {
    'cpa_audit-1.0-0.2': {
      'acc,none': 0.13316582914572864,
      'acc_stderr,none': 0.017051757858934893,
    },
    'chabsa-1.0-0.2': {
      'acc,none': 0.825585912210281,
      'acc_stderr,none': 0.004318242412192669,
      'f1,none': 0.8361985642823015,
    },
  },
  'n-shot': { 'cpa_audit-1.0-0.2': 0, 'chabsa-1.0-0.2': 0 },
  config: { model: 'hf', model_args: 'pretrained=Qwen/Qwen-7B' },
};

test.each([
  [
    first,
    'v0.1.0',
    [
      ['chabsa', 'f1', 0.8510810408115412, true, 4],
      ['cma_basics', 'acc', 22 / 38, false, 0],
    ],
  ],
  [
    second,
    'v0.2.0',
    [
      ['cpa_audit', 'acc', 53 / 398, false, 0],
      ['chabsa', 'f1', 0.8361985642823015, true, 0],
    ],
  ],
] as const)('results of the original: %#', (file, dialect, expected) => {
  const result = readResult(file, 'models/Qwen/Qwen-7B/result.json');
  expect(result).toMatchObject({
    model: 'Qwen/Qwen-7B',
    link: 'https://huggingface.co/Qwen/Qwen-7B',
    dialect,
  });
  const read = result?.scores.map(({ task, metric, score, isGuessed, shots }) => [
    ...[task, metric, score.value, isGuessed, shots],
  ]);
  expect(read).toEqual(
    expected.map((row) => [row[0], row[1], expect.closeTo(row[2], 12), row[3], row[4]]),
  );
});

test('what is no result file', () => {
  expect(readResult({ results: 1 }, 'a.json')).toBeUndefined();
});

test('tables', () => {
  const board = makeLeaderboard([
    resultOf('or|g/a', { fp2: { right: 7, count: 10 }, cma_basics: { right: 10, count: 10 } }),
    resultOf('b', { fp2: { right: 6, count: 10 }, cma_basics: { right: 10, count: 10 } }),
  ]);
  expect(leaderboardMarkdown(board)).toMatchInlineSnapshot(`
    "|    rank | Model                                      |              Ave. |          cma_basics |               fp2 | prompt  |
    | ------: | ------------------------------------------ | ----------------: | ------------------: | ----------------: | ------- |
    | 1 (1–2) | [or\\|g/a](https://huggingface.co/or%7Cg/a) | 85.0 [64.4, 94.6] | 100.0 [72.2, 100.0] | 70.0 [39.7, 89.2] | default |
    | 2 (1–2) | b                                          | 80.0 [60.0, 91.6] | 100.0 [72.2, 100.0] | 60.0 [31.3, 83.2] | default |

    - Scores from 0 to 100 with 95% intervals; Ave. is the mean over tasks.
    - Asked: cma_basics 10 rows; fp2 10 rows.
    - Ranks in brackets: the range of places a model may have, given the models with no clear difference.
    - 0 of 1 pair of models is clearly different; all claims hold jointly at 95% (Holm's method).
    - or\\|g/a and b cannot be told apart: +5.0 points \\[−5.0, +15.0\\], p = 1.00, paired by row.
    "
  `);
  expect(leaderboardCsv(board)).toMatchInlineSnapshot(`
    "rank,first_rank,last_rank,model,prompt,templates_tried,dialect,task,version,template_hash,shots,rows,unscored,metric,score,low,high,level,file,unscored_counted,shortened,interrupted
    1,1,2,or|g/a,default,1,main,Ave.,,,,,,average,0.85,0.6444714455015867,0.9461043662968495,0.95,,,,
    1,1,2,or|g/a,default,1,main,cma_basics,0.0,bbbb,,10,0,acc,1,0.7224672001371113,1,0.95,or|g/a.json,,0,0
    1,1,2,or|g/a,default,1,main,fp2,0.0,bbbb,,10,0,acc,0.7,0.39677814746114565,0.8922087325936989,0.95,or|g/a.json,,0,0
    2,1,2,b,default,1,main,Ave.,,,,,,average,0.8,0.6002621608214903,0.9159098351468818,0.95,,,,
    2,1,2,b,default,1,main,cma_basics,0.0,bbbb,,10,0,acc,1,0.7224672001371113,1,0.95,b.json,,0,0
    2,1,2,b,default,1,main,fp2,0.0,bbbb,,10,0,acc,0.6,0.31267376973365857,0.8318196702937637,0.95,b.json,,0,0
    "
  `);
});

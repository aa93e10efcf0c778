import { expect, test } from 'vitest';
import { describeNotes } from '../../report/leaderboard/notes.ts';
import { leaderboardCsv, leaderboardMarkdown } from '../../report/leaderboard/render-tables.ts';
import { compareNeighbours } from '../../study/leaderboard/compare-models.ts';
import { rankModels } from '../../study/leaderboard/rank-models.ts';
import type { ModelResult } from '../../study/leaderboard/task-score.ts';
import { readResult } from '../../suites/japanese-financial/scoring/read-result.ts';

interface Task {
  readonly right: number;
  readonly count: number;
  readonly hash?: string;
}

/** A result file of Typecase: so many right answers among so many documents of each task. */
function resultOf(model: string, tasks: Readonly<Record<string, Task>>): ModelResult {
  const recorded = Object.entries(tasks).map(([name, { right, count, hash = 'aaaa' }]) => {
    const doc = Array.from({ length: count }, (_, index) => index);
    const gold = doc.map((index) => index % 2);
    const predicted = doc.map((index) => (index < right ? index % 2 : 1 - (index % 2)));
    const [task = '', , version = '0.0'] = name.split('-');
    const data = { hash, synthetic: false };
    return [name, { template: { task, version, hash: 'bbbb' }, data, doc, gold, predicted }];
  });
  const file = {
    results: Object.fromEntries(Object.keys(tasks).map((name) => [name, {}])),
    config: { model: 'hf', model_args: `pretrained=${model}` },
    typecase: { dialect: 'main', model, tasks: Object.fromEntries(recorded) },
  };
  return readResult(file, `${model}.json`) as ModelResult;
}

const rankedNames = (results: readonly ModelResult[], template?: string) =>
  rankModels(results, template).models.map(({ model, template: own }) => `${model} ${own}`);

test('each model by its best template, one for all tasks', () => {
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
  expect(rankedNames(results, '1.0-0.1')).toEqual(['b 0.1', 'a 0.1']);
  expect(rankModels(results, '0.2').incomplete).toEqual(['b']);
  expect(() => rankModels(results, '0.3')).toThrow(
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

test('tasks under different templates are mixed', () => {
  const mixed = resultOf('a', {
    chabsa: { right: 5, count: 10 },
    'fp2-1.0-0.4': { right: 5, count: 10 },
  });
  expect(rankedNames([mixed])).toEqual(['a mixed']);
});

const pair = (left: Task, right: Task) => {
  const ranking = rankModels([resultOf('a', { fp2: left }), resultOf('b', { fp2: right })]);
  const [comparison] = compareNeighbours(ranking);
  return comparison;
};

test.each([
  [
    'same documents, nested mistakes',
    { right: 70, count: 100 },
    { right: 60, count: 100 },
    true,
    1,
  ],
  [
    'same documents, hardly different',
    { right: 70, count: 100 },
    { right: 69, count: 100 },
    false,
    1,
  ],
  ['other documents', { right: 70, count: 100 }, { right: 60, count: 100, hash: 'c' }, false, 0],
  [
    'other documents, far apart',
    { right: 90, count: 100 },
    { right: 40, count: 100, hash: 'c' },
    true,
    0,
  ],
])('%s', (_, left, right, isToldApart, pairedTasks) => {
  expect(pair(left, right)).toMatchObject({ isToldApart, pairedTasks });
});

test('more neighbours need more certainty', () => {
  const result = (name: string, right: number) => resultOf(name, { fp2: { right, count: 100 } });
  const two = compareNeighbours(rankModels([result('a', 60), result('b', 50)]));
  const three = compareNeighbours(rankModels([result('a', 60), result('b', 50), result('c', 40)]));
  expect(two[0]?.difference.level).toBeCloseTo(0.95);
  expect(three[0]?.difference.level).toBeCloseTo(0.975);
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
  const results = [
    resultOf('or|g/a', { fp2: { right: 7, count: 10 }, cma_basics: { right: 10, count: 10 } }),
    resultOf('b', { fp2: { right: 6, count: 10 }, cma_basics: { right: 10, count: 10 } }),
  ];
  const ranking = rankModels(results);
  const comparisons = compareNeighbours(ranking);
  const notes = describeNotes(ranking, { comparisons, results });
  const board = { ranking, comparisons, notes };
  expect(leaderboardMarkdown(board)).toMatchInlineSnapshot(`
    "| Model                                      |              Ave. |          cma_basics |               fp2 | prompt  |
    | ------------------------------------------ | ----------------: | ------------------: | ----------------: | ------- |
    | [or\\|g/a](https://huggingface.co/or%7Cg/a) | 85.00 (64.4–94.6) | 100.00 (72.2–100.0) | 70.00 (39.7–89.2) | default |
    | b                                          | 80.00 (60.0–91.6) | 100.00 (72.2–100.0) | 60.00 (31.3–83.2) | default |

    - Scores from 0 to 100 with their 95 % intervals; Ave. is the mean of the tasks.
    - or\\|g/a and b cannot be told apart: 5.00 points, 0.00 to 15.00 (paired by document).
    "
  `);
  expect(leaderboardCsv(board)).toMatchInlineSnapshot(`
    "rank,model,prompt,dialect,task,version,template_hash,shots,metric,score,low,high,level,files
    1,or|g/a,default,main,Ave.,,,,average,0.85,0.6444714455015867,0.9461043662968495,0.95,or|g/a.json
    1,or|g/a,default,main,cma_basics,0.0,bbbb,,acc,1,0.7224672001371113,1,0.95,or|g/a.json
    1,or|g/a,default,main,fp2,0.0,bbbb,,acc,0.7,0.39677814746114565,0.8922087325936989,0.95,or|g/a.json
    2,b,default,main,Ave.,,,,average,0.8,0.6002621608214903,0.915909835146882,0.95,b.json
    2,b,default,main,cma_basics,0.0,bbbb,,acc,1,0.7224672001371113,1,0.95,b.json
    2,b,default,main,fp2,0.0,bbbb,,acc,0.6,0.31267376973365857,0.8318196702937637,0.95,b.json
    "
  `);
});

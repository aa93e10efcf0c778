import { expect, test } from 'vitest';
import type { Component } from '../../../score/component/component.ts';
import { replyReader } from './read-replies.ts';
import type { JudgedAnswer, Reading, ReplyReader } from './reply-reader.ts';

type Judgement = readonly [reply: string, gold?: unknown, more?: Partial<JudgedAnswer>];

function readerNamed(component: Component): ReplyReader {
  const reader = replyReader(component);
  if (!reader) throw new TypeError(component.type);
  return reader;
}

function readAll(component: Component, judgements: readonly Judgement[]): Reading[] {
  const reader = readerNamed(component);
  return judgements.flatMap(
    ([reply, gold = {}, more = {}]) => reader.read(reply, { gold, row: {}, ...more }) ?? [],
  );
}

/** A measure of all readings, each of a row of its own. */
function measured(component: Component, judgements: readonly Judgement[], name?: string) {
  const reader = readerNamed(component);
  const readings = readAll(component, judgements);
  const metric = reader.datasetMetrics?.find((one) => one.name === (name ?? reader.metric));
  if (metric?.type === 'sums') {
    const counts = readings[0]?.counts ?? [];
    return metric.measure(
      counts.map((_, index) => readings.reduce((sum, one) => sum + (one.counts?.[index] ?? 0), 0)),
    );
  }
  const cells = readings.map(({ entry }) => JSON.stringify([entry]));
  return metric?.measure(cells)(cells.map(() => 1));
}

test.each<[string, string, unknown, number | undefined]>([
  ['mtbench_postprocess', 'Good. Rating: [[7.5]] or Rating: [[2]]', {}, 7.5],
  ['mtbench_postprocess', 'Rating: 7', {}, undefined],
  ['mtbench101_postprocess', 'It gets [[6]], not [[9]]', {}, 6],
  ['alignbench_postprocess', "好{'事实正确性': 9, '综合得分': 7}。", {}, 7],
  ['alignbench_postprocess', "{'别的': 9, '综合得分': 7}", {}, undefined],
  ['alignbench_postprocess', "{'事实正确性': 11, '综合得分': 7}", {}, undefined],
  [
    'alignbench_postprocess',
    '事实正确性：8分\n满足用户需求：7\n清晰度 9\n完备性 6\n综合得分：7',
    {},
    7,
  ],
  ['alignbench_postprocess', '事实正确性：8分\n清晰度 9\n完备性 6\n综合得分：7', {}, undefined],
  ['fofo_postprocess', "{'format_correctness': 1, 'reasons': []}", {}, 1],
  ['followbench_postprocess', 'First.\nYES', { level: 1 }, 1],
  ['followbench_postprocess', "```\n['YES', 'NO']\n```", { level: 2 }, 0],
  ['followbench_postprocess', "['YES', 'YES', 'True']", { level: 3 }, 1],
  ['followbench_postprocess', "['YES', 'YES']", { level: 3 }, undefined],
  ['followbench_postprocess', "['YES', 'perhaps']", { level: 2 }, undefined],
  ['FlamesSummarizer', '分析……分数=2，另有分数=3', {}, 2],
  ['FlamesSummarizer', '分数：2', {}, undefined],
  ['CharmMemSummarizer', 'so it is [Correct], not [错误]', {}, 1],
  ['CharmMemSummarizer', '[错误]', {}, 0],
  ['CharmMemSummarizer', 'correct', {}, undefined],
  [
    'advancedif_rubric_postprocess',
    '{"rubrics_check": {}, "SATISFIED_ALL_REQUIREMENTS": "yes"}',
    {},
    1,
  ],
  ['advancedif_rubric_postprocess', 'x {broken "SATISFIED_ALL_REQUIREMENTS": "NO"}', {}, 0],
  ['advancedif_rubric_postprocess', '"SATISFIED": "YES"', {}, undefined],
  [
    'atlas_judge_postprocess',
    '</think>```json\n{"judgements": [{"label": "A"}, {"label": "A", "explanation": "\\frac"}]}\n```',
    {},
    1,
  ],
  ['atlas_judge_postprocess', '{"judgements": [{"label": "A"}, {"label": "B"}]}', {}, 0],
  ['atlas_judge_postprocess', 'So "label": "A", "explanation": "x"', {}, 1],
  ['atlas_judge_postprocess', 'A', {}, undefined],
  ['writingbench_postprocess', '{"score": 9, "reason": "x"}', {}, 9],
  ['compassarena_subjectiveeval_pointwise_postprocess', '所以[[4分]]', {}, 0.8],
  ['elbench_safety_postprocess', '[[1]] then [[0]] then [[7]]', {}, 0],
  ['elbench_safety_postprocess', '"评分"：1', {}, 1],
  ['elbench_highlevel_edu_postprocess', '[[3]] [[11]]', {}, 3],
  ['chem_exam_score_llmjudge_postprocess', '<NUMBER>0.2</NUMBER> so \\boxed{0.75}', {}, 0.75],
  ['simpleqa_postprocess', 'C', {}, 0],
  ['numerical_llmjudge_postprocess', 'about 2.5 eV', 2, 0.5],
  ['eese_score_postprocess_dict', 'I give 7 points', {}, 0.7],
  ['clbench_llmjudge_postprocess', '```json\n{"Overall Score": 1}\n```', {}, 1],
  ['clbench_llmjudge_postprocess', 'so 0 points', {}, 0],
  ['aa_lcr_llmjudge_postprocess', 'It is INCORRECT.', {}, 0],
  ['aa_lcr_llmjudge_postprocess', 'correct', {}, 1],
  ['peer_llm_judge_postprocess', 'True', {}, 1],
])('%s reads %j', (type, reply, gold, value) => {
  expect(readAll({ type }, [[reply, gold]])[0]?.value).toBe(value);
});

test.each<[Component, string, number | undefined, number | undefined]>([
  [{ type: 'alpacaeval_postprocess' }, 'm', 1, 0],
  [{ type: 'AlpacaSummarizer', judge_type: 'v2' }, 'M.', 0, 1],
  [{ type: 'alpacaeval_postprocess' }, ' m', undefined, undefined],
  [{ type: 'arenahard_postprocess' }, 'My verdict: [[A=B]]', 0.5, 0.5],
  [{ type: 'arenahard_postprocess' }, '[[A<B]]', undefined, undefined],
  [{ type: 'compassarena_postprocess' }, '选择：C', 0, 0],
  [{ type: 'compassarena_postprocess', summary_type: 'half_add' }, 'Choice: C', 0.5, 0.5],
  [{ type: 'CompassArenaSummarizer', summary_type: 'half_add' }, '选择：A', 1, 0],
  [{ type: 'wildbench_postprocess' }, '{"choice": "B+"}', -0.5, 0.5],
  [{ type: 'CompassBenchSummarizer' }, '"choice": "A++"', 1, -1],
  [{ type: 'compassarena_subjectiveeval_pairwise_postprocess' }, '[[B<<A]]', 1, -1],
  [{ type: 'arenahard_bradleyterry_postprocess' }, '[[A<B]]', 0, 1],
])(
  '%j reads %j as worth %j to the first and %j to the second',
  (component, reply, first, second) => {
    const worth = (isFirst: boolean) => readAll(component, [[reply, {}, { isFirst }]])[0]?.value;
    expect([worth(true), worth(false)]).toEqual([first, second]);
  },
);

test('a dialogue of MT-Bench-101 is as good as its worst turn, and tasks count alike', () => {
  const turn = (task: string, multi_id: number, score: number): Judgement => [
    `[[${score}]]`,
    { task, multi_id },
  ];
  const all = [turn('CM', 1, 8), turn('CM', 1, 4), turn('CM', 2, 10), turn('SI', 3, 9)];
  // CM: (4 + 10) / 2, SI: 9
  expect(measured({ type: 'mtbench101_postprocess' }, all)).toBe(8);
});

test('AlignBench is the mean of reasoning and language, whose capabilities count alike', () => {
  const graded = (capability: string, score: number): Judgement => [
    `{'综合得分': ${score}}`,
    { capability },
  ];
  const all = [
    graded('数学计算', 6),
    graded('数学计算', 8),
    graded('逻辑推理', 5),
    graded('角色扮演', 6),
  ];
  // (7 + 5) / 2, and 6 of six capabilities.
  expect(measured({ type: 'AlignmentBenchSummarizer' }, all)).toBe((6 + 1) / 2);
});

test('levels of FollowBench count alike', () => {
  const all: Judgement[] = [
    ['YES', { level: 1 }],
    ['NO', { level: 1 }],
    ["['YES', 'NO']", { level: 2 }],
    ["['YES', 'YES', 'YES']", { level: 3 }],
    ['unreadable', { level: 4 }],
    ["['YES', 'YES', 'YES', 'YES', 'NO']", { level: 5 }],
  ];
  const type = 'followbench_postprocess';
  expect(measured({ type }, all)).toBeCloseTo((0.5 + 0 + 1 + 0 + 0) / 5, 12);
  expect(measured({ type }, all, 'SSR_AVG')).toBeCloseTo((0.5 + 0.5 + 1 + 0 + 0.8) / 5, 12);
});

test('a clear win counts three times in Arena-Hard', () => {
  const all: Judgement[] = [
    ['[[A>>B]]', {}, { isFirst: true }],
    ['[[A>B]]', {}, { isFirst: false }],
    ['[[A=B]]', {}, { isFirst: true }],
  ];
  expect(measured({ type: 'ArenaHardSummarizer' }, all)).toBe((3 + 0 + 0.5) / 5);
});

test('WildBench is the mean of the groups that its tags belong to', () => {
  const gold = (primary_tag: string, ...secondary_tag: string[]) => ({
    primary_tag,
    secondary_tag,
  });
  const all: Judgement[] = [
    ['"choice": "A++"', gold('Math', 'Data Analysis', 'Planning'), { isFirst: true }],
    ['"choice": "A=B"', gold('Reasoning'), { isFirst: true }],
    ['"choice": "unclear"', gold('Editing'), { isFirst: true }],
  ];
  // Math: 1 and 1; planning: 1 and 0.
  expect(measured({ type: 'WildBenchPairSummarizer' }, all)).toBe((1 + 0.5) / 2);
});

test('what was tried and right is told apart from what was not tried', () => {
  const all: Judgement[] = [['A'], ['A'], ['B'], ['C']];
  expect(measured({ type: 'livereasonbench_postprocess' }, all)).toBeCloseTo(2 / 3, 12);
  expect(measured({ type: 'livereasonbench_postprocess' }, all, 'f1')).toBeCloseTo(
    (2 * (2 / 3) * 0.5) / (2 / 3 + 0.5),
    12,
  );
});

test('demands of a rubric are counted over all rows', () => {
  const all: Judgement[] = [
    ['{"rubrics_check": {"q1": "Yes.", "q2": "no"}, "SATISFIED_ALL_REQUIREMENTS": "NO"}'],
    ['{"rubrics_check": {"q1": "YES"}, "SATISFIED_ALL_REQUIREMENTS": "YES"}'],
  ];
  const component = { type: 'advancedif_rubric_postprocess' };
  expect(measured(component, all, 'micro_pass_rate')).toBe(2 / 3);
});

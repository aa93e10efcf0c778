import { expect, test } from 'vitest';
import { Float, type Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import type { PyValue } from '../../../python/values.ts';
import { cleanerNamed, rowJudges } from '../registry.ts';
import type { RowJudge } from './row-judge.ts';

type Options = Readonly<Record<string, unknown>>;

const built = (type: string, options: Options = {}): RowJudge => {
  const judge = rowJudges[type]?.build({ component: { type, ...options }, path: [] }, undefined);
  if (!judge) throw new TypeError(type);
  return judge;
};

/** A measure of all answers, each to a row of its own. */
function measured(
  judge: RowJudge,
  name: string,
  answers: readonly (readonly [PyValue, unknown])[],
) {
  const judged = answers
    .map(([text, gold]) => judge.judge(text, toPython(gold), {}))
    .filter((one) => typeof one === 'object')
    .filter((one) => one.skipped === undefined);
  const metric = judge.datasetMetrics?.find((one) => one.name === name);
  if (metric?.type === 'cells') {
    const cells = judged.map(({ entry }) => JSON.stringify([entry]));
    return metric.measure(cells)(cells.map(() => 1));
  }
  const size = judged[0]?.counts?.length ?? 0;
  return metric?.measure(
    Array.from({ length: size }, (_, place) =>
      judged.reduce((sum, { counts = [] }) => sum + (counts[place] ?? 0), 0),
    ),
  );
}

test('signs are correlated over all rows, and over those that say one', () => {
  const judge = built('GUE_Evaluator');
  const answers = [
    ['positive', 'positive'],
    ['positive', 'negative'],
    ['negative', 'negative'],
    ['', 'positive'],
  ] as const;
  // Hits 1, extra 1, missed 1, rest 1 of all; of those that say one: 1, 1, 0, 1.
  expect(measured(judge, 'matthews_correlation_all', answers)).toBe(0);
  expect(measured(judge, 'matthews_correlation_filtered', answers)).toBeCloseTo(0.5, 12);
});

test('numbers are near or far, and answers without one are left out', () => {
  const judge = built('LLM4Mat_Evaluator', { kind: 'numbers' });
  const answers = [
    [new Float(1), 2],
    [new Float(5), 4],
    ['', 9],
  ] as const;
  expect(judge.judge(new Float(1), 2, {})).toMatchObject({ value: 1 });
  expect(judge.judge('', 2, {})).toMatchObject({ skipped: 'no number in the answer' });
  expect(measured(judge, 'RMSE', answers)).toBe(1);
  expect(measured(judge, 'MAD/MAE', answers)).toBe(1);
});

test('classes are told apart by the area under their curve', () => {
  const judge = built('LLM4Mat_Evaluator', { kind: 'classes' });
  const answers = [
    ['True', 'True'],
    [new Float(0), 'True'],
    ['False', 'False'],
    ['', 'False'],
  ] as const;
  expect(measured(judge, 'AUC', answers)).toBe(0.75);
});

test('a class that is said has precision, recall and their mean', () => {
  const judge = built('MatbenchEvaluator_classification');
  const answers = [
    ['Answer: True', true],
    ['Answer: True', false],
    ['no', true],
    ['no', false],
  ] as const;
  expect(['precision', 'recall', 'f1_score'].map((name) => measured(judge, name, answers))).toEqual(
    [0.5, 0.5, 0.5],
  );
});

test.each<[task: string, text: string, gold: string, score: unknown]>([
  ['Function', 'binds heme groups', 'bind heme group', 1],
  ['Fold_type', ' 12 ', '12', true],
  ['Subcellular_localization', 'Nucleus', 'Membrane', false],
  ['GO', 'a; b, c', 'b；d', { value: 1 / 3, metrics: { Recall: 0.5, 'F1 Score': 0.4 } }],
  ['Keywords', '', 'b', { value: 0, metrics: { Recall: 0, 'F1 Score': 0 } }],
  ['Keywords', 'b', '', undefined],
])('%s: %j for %j', (task, text, gold, score) => {
  expect(built('Opi_Evaluator', { task }).judge(text, gold, {})).toEqual(score);
});

const shares = (type: string, place: string, answers: readonly (readonly [PyValue, unknown])[]) =>
  measured(built(type), place, answers);

test('grids, steps and letters are counted over all rows', () => {
  const grid = {
    rows: [
      ['1', 'red'],
      ['2', 'blue'],
    ],
  };
  expect(
    shares('ZebraLogicGridEvaluator', 'cell_accuracy', [
      ['red', grid],
      ['1 2 red blue', grid],
    ]),
  ).toBe(5 / 8);
  const steps = [
    ['\\boxed{2}', 2],
    ['\\boxed{-1}', 3],
    ['\\boxed{-1}', -1],
  ] as const;
  expect(shares('ProcessBenchEvaluator', 'f1', steps)).toBeCloseTo(2 / 3, 12);
  // Letters in common 1 and 2 of 3 and 4.
  expect(
    shares('F1ScoreEvaluator', 'F1Score', [
      ['A,B', 'A'],
      ['a,c', 'C, A'],
    ]),
  ).toBeCloseTo(6 / 7, 12);
});

test.each<[string, string]>([
  ['The answer is: $\\frac{1}{4}$.', '0.25'],
  ['So x = 3. The answer is x = 12.', '12'],
  ['The answer is 3 apples', '3'],
  ['The answer is yes, it holds.', 'True'],
  ['The answer is not so', 'False'],
  ['I think it is 4 or 5', '5'],
  ['The answer is (b)', '(b)'],
  ['The answer is 50%', '0.5'],
  ['The answer is 1.\n\nProblem: The answer is 2.', '1'],
])('TheoremQA finds in %j the answer %s', (text, answer) => {
  expect(
    cleanerNamed('TheoremQA_postprocess_v3')?.build(located('TheoremQA_postprocess_v3'), undefined)(
      text,
      {},
    ),
  ).toBe(answer);
});

const located = (type: string) => ({ component: { type }, path: [] });

test.each<[text: string, gold: string, kind: string, right: boolean]>([
  ['0.26', '0.25', 'float', true],
  ['0.27', '0.25', 'float', false],
  ['2.4', '2', 'integer', true],
  ['2.6', '2', 'integer', false],
  ['True', 'True', 'bool', true],
  ['1', 'True', 'bool', true],
  ['2\\pi', '6.28', 'float', true],
  ['[1, 2]', '[1, 2]', 'list of integer', true],
  ['[2, 1]', '[1, 2]', 'list of integer', false],
  ['it is (B)', '(b)', 'option', true],
])('TheoremQA takes %j for %s (%s): %j', (text, gold, kind, right) => {
  expect(built('TheoremQAEvaluatorV3').judge(text, gold, { Answer_type: kind })).toBe(right);
});

test.each<[string, Row, boolean | undefined]>([
  ['{"a": "[[x]]", "b": "[[Y]]"}', { questions: 2 }, true],
  ['Sure: {"a": "[[x]]",\n "b": "[[z]]"}', { questions: 2 }, false],
  ['{"a": "[[x]]"}', { questions: 2 }, false],
  ['none', { questions: 2 }, false],
  ['{"a": "[[x]]"}', {}, undefined],
])('mixed questions of KOR-Bench: %j', (text, { questions }, right) => {
  const all = [
    { category: 'cipher', rule_id: '1', answer: '[[x]]' },
    { category: 'puzzle', rule_id: '1', answer: '[[y]]' },
  ];
  const row = { prompt_mode: 'mixed', ...(questions ? { questions: all } : {}) };
  expect(built('korbenchEvaluator').judge(text, '', row)).toBe(right);
});

test.each<[string, string]>([
  ['```python\ndef f(x):\n    return x\n\nprint(f(1))\n```', '    return x'],
  ['from a import b\ndef f(x):\n  y = 1', '    y = 1'],
  ['return x\ny', '    return x\n    y'],
  ['```\n    return 2', '    return 2'],
])('humaneval_postprocess makes of %j the body %j', (text, body) => {
  expect(
    cleanerNamed('humaneval_postprocess')?.build(located('humaneval_postprocess'), undefined)(
      text,
      {},
    ),
  ).toBe(body);
});

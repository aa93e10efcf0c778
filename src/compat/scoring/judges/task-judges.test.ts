import { expect, test } from 'vitest';
import { toPython } from '../../../python/convert.ts';
import { PyTuple } from '../../../python/values.ts';
import { cleanerNamed, rowJudges } from '../registry.ts';

const built = (type: string) =>
  rowJudges[type]?.build({ component: { type }, path: [] }, undefined);

function worthOf(type: string, text: string | PyTuple, gold: unknown): number | undefined {
  const judged = built(type)?.judge(text, toPython(gold), {});
  if (judged === undefined) return undefined;
  return typeof judged === 'object' ? judged.value : Number(judged);
}

const inLanguage = (text: string, language: string) => new PyTuple([text, language]);

test.each<[string, string | PyTuple, unknown, number | undefined]>([
  ['InfiniteBenchmathcalcEvaluator', '[3, 7, 8, 1]', [3, 7, 9, 1], 2],
  ['InfiniteBenchmathcalcEvaluator', '3 7', [3, 7, 9], 2],
  ['PMMEvalXNLIEvaluator', inLanguage('{"answer": "B"} or {"answer": "C"}', 'en'), 'C', 1],
  ['PMMEvalXNLIEvaluator', inLanguage('La réponse est b', 'fr'), 'B', 1],
  ['PMMEvalMMMLUEvaluator', inLanguage('答案是D，不是A', 'ZH-CN'), 'D', 1],
  ['PMMEvalMMMLUEvaluator', inLanguage('D or B', 'EN-US'), 'B', 1],
  ['PMMEvalMHellaswagEvaluator', inLanguage('The answer is C', 'en'), 2, 1],
  ['PMMEvalMLogiQAEvaluator', inLanguage('nothing', 'en'), 0, 0],
  ['NCExactMatchEvaluator', '<SMILES> CCO </SMILES>', '<SMILES> CCO </SMILES>', 1],
  ['NCElementMatchEvaluator', '<MOLFORMULA> OH2 </MOLFORMULA>', 'H2O', 1],
  ['NCElementMatchEvaluator', 'H2O+', 'H2O', 0],
  ['RMSEEvaluator', 'It is \\boxed{-1.5}', '<NUMBER> 0.5 </NUMBER>', 2],
  ['RMSEEvaluator', 'no number', '<NUMBER> 0.5 </NUMBER>', 0.5],
  ['ELBenchChoiceEvaluator', 'ANSWER: C and A', 'AC', 1],
  ['ELBenchChoiceEvaluator', 'A good one\nB', 'B', 1],
  ['ELBenchChoiceEvaluator', 'A Bad Case', 'A', 0],
  ['ELBenchMathEvaluator', 'So \\boxed{\\frac12}', '\\frac{1}{2}', 1],
  ['Game24Evaluator', '(9 - 3) * 4 * 1', '1 3 4 9', 1],
  ['Game24Evaluator', '8 / (3 - 8 / 3)', '3 3 8 8', 1],
  ['Game24Evaluator', '24', '3 3 8 8', 0],
  ['DAPOMathEvaluator', '5', 'x = 5 units', 1],
  ['DAPOMathEvaluatorV2', '5', 'x = 5', 0],
  ['VideoMMEEvaluator', 'The best answer is B', { answer: 'B', duration: 'short' }, 1],
  ['VideoMMEEvaluator', 'none of them', { answer: 'B', duration: 'short' }, 0],
  ['MathVisionEvaluator', 'So \\boxed{1/2}', { type: 'open', answer: '\\frac{1}{2}' }, 1],
  [
    'MathVisionEvaluator',
    'ANSWER: B',
    { type: 'mcq', answer: 'B', choices: '{"A":"x","B":"y"}' },
    1,
  ],
  ['S3EvalEvaluator', 'x, y', 'y, z', 0.5],
  ['S3EvalEvaluator', '12.0', '12', 1],
  ['S3EvalEvaluator', '|n|\n|-|\n|a|\n|b|\n', '|n|\n|-|\n|a|\n', 2 / 3],
])('%s finds %j worth something by %j', (type, text, gold, value) => {
  const got = worthOf(type, text, gold);
  if (value === undefined) expect(got).toBeUndefined();
  else expect(got).toBeCloseTo(value, 12);
});

test('a drop is what is lost of the accuracy on the texts that were not changed', () => {
  const { judge, datasetMetrics = [] } = built('AccDropEvaluator') ?? {};
  const rows = [
    ['A', 'A', 'word_level'],
    ['A', 'B', 'word_level'],
    ['A', 'A', 'original'],
    ['B', 'B', 'original'],
  ] as const;
  const counts = rows.map(([got, want, type]) => {
    const judged = judge?.(got, want, { type });
    return typeof judged === 'object' ? (judged.counts ?? []) : [];
  });
  const sums = [0, 1, 2, 3].map((place) => counts.reduce((sum, one) => sum + (one[place] ?? 0), 0));
  const measured = datasetMetrics.map((one) => one.type === 'sums' && one.measure(sums));
  expect(measured).toEqual([0.5, 0.5, 1]);
});

test.each([
  ['game24_postprocess', 'Steps\nAnswer: (9 - 3) * 4 = 24', '(9 - 3) * 4 '],
  ['clbench_pred_postprocess', 'text \n', 'text'],
  ['dapo_math_postprocess', 'Answer: 4\nanswer: $x = 1,000$.', '1,000.'],
  ['dapo_math_postprocess_v2', 'so \\boxed{\\frac{1}{2}} then \\boxed{3', ''],
])('%s cleans %j', (type, text, wanted) => {
  const clean = cleanerNamed(type)?.build({ component: { type }, path: [] }, undefined);
  expect(clean?.(text, {})).toBe(wanted);
});

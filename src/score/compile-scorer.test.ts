import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import type { ScorerConfig } from './build-scorer.ts';
import { compileScorer } from './compile-scorer.ts';
import type { Component } from './component/component.ts';
import { createScorer } from './create-scorer.ts';
import { trimmed } from './extract/text-extractors.ts';
import { measureText, perplexityScorer } from './perplexity-scorer.ts';
import { splitAnswer } from './split-thought.ts';

interface Case {
  readonly config: ScorerConfig | undefined;
  readonly raw: string;
  readonly gold: unknown;
  readonly row?: Record<string, unknown>;
  readonly label?: unknown;
}

function scoreOf({ config, raw, gold, row = {}, label }: Case) {
  return compileScorer(config).score({ answer: splitAnswer(raw), gold, row, label });
}

const use = (type: string, options: Record<string, unknown> = {}): ScorerConfig => ({
  evaluator: { type, ...options },
});
const after = (evaluator: string, predPostprocessor: Component): ScorerConfig => ({
  evaluator: { type: evaluator },
  predPostprocessor,
});

function nextLine(said: string): [ScorerConfig, string, unknown, number][] {
  return ['number', 'math'].map((type) => [use(type), `So ${said}1/2\n\nby rule 3`, '0.5', 1]);
}

test.each<[config: ScorerConfig, raw: string, gold: unknown, value: number]>([
  [use('exact'), ' Paris\n', 'Paris', 1],
  [use('number'), '\nQuestion: what is 2 + 2?\nAnswer: 4', '4', 1],
  [use('exact'), 'Paris.', 'Paris', 0],
  [use('exact', { ignore_case: true, normalize: true }), 'ｐaris', 'PARIS', 1],
  [use('exact'), 'b', ['a', 'b'], 1],
  [use('AccEvaluator'), '<think>A?</think>\nB', 'B', 1],
  [use('EMEvaluator'), 'The Eiffel Tower, in Paris', ['Eiffel Tower', 'tower'], 1],
  [use('EMEvaluator'), 'the', 'a', 0],
  ...['(A)', 'A', 'an', '?', '.5', 'The', '(B)', 'vitamin A', '-3', '$5', '1/2'].flatMap(
    (same): [ScorerConfig, string, unknown, number][] => [
      [use('EMEvaluator'), same, same, 1],
      [use('EMEvaluator'), same, [same], 1],
      [use('EMEvaluator'), `${same}\nbecause`, same, 1],
    ],
  ),
  [use('EMEvaluator'), 'A', '(A)', 1],
  [use('EMEvaluator'), 'The (A).', 'A', 1],
  [use('EMEvaluator'), 'A', '(B)', 0],
  [use('EMEvaluator'), 'A', ['?'], 0],
  [use('EMEvaluator'), '3.9', '3.5', 0],
  [use('EMEvaluator'), '35', '3.5', 0],
  [use('EMEvaluator'), '1,999', '1,000', 0],
  [use('EMEvaluator'), '1,000', '1000', 1],
  [use('EMEvaluator'), '$1,234,567.50', '$1234567.50', 1],
  [use('EMEvaluator'), '1,2,3', '123', 0],
  [use('EMEvaluator'), '1,000', '1.000', 0],
  [use('EMEvaluator'), '5', '-5', 0],
  [use('EMEvaluator'), '12', '1/2', 0],
  [use('EMEvaluator'), '3.5, I think', '3.5', 1],
  [use('EMEvaluator'), 'Paris, France', 'Paris, Texas', 0],
  [use('EMEvaluator'), 'Option B', 'Option A', 0],
  [after('exact', { type: 'general_postprocess' }), 'A', 'A', 1],
  [after('exact', { type: 'general_postprocess' }), '(A), since', 'A', 1],
  [after('exact', { type: 'general_postprocess' }), 'The cat. It sat.', 'cat', 1],
  [after('exact', { type: 'general_postprocess' }), '3.9', '3.5', 0],
  [after('exact', { type: 'gsm8k_postprocess' }), '#### 3\nQuestion: next 99', '3', 1],
  [after('exact', { type: 'gsm8k_postprocess' }), 'so 1,000\nQuestion: 9?', '1000', 1],
  [
    {
      ...after('exact', { type: 'gsm8k' }),
      datasetPostprocessor: { type: 'gsm8k_dataset_postprocess' },
    },
    'It is 1,200.',
    '7 * 8\n#### 1,200',
    1,
  ],
  ...(
    [
      ['2+3\n#### 5\n\nQuestion: x\nAnswer: 3+3\n#### 6', '5'],
      ['The answer is 5.\n\nQ: How many?\nA: The answer is 9.', '5'],
      ['5\n\nQuestion: 3+3?\nAnswer: 6', '5'],
      ['5\n**Question 2:** 3+3?\nAnswer: 6', '5'],
      ['答えは5です。\n\n問題：3+3は？\n答え：6', '5'],
      ['Question: 2+3?\nAnswer: 5', '5'],
      ['Let me see.\nQuestion: 2+3?\nAnswer: 5', '5'],
      ['There are 3 here.\nAnd 4 there.\nQuestion: how many?\nAnswer: 7', '7'],
    ] as const
  ).flatMap(([raw, gold]): [ScorerConfig, string, unknown, number][] =>
    ['number', 'math'].map((type) => [use(type), raw, gold, 1]),
  ),
  [use('choice'), 'A\n\nQuestion: Which?\nA. x\nB. y\nAnswer: B', 'A', 1],
  [
    after('exact', { type: 'first-option', options: 'ABCD' }),
    'A\n\nQuestion: Which?\nA. x\nB. y\nAnswer: B',
    'A',
    1,
  ],
  [use('choice'), 'Question: Which?\nA. x\nB. y\nAnswer: B', 'B', 1],
  ...(
    [
      ['The answer is 5 (see step 2)', '5'],
      ['The final answer is 6, because 2*3 = 6 and 7-1=6', '6'],
      ['The answer is not 41 but 42', '42'],
      ['12 m^2', '12'],
      ['12 m²', '12'],
      ['12 cm²', '12'],
      ['2024年', '2024'],
      ['1億', '100000000'],
      ['20 (10 + 10)', '20'],
      ['2 hours (120 minutes)', '120'],
      ['2+2=4!', '4'],
    ] as const
  ).map(([raw, gold]): [ScorerConfig, string, unknown, number] => [use('math'), raw, gold, 1]),
  [use('math'), '5!', '120', 1],
  [use('math'), '2x', '2', 0],
  [use('math'), '12m', '12', 0],
  [use('math'), '2^3', '2', 0],
  [use('math'), 'The answer is 3 apples and 4 pears', '3 apples and 4 pears', 1],
  [use('contains'), 'It is 10', '1', 1],
  [use('contains', { whole_words: true }), 'It is 10', '1', 0],
  [use('contains', { whole_words: true }), 'I know', 'no', 0],
  [use('contains', { whole_words: true }), '5.5', '5', 0],
  [use('contains', { whole_words: true }), 'it is -5', '5', 0],
  [use('contains', { whole_words: true }), 'No. It is 5.', '5', 1],
  [use('contains', { whole_words: true }), '東京都です', '東京', 1],
  [use('contains'), 'I think it is Paris.', 'Paris', 1],
  [use('number'), 'She pays 3 × 6 = $18.', '18', 1],
  [use('number'), 'The answer is 18 out of 20.', 18, 1],
  [use('number'), 'Answer: 3 × 6 = 18', 'so #### 18', 1],
  [use('number'), '#### 80,000\nThat took 5 steps.', '80000', 1],
  [use('number'), 'so $\\boxed{80{,}000}$, in 12 steps', 80_000, 1],
  [use('number'), '答えは1万2千円です（3人分）', '12000', 1],
  ...['answer is:\n', 'answer is:\n\n', '**answer is**：\n\n', 'answer is:\n$$\n'].flatMap(
    nextLine,
  ),
  ...['答えは：\n', '正解は:\n\n', '答案是：\n', 'answer is\n\n```\n'].flatMap(nextLine),
  [use('number', { tolerance: 0.01 }), '3.14', Math.PI, 1],
  [use('number'), '3.14', Math.PI, 0],
  [use('choice'), 'A? No. The answer is (C).', 'C', 1],
  [use('choice'), '$\\boxed{B}$, since A is too small', 'b', 1],
  [use('choice', { options: 'AB' }), 'I choose B over C', ['B'], 1],
  [use('choice', { options: ['yes', 'no'] }), 'Yes!', 'yes', 1],
  [use('regex', { pattern: 'label: (\\w+)' }), 'the label: cat', 'cat', 1],
  [use('regex', { pattern: '\\w+$', ignore_case: true }), 'the label CAT', 'cat', 1],
  [after('exact', { type: 'boxed' }), '\\boxed{x+1}', 'x+1', 1],
  [after('exact', { type: 'first-line' }), 'yes\nbecause', 'yes', 1],
  [after('exact', { type: 'after-marker', marker: '=>' }), 'a => b', 'b', 1],
  [after('exact', { type: 'regex', pattern: '(a)(b)', group: 2 }), 'ab', 'b', 1],
  [
    after('AccEvaluator', { type: 'first_option_postprocess', options: 'ABCD' }),
    'ANSWER: c',
    'C',
    1,
  ],
  [after('AccEvaluator', { type: 'last-option', options: 'AB' }), 'A, then B', 'B', 1],
  [after('AccEvaluator', { type: 'first_capital_postprocess' }), 'is it B or C', 'B', 1],
  [after('number', { type: 'first-number' }), '3 of 4', 3, 1],
  [
    after('exact', { type: 'chain', extractors: [{ type: 'boxed' }, { type: 'last-number' }] }),
    'it is 1,000',
    1000,
    1,
  ],
])('%j: %j against %j scores %d', (config, raw, gold, value) => {
  expect(scoreOf({ config, raw, gold })).toMatchObject({ type: 'scored', value });
});

test.each<[reason: string, config: ScorerConfig | undefined, raw: string, gold: unknown]>([
  ['no evaluator', undefined, 'B', 'B'],
  ['no gold answer', use('exact'), 'B', undefined],
  ['no gold answer', use('exact'), 'B', null],
  ['no gold answer', use('contains'), 'B', ' '],
  ['no gold answer', use('exact'), 'B', []],
  ['empty answer', use('exact'), ' \n', 'B'],
  ['empty answer', use('exact'), '<think>B</think>', 'B'],
  ['unfinished thinking', use('choice'), '<think>B', 'B'],
  ['no answer found', use('choice'), "Let's think", 'B'],
  ['unusable gold answer', use('choice'), "Let's think", 'L'],
  ['no answer found', use('number'), 'many', 3],
  ['no answer found', after('AccEvaluator', { type: 'first-capital' }), 'none', 'A'],
  ['unusable gold answer', use('number'), '3', 'many'],
  ['unusable gold answer', use('choice'), 'A', 0],
])('%s', (reason, config, raw, gold) => {
  expect(scoreOf({ config, raw, gold })).toMatchObject({ type: 'unscored', reason });
});

test('a pattern that takes too long leaves the row unscored', () => {
  const text = `${'a'.repeat(45)}b`;
  const scorer = compileScorer({ evaluator: { type: 'regex', pattern: '(a+)+$' } });
  expect(scorer.score({ answer: splitAnswer(text), gold: 'a', row: {} })).toEqual({
    type: 'unscored',
    reason: 'pattern takes too long',
    detail: 'the pattern `(a+)+$` takes more than a second on a text of 46 characters',
  });
});

test('a row shows the way from answer to verdict', () => {
  expect(scoreOf({ config: use('number'), raw: 'That makes $1,200.', gold: '1300' })).toEqual({
    type: 'scored',
    value: 0,
    extracted: '1200',
    place: { start: 12, end: 17 },
    tried: expect.arrayContaining(['boxed → last-number', 'last-number']),
    compared: { got: '1200', want: '1300' },
  });
});

test.each([
  ['columns', ['a', 'b'], { a: 'Rome', b: 'Paris' }],
  ['a list', ['choices'], { choices: ['Rome', 'Paris'] }],
])('option texts come from %s of the row', (_, text_columns, row) => {
  const config = use('choice', { text_columns });
  const paris = { config, row, gold: 'B' };
  expect(scoreOf({ ...paris, raw: 'It is Paris' })).toMatchObject({ value: 1, extracted: 'B' });
  expect(scoreOf({ ...paris, raw: 'C' })).toMatchObject({ reason: 'no answer found' });
  expect(scoreOf({ ...paris, raw: 'B', gold: 'paris' })).toMatchObject({ value: 1 });
});

test('a label that the task chose is compared as it is', () => {
  const config = use('choice');
  expect(scoreOf({ config, raw: '', gold: 'B', label: 'B' })).toMatchObject({ value: 1 });
  expect(scoreOf({ config: use('exact'), raw: '', gold: 1, label: 1 })).toMatchObject({ value: 1 });
});

test('the gold answer can be cleaned as well', () => {
  const config = {
    ...use('exact'),
    datasetPostprocessor: { type: 'after-marker', marker: '####' },
  };
  expect(scoreOf({ config, raw: '18', gold: 'because\n#### 18' })).toMatchObject({ value: 1 });
  expect(scoreOf({ config, raw: '18', gold: '18' })).toMatchObject({ reason: 'no gold answer' });
});

test.each<[ScorerConfig, code: string, message: string, hint: string]>([
  [use('AccEvaluater'), 'unknown_type', 'evaluator has the unknown type', '`AccEvaluator`?'],
  [use('vibes'), 'unknown_type', '`vibes`', 'Available: exact, contains'],
  [use('exact', { ignorecase: true }), 'unknown_key', '`ignorecase`', '`ignore_case`?'],
  [use('exact', { ignore_case: 1 }), 'wrong_type', 'must be true or false, not 1', ''],
  [use('number', { tolerance: -1 }), 'wrong_type', 'tolerance must be', ''],
  [use('choice', { options: [] }), 'wrong_type', 'options must be the letters', ''],
  [use('regex'), 'missing_key', 'evaluator has no `pattern`', 'Add `pattern`'],
  [
    use('regex', { pattern: '(' }),
    'bad_pattern',
    'evaluator.pattern is not a regular',
    'JavaScript',
  ],
  [after('exact', { type: 'boxd' }), 'unknown_type', 'pred_postprocessor has the', '`boxed`?'],
  [
    after('exact', { type: 'boxed', group: 1 }),
    'unknown_key',
    '`group`',
    'Known keys: type, within',
  ],
  [after('exact', { type: 'after-marker' }), 'missing_key', 'no `marker`', ''],
  [after('exact', { type: 'chain', extractors: [{}] }), 'wrong_type', 'extractors must be', ''],
  [
    after('exact', { type: 'chain', extractors: [{ type: 'x' }] }),
    'unknown_type',
    'datasets[0].eval_cfg.pred_postprocessor.extractors[0] has the',
    '',
  ],
])('%j is refused', (config, code, message, hint) => {
  const compile = () => compileScorer(config, { source: ['datasets', 0] });
  expect(compile).toThrow(ConfigError);
  expect(compile).toThrow(
    expect.objectContaining({
      code: `config.${code}`,
      message: expect.stringContaining(message),
      ...(hint && { hint: expect.stringContaining(hint) }),
    }),
  );
});

test('a comparison of the caller', () => {
  const scorer = (value: number) =>
    createScorer({
      metric: 'closeness',
      methodOf: () => ({
        extractors: [trimmed],
        compare: (got, gold) => ({ value, got, want: String(gold) }),
      }),
    });
  const input = { answer: splitAnswer('a'), gold: 'b', row: {} };
  expect(scorer(0.25).score(input)).toMatchObject({ type: 'scored', value: 0.25 });
  expect(scorer(Number.NaN).score(input)).toMatchObject({ reason: 'score out of range' });
  expect(scorer(2).score(input)).toMatchObject({ reason: 'score out of range' });
});

test('any answer is scored within the range, or unscored', () => {
  const types = ['exact', 'contains', 'number', 'choice', 'AccEvaluator', 'EMEvaluator'];
  const scorers = types.map((type) => compileScorer(use(type)));
  fc.assert(
    fc.property(fc.string(), fc.anything(), (raw, gold) => {
      for (const scorer of scorers) {
        const score = scorer.score({ answer: splitAnswer(raw), gold, row: {} });
        if (score.type === 'scored') expect([0, 1]).toContain(score.value);
        else expect(score.reason).not.toBe('');
      }
    }),
  );
});

test('labels that are all impossible, and texts too short to measure, say so', () => {
  const input = { answer: splitAnswer(''), gold: 'a', row: {} };
  const logprobs = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  expect(compileScorer(use('exact')).score({ ...input, logprobs })).toEqual({
    type: 'unscored',
    reason: 'no label is possible',
  });
  const reasonOf = (tokens: number, logprob: number) =>
    perplexityScorer.score({
      ...input,
      measures: measureText({ text: 'a', tokens, logprob, nll: -logprob / tokens }),
    });
  expect(reasonOf(0, 0)).toMatchObject({ reason: 'too short to measure' });
  expect(reasonOf(2, Number.NEGATIVE_INFINITY)).toMatchObject({ reason: 'impossible text' });
});

test.each<[type: string, answer: string, gold: unknown, marked: true | undefined]>([
  ['contains', 'It is 10', '1', true],
  ['contains', 'I know', 'no', true],
  ['contains', '5.5', '5', true],
  ['contains', 'no, I know', 'no', undefined],
  ['contains', 'Parisian', 'Paris', undefined],
  ['contains', 'It is 10', ['1', 'It'], undefined],
  ['contains', 'It is 10', ['1', 'x'], true],
  ['contains', '東京都', '東', undefined],
])('%s: %j with a part that is %j is marked: %s', (type, raw, gold, marked) => {
  const score = scoreOf({ config: use(type), raw, gold });
  expect(score.type === 'scored' && score.insideWord).toBe(marked);
});

test.each<[type: string, gold: unknown, fault: string | undefined]>([
  ['number', '3 or 4', 'several'],
  ['number', '2-3', 'several'],
  ['number', 'five', 'unusable'],
  ['number', ['five', 'true'], 'unusable'],
  ['number', [3, '4 or 5'], 'several'],
  ['number', [null, ' '], 'unusable'],
  ['number', [null, 3], undefined],
  ['number', [], undefined],
  ['number', '7 * 8 = 56\n#### 56', undefined],
  ['number', '1 1/2', undefined],
  ['number', '80,000 (2 steps)', undefined],
  ['number', '2 + 2 = 4', undefined],
  ['number', 5, undefined],
  ['choice', 0, 'unusable'],
  ['choice', 'B', undefined],
  ['exact', 0, undefined],
])('%s: what is wrong with the gold answer %j: %s', (type, gold, fault) => {
  expect(compileScorer(use(type)).goldFault?.(gold, {})).toBe(fault);
});

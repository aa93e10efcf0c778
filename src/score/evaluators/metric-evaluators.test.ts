import { beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { compileScorer } from '../compile-scorer.ts';
import type { Component } from '../component/component.ts';
import { prepareScorer } from '../open-scorer.ts';
import { splitAnswer } from '../split-thought.ts';

const zh = { type: 'rouge', language: 'zh' };
const ja = { type: 'bleu', tokenize: 'ja' };
beforeAll(async () => {
  for (const evaluator of [zh, ja]) await prepareScorer({ evaluator });
});

function score(evaluator: Component, answer: string, gold: unknown) {
  const outcome = compileScorer({ evaluator }).score({
    answer: splitAnswer(answer),
    gold,
    row: {},
  });
  return outcome.type === 'scored' ? outcome : { value: outcome.reason };
}

const sentence = 'the cat sat on the mat';
const candidates = { candidates: ['Paris', ['London', 'the capital of England']], label: 1 };

test.each<[Component, answer: string, gold: unknown, expected: unknown]>([
  [{ type: 'bleu' }, sentence, [sentence, 'another'], 1],
  [{ type: 'BleuEvaluator' }, sentence, sentence, 1],
  [{ type: 'bleu', smooth_method: 'none' }, 'the cat', 'the dog', 0],
  [{ type: 'bleu', smooth_method: 'floor', smooth_value: 0.5 }, 'the cat', 'the dog', 0.5],
  [{ type: 'bleu', lowercase: true }, sentence.toUpperCase(), sentence, 1],
  [{ type: 'chrf' }, sentence, ['something else', sentence], 1],
  [ja, '東京に住む', '東京に住む', 1],
  [{ type: 'rouge' }, 'testing', 'testing one two', 0.5],
  [{ type: 'rouge', variant: 'rouge2' }, 'testing one', 'testing one two', expect.closeTo(2 / 3)],
  [{ type: 'rouge', use_stemmer: true }, 'running cats', 'run cat', 1],
  [{ type: 'RougeEvaluator' }, 'testing', 'testing one two', 0.5],
  [{ type: 'rouge' }, '我喜欢喝茶', '我喜欢咖啡', expect.closeTo(3 / 5)],
  [zh, '我喜欢喝茶', '我喜欢咖啡', expect.closeTo(2 / 3)],
  [{ type: 'JiebaRougeEvaluator' }, '我喜欢喝茶', '我喜欢咖啡', expect.closeTo(2 / 3)],
  [{ type: 'token_f1' }, 'in the Eiffel Tower', ['Eiffel Tower'], expect.closeTo(0.8)],
  [{ type: 'token_f1' }, 'Paris\nor so', 'Paris', 0.5],
  [{ type: 'SquadEvaluator' }, 'Paris\nor so', 'Paris', 1],
  [{ type: 'edit_distance' }, 'kitten', 'sitting', expect.closeTo(4 / 7)],
  [{ type: 'classification' }, 'cat', 'cat', 1],
  [{ type: 'classification' }, 'dog', 'cat', 0],
  [{ type: 'classification', labels: ['cat', 'dog'] }, 'The answer is: Dog', 'dog', 1],
  [{ type: 'classification', labels: ['cat', 'dog'] }, 'a bird', 'dog', 'no answer found'],
  [{ type: 'classification', labels: 'AB' }, 'B', 'C', 'unusable gold answer'],
  [{ type: 'MccEvaluator' }, ' 1 ', 1, 1],
  [{ type: 'EDAccEvaluator' }, 'the Capital of england', candidates, 1],
  [{ type: 'EDAccEvaluator' }, 'Parris', candidates, 0],
  [{ type: 'EDAccEvaluator' }, 'Paris', 'Paris', 'unusable gold answer'],
  [{ type: 'EDAccEvaluator' }, 'Paris', { candidates: ['a'], label: 3 }, 'unusable gold answer'],
  [{ type: 'rouge' }, 'text', [' ', ''], 'unusable gold answer'],
])('%j: %j against %j', (evaluator, answer, gold, expected) => {
  expect(score(evaluator, answer, gold).value).toEqual(expected);
});

describe('what a row adds to measures of all rows', () => {
  test.each<[Component, answer: string, gold: unknown, expected: object]>([
    [{ type: 'bleu' }, 'a b c', ['a b d', 'a'], { counts: [3, 3, 2, 1, 0, 0, 3, 2, 1, 0] }],
    [
      { type: 'chrf', char_order: 2, word_order: 1 },
      'ab c.',
      'ab d.',
      { counts: [4, 4, 3, 3, 3, 1, 3, 3, 2] },
    ],
    [
      { type: 'edit_distance' },
      'kitten',
      ['sitting'],
      { counts: [3, 7], metrics: { edit_distance: 3 } },
    ],
    [{ type: 'token_f1' }, 'the cat', 'cat', { metrics: { exact_match: 1 } }],
    [
      { type: 'rouge', variant: 'rougeL' },
      'a c',
      'a b c',
      { metrics: { rouge1: 0.8, rouge2: 0, rougeLsum: 0.8 } },
    ],
    [{ type: 'classification' }, 'dog', 'cat', { cell: '["cat","dog"]' }],
    [{ type: 'classification' }, 'dog', ['cat', 'dog'], { cell: '["dog","dog"]' }],
    [
      { type: 'classification', labels: ['cat', 'dog'] },
      'I say DOG',
      'Cat',
      { cell: '["cat","dog"]' },
    ],
  ])('%j: %j against %j', (evaluator, answer, gold, expected) => {
    expect(score(evaluator, answer, gold)).toMatchObject(expected);
  });
});

test.each<[gold: unknown, logprobs: number[], expected: object]>([
  [1, [-3, -1], { value: 1, cell: '[true,2]' }],
  ['0', [-3, -1], { value: 0, cell: '[false,2]' }],
  [1, [-12.5, 0], { value: 1, cell: '[true,12.5]' }],
  [1, [-3, -1, -3], { value: 1, cell: '[true,1.31]' }],
  [0, [0, Number.NEGATIVE_INFINITY], { value: 1, cell: '[false,-1000000]' }],
  [2, [-3, -1], { reason: 'unusable gold answer' }],
])('area under the curve: %j with %j', (gold, logprobs, expected) => {
  const scorer = compileScorer({ evaluator: { type: 'AUCROCEvaluator' } });
  const answer = splitAnswer('B');
  expect(scorer.score({ answer, gold, row: {}, label: 'B', logprobs })).toMatchObject(expected);
  const error = expect.objectContaining({ code: 'score.no_label_loglikelihoods' });
  expect(() => scorer.score({ answer, gold, row: {} })).toThrow(error);
});

test.each<[Component, metric: string, range: number[], others: string[]]>([
  [{ type: 'bleu' }, 'bleu', [0, 1], ['bleu']],
  [{ type: 'chrf', word_order: 2 }, 'chrf++', [0, 1], ['chrf++']],
  [{ type: 'rouge', variant: 'rougeLsum' }, 'rougeLsum', [0, 1], []],
  [{ type: 'edit_distance' }, 'edit_similarity', [0, 1], ['cer']],
  [{ type: 'AUCROCEvaluator' }, 'auc', [0, 1], ['auc']],
  [
    { type: 'classification' },
    'macro_f1',
    [0, 1],
    ['macro_f1', 'weighted_f1', 'balanced_accuracy', 'mcc'],
  ],
  [
    { type: 'classification', positive: 'yes' },
    'f1',
    [0, 1],
    ['f1', 'precision', 'recall', 'balanced_accuracy', 'mcc'],
  ],
  [
    { type: 'classification', metric: 'micro_f1' },
    'micro_f1',
    [0, 1],
    ['macro_f1', 'weighted_f1', 'micro_f1', 'balanced_accuracy', 'mcc'],
  ],
  [
    { type: 'MccEvaluator' },
    'mcc',
    [-1, 1],
    ['macro_f1', 'weighted_f1', 'mcc', 'balanced_accuracy'],
  ],
])('%j reports %s', (evaluator, metric, range, datasetMetrics) => {
  const scorer = compileScorer({ evaluator });
  expect(scorer).toMatchObject({ metric, direction: 'higher', range });
  expect((scorer.datasetMetrics ?? []).map(({ name }) => name)).toEqual(datasetMetrics);
});

test('a rate of errors is lower for better answers, and 0 is right', () => {
  const scorer = compileScorer({ evaluator: { type: 'ter', no_punct: true } });
  expect(scorer).toMatchObject({
    metric: 'ter',
    direction: 'lower',
    range: [0, Number.POSITIVE_INFINITY],
    signature: 'case:lc|tok:tercom|norm:no|punct:no|asian:no',
  });
  const scoreOf = (answer: string) =>
    scorer.score({ answer: splitAnswer(answer), gold: ['The cat sat', 'A cat'], row: {} });
  expect(scoreOf('a CAT.')).toMatchObject({ value: 0, isRight: true, counts: [0, 2.5] });
  expect(scoreOf('cat a')).toMatchObject({ value: 0.4, isRight: false, counts: [1, 2.5] });
  expect(scoreOf('d e f g h')).toMatchObject({ value: 2, isRight: false, counts: [5, 2.5] });
});

test.each<[Component, code: string, message: RegExp]>([
  [{ type: 'bleu', tokenize: '14' }, 'config.unknown_value', /tokenize must be `13a`, `intl`/],
  [{ type: 'bleu', tokenise: 'zh' }, 'config.unknown_key', /unknown key `tokenise`/],
  [{ type: 'chrf', word_order: 1.5 }, 'config.wrong_type', /a whole number from 0 to 10/],
  [{ type: 'chrf', char_order: 0 }, 'config.wrong_type', /a whole number from 1 to 10/],
  [{ type: 'ter', normalised: true }, 'config.unknown_key', /unknown key `normalised`/],
  [{ type: 'rouge', language: '!' }, 'config.wrong_type', /the code of a language/],
  [{ type: 'rouge', language: 7 }, 'config.wrong_type', /the code of a language/],
  [{ type: 'classification', metric: 'recall' }, 'config.missing_key', /has no `positive`/],
  [{ type: 'JiebaRougeEvaluator', language: 'ja' }, 'config.unknown_key', /unknown key/],
])('%j is refused', (evaluator, code, message) => {
  const attempt = () => compileScorer({ evaluator });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});

test('a language that is none is left to the message of the scorer', async () => {
  const evaluator = { type: 'rouge', language: '!' };
  await expect(prepareScorer({ evaluator })).resolves.toEqual([]);
});

import { expect, test } from 'vitest';
import { type Component, compileScorer, type Scorer, splitAnswer } from '../score/index.ts';
import type { RowRecord } from './row-log.ts';
import { Tally } from './summarize.ts';

type Case = readonly [answer: string, gold: unknown];

function recordsOf(scorer: Scorer, cases: readonly Case[]): RowRecord[] {
  return cases.map(([answer, gold], id) => {
    const score = scorer.score({ answer: splitAnswer(answer), gold, row: {} });
    const base = { id, key: String(id), prompt: '' };
    if (score.type === 'unscored') return { ...base, outcome: 'unscored', reason: score.reason };
    const { value, metrics, cell, counts } = score;
    return { ...base, outcome: 'scored', score: value, metrics, cell, counts };
  });
}

function tallyOf(evaluator: Component, cases: readonly Case[], turn = false): Tally {
  const scorer = compileScorer({ evaluator });
  const tally = new Tally(scorer);
  const records = recordsOf(scorer, cases);
  for (const record of turn ? records.reverse() : records) tally.add(record);
  return tally;
}

const dogs: readonly Case[] = [
  ['The dog bit the man.', ['The dog bit the man.', 'The dog had bit the man.']],
  ["It wasn't surprising.", ['It was not unexpected.', 'No one was surprised.']],
  ['The man had just bitten him.', ['The man bit him first.', 'The man had bitten the dog.']],
];
const animals = 'cat cat cat dog dog bird bird bird'.split(' ');
const labels: readonly Case[] = 'cat cat dog dog cat bird bird dog'
  .split(' ')
  .map((answer, index) => [answer, animals[index]]);

const value = (close: number) => expect.objectContaining({ value: expect.closeTo(close, 7) });

test('a corpus metric comes from counts, and the mean of sentences beside it', () => {
  const { result } = tallyOf({ type: 'bleu' }, dogs);
  expect(result).toMatchObject({ metric: 'bleu', score: value(0.48530827) });
  expect(result.metrics?.map(({ name }) => name)).toEqual(['sentence_bleu']);
  expect(result.signature).toBe('case:mixed|eff:no|tok:13a|smooth:exp');
  const { low = 0, high = 0 } = result.score ?? {};
  expect(low).toBeGreaterThan(0);
  expect(low).toBeLessThan(0.48);
  expect(high).toBeGreaterThan(0.49);
});

test('metrics of labels come from a table, and accuracy beside them', () => {
  expect(tallyOf({ type: 'classification' }, labels).result).toMatchObject({
    metric: 'macro_f1',
    // Recorded from scikit-learn 1.2.1.
    score: value(0.6222222222),
    metrics: [
      { name: 'accuracy', score: { value: 0.625, method: 'wilson' } },
      { name: 'weighted_f1', score: value(0.65) },
      { name: 'balanced_accuracy', score: value(0.6111111111) },
      { name: 'mcc', score: value(0.4523809524) },
    ],
  });
  expect(tallyOf({ type: 'classification', metric: 'accuracy' }, labels).result).toMatchObject({
    metric: 'accuracy',
    score: { value: 0.625, method: 'wilson' },
  });
});

test('further measures of rows are averaged, and say how they are read', () => {
  const { result } = tallyOf({ type: 'edit_distance' }, [
    ['kitten', 'sitting'],
    ['x', 'x'],
  ]);
  expect(result).toMatchObject({
    metric: 'edit_similarity',
    score: value((4 / 7 + 1) / 2),
    metrics: [
      { name: 'cer', score: value(3 / 8), direction: 'lower', plain: true },
      { name: 'edit_distance', score: value(1.5), direction: 'lower', plain: true },
    ],
  });
  expect(result).not.toHaveProperty('direction');
});

test.each<[Component, readonly Case[]]>([
  [{ type: 'bleu' }, dogs],
  [{ type: 'chrf', word_order: 2 }, dogs],
  [{ type: 'rouge' }, dogs],
  [{ type: 'classification' }, labels],
  [{ type: 'edit_distance' }, labels],
])('%j: the order of rows does not matter', (evaluator, cases) => {
  expect(tallyOf(evaluator, cases, true).result).toEqual(tallyOf(evaluator, cases).result);
});

test('rows without a score count for nothing but their reason', () => {
  const tally = tallyOf({ type: 'bleu' }, [...dogs, ['', 'gold']]);
  expect(tally.result).toEqual(tallyOf({ type: 'bleu' }, dogs).result);
  expect(tally.reasons).toEqual([{ reason: 'empty answer', rows: 1 }]);
  const none = tallyOf({ type: 'bleu' }, []).result;
  expect(none).toEqual({ metric: 'bleu', signature: 'case:mixed|eff:no|tok:13a|smooth:exp' });
});

test('without what the metric is worked out from, the mean of rows is the score', () => {
  const scorer = compileScorer({ evaluator: { type: 'bleu' } });
  const tally = new Tally(scorer);
  for (const record of recordsOf(scorer, dogs)) tally.add({ ...record, counts: undefined });
  const { result } = tallyOf({ type: 'bleu' }, dogs);
  expect(tally.result).toMatchObject({
    metric: 'sentence_bleu',
    score: result.metrics?.[0]?.score,
  });
  expect(tally.result).not.toHaveProperty('metrics');
});

test('numbers that a log has no form for are left out of means', () => {
  const tally = new Tally(compileScorer({ evaluator: { type: 'exact' } }));
  for (const [id, extra] of [0.5, Number.NaN, null, 1].entries()) {
    const metrics = { extra: extra as number };
    tally.add({ id, key: '', prompt: '', outcome: 'scored', score: 1, metrics });
  }
  expect(tally.result.metrics).toEqual([{ name: 'extra', score: value(0.75) }]);
});

test('too many different labels are no table', () => {
  const scorer = compileScorer({ evaluator: { type: 'classification' } });
  const tally = new Tally(scorer);
  for (let id = 0; id <= 65_536; id += 1) {
    const cell = JSON.stringify(['a', `answer ${id}`]);
    tally.add({ id, key: '', prompt: '', outcome: 'scored', score: 0, cell });
  }
  expect(tally.result).toMatchObject({ metric: 'macro_f1', metrics: [{ name: 'accuracy' }] });
  expect(tally.result).not.toHaveProperty('score');
  expect(tally.reasons).toEqual([
    { reason: 'too many different labels for one table', rows: 65_537 },
  ]);
});

import { describe, expect, test } from 'vitest';
import { compileScorer } from '../score/compile-scorer.ts';
import type { Component } from '../score/component/component.ts';
import { measureText, perplexityScorer } from '../score/perplexity-scorer.ts';
import { combineSamples } from '../score/repeats/combine-samples.ts';
import type { Scorer } from '../score/scorer.ts';
import { splitAnswer } from '../score/split-thought.ts';
import { scoredFields } from './score-answer.ts';
import type { RowRecord } from './store/row-record.ts';
import { Tally } from './summarize.ts';
import { openClusters } from './tallies.ts';

type Case = readonly [answer: string, gold: unknown];

function recordsOf(scorer: Scorer, cases: readonly Case[]): RowRecord[] {
  return cases.map(([answer, gold], id) => {
    const score = scorer.score({ answer: splitAnswer(answer), gold, row: {} });
    const base = { id, key: String(id), prompt: '' };
    if (score.type === 'unscored')
      return { ...base, outcome: 'unscored', reason: score.reason, gold };
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

function tallyRecords(scorer: Scorer, records: readonly RowRecord[]): Tally {
  const tally = new Tally(scorer);
  for (const record of records) tally.add(record);
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

test('metrics stand in the order of the rows that have them, whichever is answered first', () => {
  const scorer = compileScorer({ evaluator: { type: 'exact' } });
  const traits = ['first', 'second', 'third'].map(
    (name) => ({ name, direction: 'higher', range: [0, 1] }) as const,
  );
  const base = { key: '', prompt: '', outcome: 'scored', score: 1 } as const;
  const records = [
    { ...base, id: 0, metrics: { first: 1, second: 0 } },
    { ...base, id: 1, metrics: { third: 1, second: 1 } },
    { ...base, id: 2, metrics: { second: 1, first: 0 } },
  ];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const answered = order.flatMap((id) => records[id] ?? []);
    const { result } = tallyRecords({ ...scorer, traits }, answered);
    expect(result.metrics?.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  }
});

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

test('rows without a score count for nothing but their reason, and as empty answers among all rows', () => {
  const tally = tallyOf({ type: 'bleu' }, [...dogs, ['', 'gold']]);
  const { allRows, metrics, ...others } = tally.result;
  const { metrics: means, ...scored } = tallyOf({ type: 'bleu' }, dogs).result;
  expect(others).toEqual(scored);
  expect(metrics?.map(({ allRows: _, ...metric }) => metric)).toEqual(means);
  expect(tally.reasons).toEqual([{ reason: 'empty answer', rows: 1 }]);
  const none = tallyOf({ type: 'bleu' }, []).result;
  expect(none).toEqual({ metric: 'bleu', signature: 'case:mixed|eff:no|tok:13a|smooth:exp' });
});

test.each([
  ['bleu', dogs],
  ['chrf', dogs],
  ['ter', dogs],
  ['classification', labels],
  ['MccEvaluator', labels],
] as const)('%s of all rows counts a row that failed as an empty answer', (type, cases) => {
  const scorer = compileScorer({ evaluator: { type } });
  const failed = 1;
  const gold = cases[failed]?.[1];
  const answered = recordsOf(scorer, cases).map((record, id): RowRecord => {
    if (id !== failed) return record;
    return { id, key: '1', prompt: '', outcome: 'scored', score: 0, ...scorer.ofNothing?.(gold) };
  });
  const whole = tallyRecords(scorer, answered).result;
  const records = answered.map((record, id): RowRecord => {
    if (id !== failed) return record;
    return { id, key: '1', prompt: '', outcome: 'failed', gold };
  });
  for (const order of [records, records.toReversed()]) {
    const { allRows, score, metrics = [] } = tallyRecords(scorer, order).result;
    expect(allRows).toEqual(whole.score);
    expect(allRows?.value).not.toBe(score?.value);
    if (type === 'ter') continue;
    expect(metrics[0]?.allRows).toEqual(whole.metrics?.[0]?.score);
  }
});

test('a metric that cannot count rows without a score says nothing of all rows', () => {
  const tally = new Tally(perplexityScorer);
  const measures = measureText({ text: 'a text', logprob: -12, tokens: 4, nll: 3 });
  const score = perplexityScorer.score({ answer: splitAnswer(''), gold: '', row: {}, measures });
  tally.add({ id: 0, key: '', prompt: '', ...scoredFields(score, '') });
  tally.add({ id: 1, key: '', prompt: '', outcome: 'failed' });
  expect(tally.result).not.toHaveProperty('allRows');
  expect(tally.result).toMatchObject({ metric: 'nll', uncounted: true });
});

type Asked = readonly [answers: readonly string[], gold: unknown];

function tallyOfSamples(evaluator: Component, rows: readonly Asked[]): Tally {
  const scorer = compileScorer({ evaluator });
  const tally = new Tally(scorer);
  for (const [id, [answers, gold]] of rows.entries()) {
    const samples = answers.map((answer) =>
      scorer.score({ answer: splitAnswer(answer), gold, row: {} }),
    );
    const score = combineSamples(samples, { k: [1] });
    tally.add({ id, key: String(id), prompt: '', ...scoredFields(score, gold) });
  }
  return tally;
}

describe('rows of several samples', () => {
  const dogSamples: readonly Asked[] = dogs.map(([answer, gold], index) => [
    [answer, dogs[(index + 1) % 3]?.[0] ?? '', 'The dog bit the man. It was not unexpected.'],
    gold,
  ]);
  const labelSamples: readonly Asked[] = labels.map(([answer, gold], index) => [
    [answer, animals[(index + 3) % 8] ?? '', 'cat'],
    gold,
  ]);

  test.each<[Component, readonly Asked[]]>([
    [{ type: 'bleu' }, dogSamples],
    [{ type: 'chrf' }, dogSamples],
    [{ type: 'ter' }, dogSamples],
    [{ type: 'classification' }, labelSamples],
    [{ type: 'classification', metric: 'micro_f1' }, labelSamples],
    [{ type: 'MccEvaluator' }, labelSamples],
  ])('%j is worked out for each round of samples and averaged', (evaluator, rows) => {
    const rounds = [0, 1, 2].map((round) =>
      tallyOf(
        evaluator,
        rows.map(([answers, gold]) => [answers[round] ?? '', gold]),
      ),
    );
    const { result } = tallyOfSamples(evaluator, rows);
    const mean = (name: string) =>
      rounds.reduce((sum, { result: { metric, score, metrics = [] } }) => {
        const others = metrics.find((other) => other.name === name)?.score.value;
        return sum + ((metric === name ? score?.value : others) ?? Number.NaN) / 3;
      }, 0);
    expect(result.metric).toBe(rounds[0]?.result.metric);
    expect(result.score).toEqual(value(mean(result.metric)));
    for (const { name } of rounds[0]?.result.metrics ?? []) {
      expect(result.metrics).toContainEqual(
        expect.objectContaining({ name, score: value(mean(name)) }),
      );
    }
    const { low = 0, high = 0 } = result.score ?? {};
    expect(low).toBeLessThan(result.score?.value ?? 0);
    expect(high).toBeGreaterThan(result.score?.value ?? 0);
  });

  test('equal samples have the score and the interval of one', () => {
    for (const [evaluator, cases] of [
      [{ type: 'bleu' }, dogs],
      [{ type: 'classification' }, labels],
    ] as const) {
      const rows = cases.map(([answer, gold]): Asked => [[answer, answer], gold]);
      const { score } = tallyOf(evaluator, cases).result;
      const close = (number = Number.NaN) => expect.closeTo(number, 12);
      expect(tallyOfSamples(evaluator, rows).result.score).toMatchObject({
        value: close(score?.value),
        low: close(score?.low),
        high: close(score?.high),
      });
    }
  });

  test('a sample without a score is left out of its round, and counted', () => {
    const rows = dogSamples.map(
      ([answers, gold], index): Asked => [
        index === 1 ? [answers[0] ?? '', ''] : answers.slice(0, 2),
        gold,
      ],
    );
    const second = rows.flatMap(([answers, gold]): Case[] =>
      answers[1] ? [[answers[1], gold]] : [],
    );
    const rounds = [dogs, second].map((cases) => tallyOf({ type: 'bleu' }, cases).result.score);
    const { result } = tallyOfSamples({ type: 'bleu' }, rows);
    expect(result.score).toEqual(value(((rounds[0]?.value ?? 0) + (rounds[1]?.value ?? 0)) / 2));
    expect(result.samples).toEqual({ asked: 6, unscored: 1 });
    expect(result.metrics?.map(({ name }) => name)).not.toContain('unscored_samples');
  });

  test('means and votes are read as scores are, shares of right samples as shares', () => {
    const { metrics = [] } = tallyOfSamples({ type: 'ter' }, dogSamples).result;
    const kindOf = (wanted: string) => {
      const { name: _, score: __, ...kind } = metrics.find(({ name }) => name === wanted) ?? {};
      return kind;
    };
    for (const name of ['sentence_ter', 'avg@3', 'cons@1']) {
      expect(kindOf(name)).toEqual({ direction: 'lower', plain: true });
    }
    expect(kindOf('pass@1')).toEqual({});
  });

  test('a round without any score is left out', () => {
    const rows = dogs.map(([answer, gold]): Asked => [[answer, ''], gold]);
    expect(tallyOfSamples({ type: 'bleu' }, rows).result.score).toEqual(value(0.48530827));
  });
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
  expect(tally.result.metrics).toEqual([{ name: 'extra', rows: 2, score: value(0.75) }]);
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

test('a perplexity beyond all numbers is left out, the others are not', () => {
  const tally = new Tally(perplexityScorer);
  for (const id of [0, 1]) {
    const measures = measureText({
      text: '日本語'.repeat(200),
      logprob: -1200,
      tokens: 600,
      nll: 2,
    });
    const score = perplexityScorer.score({ answer: splitAnswer(''), gold: '', row: {}, measures });
    tally.add({ id, key: '', prompt: '', ...scoredFields(score, '') });
  }
  const { metrics = [] } = tally.result;
  const found = metrics.map(({ name, score }) => [name, score.value]);
  expect(Object.fromEntries(found)).toEqual({
    token_perplexity: Math.exp(2),
    byte_perplexity: Math.exp(1200 / 1800),
    bits_per_byte: 1200 / Math.LN2 / 1800,
    row_ppl: Math.exp(2),
    row_bits_per_byte: 1200 / Math.LN2 / 1800,
  });
});

test('distances that are all 0 are no rate, and too few to say how far off their mean is', () => {
  const cases = Array.from({ length: 20 }, (): Case => ['same', 'same']);
  const distanceOf = (own: readonly Case[]) =>
    tallyOf({ type: 'edit_distance' }, own).result.metrics?.find(
      ({ name }) => name === 'edit_distance',
    );
  expect(distanceOf(cases)?.score).toEqual({ value: 0, interval: 'too few' });
  const some = [...cases, ['sane', 'same'], ['sum', 'same'], ['so', 'same']] satisfies Case[];
  expect(distanceOf(some)?.score).toMatchObject({ method: 'student', low: 0 });
});

test('a mean of scores of which few are not 0 is as uncertain as those not seen may be', () => {
  const cases = Array.from(
    { length: 20 },
    (_, row): Case => [row === 0 ? 'big dog' : 'cat', 'dog'],
  );
  const { score } = tallyOf({ type: 'token_f1' }, cases).result;
  expect(score?.value).toBeLessThan(0.06);
  expect(score?.high).toBeGreaterThan(0.17);
});

test('rows in clusters: rows without a score count in theirs', async () => {
  const scorer = compileScorer({ evaluator: { type: 'exact' } });
  const tallyIn = async (clusterBy: string | undefined) => {
    const tally = new Tally(scorer, await openClusters(clusterBy));
    const records = recordsOf(
      scorer,
      Array.from({ length: 24 }, (_, id) => ['a', id < 12 ? 'a' : 'b']),
    );
    for (const [id, record] of records.entries()) {
      const cluster = String(Math.floor(id / 4));
      tally.add(
        id % 4 === 0
          ? { ...record, cluster, outcome: 'failed', reason: 'lost' }
          : { ...record, cluster },
      );
    }
    return tally.result;
  };
  const plain = await tallyIn(undefined);
  const clustered = await tallyIn('document');
  expect(plain).not.toHaveProperty('clusters');
  expect(clustered.clusters).toEqual({ by: 'document', count: 6 });
  for (const name of ['score', 'allRows'] as const) {
    expect(clustered[name]).toMatchObject({ value: plain[name]?.value, method: 'clustered' });
    expect(clustered[name]?.low).toBeLessThan(plain[name]?.low ?? 0);
  }
  expect(clustered.allRows?.value).toBe(9 / 24);
});

test('a measure of fewer rows than are scored says how many', () => {
  const scorer = compileScorer({ evaluator: { type: 'exact' } });
  const tally = new Tally(scorer);
  const answers = [
    ['x', 'x'],
    ['x', ''],
    ['y', 'x'],
    ['', ''],
  ];
  for (const [id, samples] of answers.entries()) {
    const scores = samples.map((answer) =>
      scorer.score({ answer: splitAnswer(answer), gold: 'x', row: {} }),
    );
    const combined = combineSamples(scores, { k: [1, 2] });
    tally.add({ id, key: String(id), prompt: '', ...scoredFields(combined, 'x') });
  }
  const rows = Object.fromEntries(
    (tally.result.metrics ?? []).map((metric) => [metric.name, metric.rows]),
  );
  const two = { 'pass@2': 2, 'pass^2': 2, 'cons@2': 2 };
  expect(rows).toEqual({
    'avg@2': undefined,
    'pass@1': undefined,
    'pass^1': undefined,
    'cons@1': undefined,
    ...two,
  });
});

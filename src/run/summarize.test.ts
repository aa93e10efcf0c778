import { expect, test } from 'vitest';
import { compileScorer } from '../score/compile-scorer.ts';
import type { RowRecord } from './store/row-record.ts';
import { RowsWithoutLabel, Tally } from './summarize.ts';
import { type ResultFacts, taskResult, tokensPerSecond } from './task-result.ts';

const scorer = compileScorer({ evaluator: { type: 'exact' } });

type Fields = Partial<RowRecord>;
const right: Fields = { outcome: 'scored', score: 1 };
const wrong: Fields = { outcome: 'scored', score: 0 };
const unscored: Fields = { outcome: 'unscored', reason: 'empty answer' };
const failed: Fields = { outcome: 'failed', reason: 'the server answered 500' };

function tallyOf(...rows: readonly Fields[]): Tally {
  const tally = new Tally(scorer);
  for (const [id, fields] of rows.entries()) {
    tally.add({ id, key: `${id}`, prompt: '', outcome: 'scored', ...fields });
  }
  return tally;
}

const facts: ResultFacts = {
  model: 'm',
  dataset: 'd',
  total: 2,
  requests: { sent: 2, cached: 0, shared: 0 },
  isUnlimited: true,
  counted: new Set(),
  leaks: 0,
  shape: {},
  seconds: 4,
  tokensPerSecond: undefined,
  promptHash: 'hash',
  modelConfig: undefined,
  judgeConfigs: undefined,
};

test('a result without incidents says nothing of any', () => {
  const rows = [right, wrong].map((row) => ({ ...row, tokens: [10, 2] as const }));
  const { score, allRows, metrics, ...others } = taskResult(tallyOf(...rows), facts);
  expect(score?.value).toBe(0.5);
  expect(others).toStrictEqual({
    model: 'm',
    dataset: 'd',
    rows: { total: 2, scored: 2, unscored: 0, failed: 0, missing: 0 },
    reasons: [],
    tokens: { input: 20, output: 4 },
    requests: facts.requests,
    metric: 'accuracy',
    seconds: 4,
    promptHash: 'hash',
  });
});

test('every incident is counted', () => {
  const tally = tallyOf(
    { ...right, tokens: [10, 2, 4], finish: 'length', unnamed: true, ties: ['A'], dropped: 2 },
    { ...wrong, tokens: [10, null, 0], looser: true, gold: '7', extracted: 'seven', ms: 2000 },
    { ...wrong, looser: true, gold: '7', extracted: 'x', finishes: { length: 2, error: 1 } },
    { ...wrong, looser: true, gold: 'Rome', extracted: 'x', finish: 'content_filter' },
    { ...wrong, insideWord: true, tooLong: true, from: 'cache', tokens: [99, 99] },
    { ...unscored, finish: 'tool_calls' },
    { ...unscored, reason: 'judge failed: it said nothing', finish: 'tool_calls' },
    { ...failed, kind: 'server_error', finish: 'error' },
    { ...failed, kind: 'timeout', parts: ['a', 'b'], untold: 1 },
    { ...failed, kind: 'timeout' },
  );
  const { score, allRows, metrics, ...found } = taskResult(tally, {
    ...facts,
    total: 12,
    leaks: 3,
    shape: { seed: 0, estimatesLengths: true },
    tokensPerSecond: { input: 5, output: 1 },
    leftOf: (kind) => (kind === 'timeout' ? 1 : 0),
  });
  expect(score).toEqual({ value: 0.2, interval: 'partial' });
  expect(found).toStrictEqual({
    model: 'm',
    dataset: 'd',
    metric: 'accuracy',
    partial: true,
    rows: { total: 12, scored: 5, unscored: 2, failed: 3, missing: 2 },
    scorerFailed: 1,
    reasons: [
      { reason: 'the server answered 500', rows: 3 },
      { reason: 'empty answer', rows: 1 },
      { reason: 'judge failed: it said nothing', rows: 1 },
    ],
    failures: [
      { kind: 'timeout', rows: 2, left: 1 },
      { kind: 'server_error', rows: 1 },
    ],
    // Two of a row that failed in a later part.
    answers: 9,
    cutOff: 3,
    unnamed: 1,
    ties: 1,
    insideWord: { rows: 1, first: [4] },
    looser: { rows: 3, first: [1, 2, 3], evaluator: 'number' },
    stopped: [
      { kind: 'content_filter', rows: 1 },
      { kind: 'error', rows: 1 },
      { kind: 'tool_calls', rows: 2 },
    ],
    latency: expect.objectContaining({ total: 2, longest: [{ id: 1, seconds: 2 }] }),
    serverLimit: true,
    // Those of the cache were not asked for; six answers came without all of their numbers.
    tokens: { input: 20, output: 2, cachedInput: 4, untold: 6 },
    requests: facts.requests,
    judge: { requests: 0, cached: 0, tokens: { input: 0, output: 0 }, failed: 1 },
    leaks: 3,
    seed: 0,
    dropped: 1,
    tooLong: 1,
    estimatedLengths: true,
    seconds: 4,
    tokensPerSecond: { input: 5, output: 1 },
    promptHash: 'hash',
  });
});

test('a verdict counts once, whoever asked it', () => {
  const tally = tallyOf(
    {
      ...right,
      verdicts: [
        { key: 'a', tokens: [5, 1] },
        { key: 'b', tokens: [5, null] },
      ],
    },
    { ...right, verdicts: [{ key: 'a', tokens: [5, 1] }] },
    {
      ...right,
      verdicts: [
        { key: 'c', from: 'cache', tokens: [7, 7] },
        { key: 'd', judge: 'other', tokens: [2, 3] },
        { key: 'e', judge: 'other', tokens: [4, 5] },
      ],
    },
  );
  expect(tally.judgeCounts(new Set()).judge).toStrictEqual({
    requests: 4,
    cached: 1,
    tokens: { input: 16, output: 9, untold: 1 },
    others: [{ judge: 'other', tokens: { input: 6, output: 8 } }],
  });
  // Those that another task of the run has counted were not paid for again.
  expect(tally.judgeCounts(new Set(['own\na', 'other\nd']), 'own').judge).toStrictEqual({
    requests: 2,
    cached: 3,
    tokens: { input: 9, output: 5, untold: 1 },
    others: [{ judge: 'other', tokens: { input: 4, output: 5 } }],
  });
});

test('one of anything is said', () => {
  const found = (row: Fields) => {
    const tally = tallyOf(row);
    return { ...tally.events, ...tally.fit, ties: tally.result.ties };
  };
  expect(found({ ...right, finish: 'length' })).toMatchObject({ cutOff: 1 });
  expect(found({ ...right, finishes: { error: 2 } }).stopped).toEqual([{ kind: 'error', rows: 2 }]);
  expect(found({ ...right, dropped: 1 })).toMatchObject({ dropped: 1 });
  expect(found({ ...right, ties: ['A'] })).toMatchObject({ ties: 1 });
  const failures = found({ ...failed, kind: 'timeout' });
  expect(failures).toStrictEqual({ failures: [{ kind: 'timeout', rows: 1 }], ties: undefined });
});

test('kinds of failures that are as frequent stand by name', () => {
  const kinds = ['timeout', 'auth', 'server_error', 'auth', 'timeout', 'connection'] as const;
  const tally = tallyOf(...kinds.map((kind) => ({ ...failed, kind })));
  expect(tally.events.failures?.map(({ kind, rows }) => `${kind} ${rows}`)).toEqual([
    'auth 2',
    'timeout 2',
    'connection 1',
    'server_error 1',
  ]);
});

test.each([
  [['7', '7', 'Rome', 'Rome'], undefined],
  [['7', '7', 'Rome'], 'number'],
  [['7', 'Rome', 'Oslo'], undefined],
  [['A', '(C)', 'Oslo'], 'choice'],
  [['A', 'E', 'F'], undefined],
])('most of the gold answers %j are read by %s', (golds, evaluator) => {
  const rows = golds.map((gold) => ({ ...wrong, looser: true as const, gold, extracted: 'x' }));
  expect(tallyOf(...rows).events.looser?.evaluator).toBe(evaluator);
});

test('answers, samples and tokens add up, whatever is not told', () => {
  const tally = tallyOf(
    { ...right, samples: [4, 1], parts: ['a', 'b', 'c', 'd'], tokens: [8, 4] },
    { ...right, samples: [4, 0], parts: ['a', 'b', 'c', 'd'], untold: 3, tokens: [null, 2] },
    { ...unscored, tokens: [5, null] },
    { ...right, tokens: [1, 1] },
    failed,
  );
  expect(tally.result.samples).toEqual({ asked: 8, unscored: 1 });
  expect(tally.answers).toBe(10);
  expect(tally.tokens).toStrictEqual({ input: 14, output: 7, untold: 4 });
  expect(tallyOf(right, wrong).result).not.toHaveProperty('samples');
});

test('only some of the rows are named, the first in the data', () => {
  const ids = [40, 3, 25, 11, 7, 30, 1, 18, 22, 9, 5, 60];
  const tally = tallyOf(...ids.map((id) => ({ ...wrong, id, insideWord: true as const })));
  expect(tally.events.insideWord).toEqual({
    rows: 12,
    first: [1, 3, 5, 7, 9, 11, 18, 22, 25, 30],
  });
});

test('gold answers that are no label: the example is that of the first row', () => {
  const rows = new RowsWithoutLabel();
  expect(rows.result).toEqual({});
  const many = Array.from({ length: 60 }, (_, index) => index);
  rows.add(8, 'X', ['A', 'B']);
  rows.add(4, 'Y', many);
  rows.add(6, 'Z', ['C']);
  expect(rows.result.notALabel).toEqual({
    rows: 3,
    first: [4, 6, 8],
    example: { gold: 'Y', labels: many.slice(0, 50).map(String) },
  });
});

test('reasons beyond 100 are one, most rows first, then by name', () => {
  const reasons = Array.from({ length: 102 }, (_, index) => `r${String(index).padStart(3, '0')}`);
  const tally = tallyOf(...[...reasons, 'r005'].map((reason) => ({ ...unscored, reason })), {
    outcome: 'failed',
  });
  expect(tally.reasons.slice(0, 3)).toEqual([
    { reason: 'other reasons', rows: 3 },
    { reason: 'r005', rows: 2 },
    { reason: 'r000', rows: 1 },
  ]);
  expect(tally.reasons).toHaveLength(101);
});

test.each([
  [{ inputTokens: 100, outputTokens: 0 }, 8, { input: 12.5, output: 0 }],
  [{ inputTokens: 1, outputTokens: 12_345 }, 1, { input: 1, output: 12_300 }],
  [{ inputTokens: 1, outputTokens: 1 }, 0.5, { input: 2, output: 2 }],
  [{ inputTokens: 1, outputTokens: 1 }, 0, undefined],
  [{ inputTokens: 0, outputTokens: 0 }, 3, undefined],
])('%j in %d s: %j each second', (tokens, seconds, expected) => {
  expect(tokensPerSecond(tokens, seconds)).toEqual(expected);
});

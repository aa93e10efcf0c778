import { expect, it } from 'vitest';
import { recordFault, scoreFault } from './record-fault.ts';
import { sampleRecord } from './sample-record.fixture.ts';

const good = sampleRecord(3);

it.each([
  ['as it is written', {}],
  ['of version 0.1, which may lack hashes', { row: undefined, scoring: undefined }],
  ['a failure', { outcome: 'failed', score: undefined, reason: 'timeout' }],
  ['a part', { part: 'turn 1' }],
  ['infinite measures and unknown tokens', { metrics: { ppl: null }, tokens: [null, 3] }],
  ['cells', { cell: '["a","b"]' }],
  ['cells of several samples', { rounds: 2, cell: JSON.stringify(['["a","b"]', null]) }],
])('%s is a record', (_, change) => {
  expect(recordFault({ ...good, ...change })).toBeUndefined();
});

it.each<[unknown, string]>([
  [null, 'not an object'],
  [[good], 'not an object'],
  [7, 'not an object'],
  ...[1e15, 2 ** 31, -1, 1.5, 'x', '3', null, undefined].map((id): [unknown, string] => [
    { ...good, id },
    'is not the number of a row',
  ]),
  ...['', 'k', good.key.toUpperCase(), `${good.key}0`, 5].map((key): [unknown, string] => [
    { ...good, key },
    'is not a hash',
  ]),
  [{ ...good, outcome: 'won' }, 'outcome "won" is none of scored, unscored and failed'],
  [{ ...good, outcome: undefined }, 'outcome (missing) is none of'],
  [{ ...good, score: undefined }, 'score (missing) is not a number'],
  [{ ...good, score: null }, 'score null is not a number'],
  [{ ...good, score: '1' }, 'score "1" is not a number'],
  [{ ...good, score: Number.POSITIVE_INFINITY }, 'is not a number'],
  [{ ...good, prompt: 5 }, 'prompt 5 is not a text'],
  [{ ...good, row: 5 }, 'row 5 is not a text'],
  [{ ...good, answer: ['a'] }, 'answer ["a"] is not a text'],
  [{ ...good, part: {} }, 'part {} is not a name'],
  [{ ...good, parts: [1] }, 'parts is not a list of hashes'],
  [{ ...good, metrics: { f1: 'high' } }, 'metrics are not numbers'],
  [{ ...good, counts: [1, null] }, 'counts are not numbers'],
  [{ ...good, cell: '["a"' }, 'is not the cell of a table'],
  [{ ...good, cell: '["a","b"]', rounds: 1 }, 'is not the cell of a table'],
  [{ ...good, rounds: 0 }, 'rounds 0 is not a number of samples'],
  [{ ...good, samples: [1] }, 'samples is not a pair'],
  [{ ...good, tokens: 5 }, 'tokens are not numbers'],
  [{ ...good, tokens: [1, 2, 3, 4] }, 'tokens are not numbers'],
  [{ ...good, examples: [1, null] }, 'examples are not rows'],
  [{ ...good, loglikelihoods: [{ value: 1 }] }, 'loglikelihoods are not numbers'],
  [{ ...good, weights: [{ value: 1 }] }, 'loglikelihoods are not numbers'],
  [{ ...good, logprobs: [5] }, 'logprobs are not those of texts'],
  [{ ...good, ties: 2 }, 'ties is not a list'],
])('%j: %s', (value, fault) => {
  expect(recordFault(value)).toContain(fault);
});

it.each([
  [7, [0, 1], 'score 7 is not within 0 and 1'],
  [-0.1, [0, 1], 'score -0.1 is not within 0 and 1'],
  [1 + 1e-12, [0, 1], undefined],
  [7, [0, Number.POSITIVE_INFINITY], undefined],
  [7, undefined, undefined],
] as const)('a score of %f within %j: %s', (score, range, fault) => {
  expect(scoreFault({ ...good, score }, range)).toBe(fault);
});

it('does not ask for the score of a row that has none', () => {
  expect(scoreFault({ ...good, outcome: 'failed', score: 7 }, [0, 1])).toBeUndefined();
});

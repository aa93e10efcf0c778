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
  [
    'cells of three turns',
    { parts: ['a', 'b', 'c'], cell: JSON.stringify(Array(3).fill('["a","b"]')) },
  ],
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
  [{ ...good, cell: '["[1,2]"]' }, 'is not the cell of a table'],
  [{ ...good, cell: '["[1,2]", null, 3]', parts: [] }, 'is not the cell of a table'],
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

const texts = 'row cluster scoring answer reasoning opened begun reason kind finish served detail';

it.each(texts.split(' '))('%s is a text, or is left out', (name) => {
  expect(recordFault({ ...good, [name]: 'text' })).toBeUndefined();
  expect(recordFault({ ...good, [name]: '' })).toBeUndefined();
  expect(recordFault({ ...good, [name]: undefined })).toBeUndefined();
  for (const other of [5, null, ['a'], {}, true]) {
    expect(recordFault({ ...good, [name]: other })).toBe(
      `${name} ${JSON.stringify(other)} is not a text`,
    );
  }
});

const fields: readonly [name: string, fault: RegExp, good: unknown[], bad: unknown[]][] = [
  ['id', /number of a row/, [0, 2 ** 31 - 1], [2 ** 31, -1, 0.5, '0']],
  ['prompt', /is not a text/, ['', 'a'], [undefined, null, 5]],
  ['prefix', /stretch/, [undefined, [0, 5]], [[0], [0, 1, 2], [0, 1.5], '0,5', null]],
  ['part', /is not a name/, [undefined, 1, 'turn'], [null, [], {}]],
  ['parts', /list of hashes/, [undefined, [], ['a', null]], ['a', [1], {}, null]],
  ['metrics', /metrics/, [{}, { a: 1, b: null }], [[], { a: 'x' }, { a: Number.NaN }, null]],
  ['finishes', /finishes/, [{}, { stop: 2 }], [[], { stop: '2' }, 5, null]],
  ['rounds', /rounds/, [undefined, 1, 7], [0, -1, 1.5, '2', null]],
  ['counts', /counts/, [undefined, [], [1, 2]], [[1, '2'], [Number.POSITIVE_INFINITY], {}, null]],
  ['samples', /pair/, [undefined, [1, 2]], [[1], [1, 2, 3], [1, '2'], {}, null]],
  [
    'tokens',
    /tokens/,
    [
      [1, 2],
      [1, null, 3],
    ],
    [[1], [1, 2, 3, 4], [1, '2'], {}, null],
  ],
  ['examples', /examples/, [[], [1, 'a']], [[1.5], [null], {}, null]],
  ['ties', /ties/, [[], ['A']], ['A', {}, null]],
  ['loglikelihoods', /logl/, [[], [{ logprob: -1 }], [{ logprob: null }]], [[{}], [1], {}, null]],
  ['weights', /logl/, [[], [{ logprob: -1 }]], [[{ logprob: 'x' }], 5, null]],
  ['logprobs', /logprobs/, [[], [{}]], [[5], [null], [[]], {}, null]],
  [
    'verdicts',
    /verdicts/,
    [
      [],
      [{ key: 'k' }],
      [{ key: 'k', said: 'a', sent: 'b', tokens: [1, 2] }],
      [{ key: 'k', sent: [] }],
    ],
    [
      ...[[{}], [{ key: 1 }], [{ key: 'k', said: 5 }], [{ key: 'k', sent: 5 }]],
      ...[[{ key: 'k', tokens: [1] }], [null], {}, null],
    ],
  ],
  ['checks', /checks/, [[], [{ name: 'a', score: 1 }]], [[{ name: 'a' }], [{ score: 1 }], {}]],
  ['toolCalls', /toolCalls/, [[], [{ name: 'a' }]], [[{}], [{ name: 1 }], [null], {}]],
  ['steps', /steps/, [[], [{}]], [[1], [null], [[]], {}]],
  [
    'cell',
    /cell/,
    [undefined, '["a","b"]', '[1,2]'],
    ['["a"]', '["a","b","c"]', '{}', 'x', 5, null],
  ],
];

it.each(fields)('%s', (name, fault, goodValues, badValues) => {
  for (const value of goodValues) {
    expect([value, recordFault({ ...good, [name]: value })]).toEqual([value, undefined]);
  }
  for (const value of badValues) {
    expect([value, recordFault({ ...good, [name]: value }) ?? 'none']).toEqual([
      value,
      expect.stringMatching(fault),
    ]);
  }
});

it.each(['0', '9', 'a', 'f'])('a hash may hold %s', (digit) => {
  expect(recordFault({ ...good, key: digit.repeat(32) })).toBeUndefined();
});

it.each(['/', ':', '`', 'g', 'A'])('a hash never holds %s', (letter) => {
  for (const place of [0, 15, 31]) {
    const key = `${'0'.repeat(place)}${letter}${'0'.repeat(31 - place)}`;
    expect(recordFault({ ...good, key })).toContain('is not a hash');
  }
});

it.each([
  [38, 40, ''],
  [39, 40, '…'],
])('a text of %i letters is shown up to 40 characters', (letters, length, end) => {
  const fault = recordFault({ ...good, outcome: 'x'.repeat(letters) }) ?? '';
  const quoted = /^outcome (.*) is none of/.exec(fault)?.[1] ?? '';
  expect([quoted.replace('…', '').length, quoted.endsWith('…') ? '…' : '']).toEqual([length, end]);
});

it('scores may be off by a rounding, and no more', () => {
  for (const [score, isGood] of [
    [1 + 1e-6, true],
    [1 + 2e-6, false],
    [-1e-6, true],
    [-2e-6, false],
  ] as const) {
    expect(scoreFault({ ...good, score }, [0, 1]) === undefined).toBe(isGood);
  }
});

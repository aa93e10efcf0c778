import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { TextLogprobs } from '../../model/loglikelihood.ts';
import { restoreLogprobs, storeLogprobs } from './stored-logprobs.ts';

const value = fc.oneof(
  fc.double({ max: 0, noNaN: true }),
  fc.float({ max: 0, noNaN: true }),
  fc.constantFrom(-1, -0.5, Number.NEGATIVE_INFINITY),
);

/** Texts that may begin alike, with the first token known or not. */
const logprobs: fc.Arbitrary<TextLogprobs[]> = fc
  .record({
    shared: fc.array(value, { maxLength: 5 }),
    rest: fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 4 }),
    areFloats: fc.boolean(),
    isFirstKnown: fc.boolean(),
    tellsLikeliest: fc.boolean(),
    from: fc.nat(9),
  })
  .map(({ shared, rest, areFloats, isFirstKnown, tellsLikeliest, from }) =>
    rest.map((own) => {
      const all = [...shared, ...own].map((one) => (areFloats ? Math.fround(one) : one));
      return {
        starts: all.map((_, index) => from + 2 * index),
        values: all.map((one, index) => (index === 0 && !isFirstKnown ? null : one)),
        ...(tellsLikeliest && { likeliest: all.map((one) => one > -1) }),
      };
    }),
  );

test('what is stored as JSON is restored to the last bit', () => {
  fc.assert(
    fc.property(logprobs, (said) => {
      const stored: unknown = JSON.parse(JSON.stringify(storeLogprobs(said)));
      const plain = (one: unknown) =>
        JSON.parse(JSON.stringify(one, (_, v) => (v === -Infinity ? 'impossible' : v)));
      expect(plain(restoreLogprobs(stored))).toEqual(plain(said));
    }),
  );
});

it('keeps what texts share once', () => {
  const starts = Array.from({ length: 1000 }, (_, index) => 4 * index);
  const values = starts.map((_, index) => (index === 0 ? null : -(index % 97) / 31));
  const said = ['A', 'B', 'C', 'D'].map((_, label) => ({
    starts: [...starts, 4000],
    values: [...values, -label],
  }));
  const stored = storeLogprobs(said);
  expect(stored.slice(1).map(({ shared }) => shared)).toEqual([1000, 1000, 1000]);
  expect(JSON.stringify(stored).length).toBeLessThan(30_000);
});

test.each([
  ['no list', {}],
  ['no texts', [5]],
  ['no starts', [{ values: [] }]],
  ['other lengths', [{ starts: [0, 1], values: [-1] }]],
  ['words', [{ starts: [0], values: ['-1'] }]],
  [
    'more shared tokens than there are',
    [
      { starts: [0], values: [-1] },
      { shared: 2, starts: [], values: [] },
    ],
  ],
  ['shared tokens of nothing', [{ shared: 1, starts: [], values: [] }]],
  [
    'a part of a number of tokens',
    [
      { starts: [0], values: [-1] },
      { shared: 0.5, starts: [], values: [] },
    ],
  ],
  ['likeliest of others', [{ starts: [0], values: [-1], likeliest: '10' }]],
])('%s is nothing that was stored', (_, stored) => {
  expect(restoreLogprobs(stored)).toBeUndefined();
});

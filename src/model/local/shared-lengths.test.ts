import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonLength, sharedLengths } from './shared-lengths.ts';

it('finds the longest prefix that each sequence shares with any other', () => {
  const sequence = fc
    .array(fc.constantFrom(1, 2), { maxLength: 6 })
    .map((ids) => Int32Array.from(ids));
  fc.assert(
    fc.property(fc.array(sequence), (sequences) => {
      const longest = sequences.map((sequence, index) =>
        Math.max(
          0,
          ...sequences.map((other, at) => (at === index ? 0 : commonLength(sequence, other))),
        ),
      );
      expect(sharedLengths(sequences)).toEqual(longest);
    }),
  );
});

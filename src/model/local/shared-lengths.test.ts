import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonLength, sharedLengths } from './shared-lengths.ts';

it('finds the longest beginning that each text shares with any other', () => {
  const text = fc.array(fc.constantFrom(1, 2), { maxLength: 6 }).map((ids) => Int32Array.from(ids));
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const longest = texts.map((text, place) =>
        Math.max(0, ...texts.map((other, at) => (at === place ? 0 : commonLength(text, other)))),
      );
      expect(sharedLengths(texts)).toEqual(longest);
    }),
  );
});

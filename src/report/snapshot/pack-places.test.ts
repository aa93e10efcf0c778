import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPlaces, unpackPlaces } from './pack-places.ts';

const place = fc.record({ file: fc.constantFrom('a', 'b'), line: fc.nat(2), column: fc.nat(2) });
const span = fc.record({
  text: fc.string(),
  at: fc.option(place),
  origin: fc.dictionary(fc.constantFrom('type', 'shot'), fc.string()),
});

test('places that are taken out come back, each told once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.array(span), span)), (spans) => {
      const request = { body: { at: 5, tools: { path: 'x', at: { file: 1 } } } };
      const packed = packPlaces([{ spans, request }]);
      expect(unpackPlaces(packed)).toEqual([{ spans, request }]);
      expect(packed.value).toMatchObject([{ request }]);
      expect(new Set(packed.places.map((one) => JSON.stringify(one))).size).toBe(
        packed.places.length,
      );
      expect(JSON.stringify(packed.value)).not.toMatch(/"file":"/);
    }),
  );
});

import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

test.each([
  ['modles', 'models'],
  ['MODELS', 'models'],
  ['model', 'models'],
  ['dataset_s', 'datasets'],
  ['x', undefined],
  ['something else', undefined],
])('%s means %s', (name, expected) => {
  expect(nearestName(name, ['models', 'datasets', 'seed'])).toBe(expected);
});

test('names are as near as their letters are', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 8 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 6 }), (name, names) => {
      const steps = names.map((one) => distance(name, one));
      const least = Math.min(...steps);
      const nearest =
        least <= Math.max(2, Math.floor(name.length / 3)) ? names[steps.indexOf(least)] : undefined;
      expect(nearestName(name, names)).toBe(nearest);
    }),
  );
});

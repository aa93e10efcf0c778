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

import { expect, test } from 'vitest';
import { coverPairs, everyPair, pairsOf } from './all-pairs.ts';
import { factorNames } from './factors.ts';
import { randomConfigs } from './random-configs.ts';
import { whyRefused } from './rules.ts';

test('every pair of levels is in a config, or in none that is allowed', () => {
  const { configs, refused } = coverPairs();
  const covered = new Set(configs.flatMap(pairsOf).map((pair) => JSON.stringify(pair)));
  const missing = everyPair().filter((pair) => !covered.has(JSON.stringify(pair)));
  expect(missing).toEqual(refused);
  expect(configs.flatMap((levels) => whyRefused(levels) ?? [])).toEqual([]);
  expect(coverPairs().configs).toEqual(configs);
});

test('drawn configs are allowed, and the same for the same seed', () => {
  const configs = randomConfigs(200, 7);
  expect(configs.flatMap((levels) => whyRefused(levels) ?? [])).toEqual([]);
  expect(configs.every((levels) => factorNames.every((name) => levels[name]))).toBe(true);
  expect(randomConfigs(200, 7)).toEqual(configs);
  expect(randomConfigs(200, 8)).not.toEqual(configs);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from './execute-evaluations.ts';

test.each([
  [undefined, undefined],
  [false, undefined],
  [true, join('runs', '.cache')],
  ['elsewhere', 'elsewhere'],
])('with the cache %j answers are kept in %j', (cache, folder) => {
  expect(cacheFolder(join('runs', 'mine'), cache)).toBe(folder);
});

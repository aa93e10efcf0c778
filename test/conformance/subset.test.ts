import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeGroup } from './report.ts';
import { findGroups } from './run.ts';

const groups = [
  'aisbench',
  'gqa',
  'import',
  'japanese-financial',
  'lm-eval',
  'opencompass',
].flatMap((folder) => findGroups(join(import.meta.dirname, '..', 'vectors', folder)));

test('the subset has vectors of every kind', () => {
  expect(groups.filter(({ isHandled }) => isHandled).length).toBeGreaterThanOrEqual(30);
});

for (const { name, isHandled, run } of groups) {
  test.skipIf(!isHandled)(name, async () => {
    const result = await run();
    expect(result.failures.length, describeGroup(result)).toBe(0);
  });
}

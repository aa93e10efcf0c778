import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

test('rows of figures in docs/reference/statistics.md are those that the simulations kept', () => {
  const kept = new Set(
    globSync('test/simulations/tables/*.md').flatMap((file) =>
      readFileSync(file, 'utf8').split('\n'),
    ),
  );
  const quoted = readFileSync('docs/reference/statistics.md', 'utf8')
    .split('\n')
    .filter((line) => /^\|.*\d\.\d/.test(line));
  expect(quoted.length).toBeGreaterThan(70);
  expect(quoted.filter((line) => !kept.has(line))).toEqual([]);
});

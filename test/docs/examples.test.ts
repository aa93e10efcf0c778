import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as prompt from '../../src/exports/prompt.ts';
import * as report from '../../src/exports/report.ts';
import * as retrieve from '../../src/exports/retrieve.ts';
import * as score from '../../src/exports/score.ts';
import * as stats from '../../src/exports/stats.ts';
import { sampleSummary } from '../../src/report/sample-summary.ts';
import { sampleSweep } from '../../src/report/sweep/sample-sweep.ts';
import { readExamples } from './read-examples.ts';
import { runExample } from './run-example.ts';

const { examples, problems } = readExamples();
const given = {
  summary: sampleSummary(),
  sweep: sampleSweep,
  signal: AbortSignal.timeout(60_000),
  folder: mkdtempSync(join(tmpdir(), 'typecase-examples-')),
};
const scope = { ...prompt, ...retrieve, ...score, ...report, ...stats, ...given };

test('every public function has an example', () => {
  const without = examples.filter(({ code }) => code === undefined);
  expect(without.map(({ subPath, name }) => `${subPath}: ${name}`)).toEqual([]);
});

test('examples and programs of pages have right types', () => {
  expect(problems).toEqual([]);
});

const named = examples.map(
  ({ subPath, name, code }) => [`${subPath}: ${name}`, code ?? ''] as const,
);

test.each(named)('%s is as its example says', async (_, code) => {
  expect(await countChecks(code)).toBeGreaterThan(0);
});

const statistics = readFileSync('docs/reference/statistics.md', 'utf8');

test('docs/reference/statistics.md names what typecase/stats exports, and its example is true', async () => {
  const unnamed = Object.keys(stats).filter(
    (name) => !new RegExp(`\\b${name}\\b`).test(statistics),
  );
  expect(unnamed).toEqual([]);
  const code = /```ts\nimport .*\n([\s\S]*?)```/.exec(statistics)?.[1] ?? '';
  expect(await countChecks(code)).toBe(4);
});

/** Runs an example; the number of values that it was right about. */
async function countChecks(code: string): Promise<number> {
  let checks = 0;
  await runExample(code, {
    scope,
    check(actual, expected, isPart) {
      checks += 1;
      if (isPart) expect(actual).toMatchObject(expected as object);
      else expect(actual).toEqual(expected);
    },
  });
  return checks;
}

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigInput } from '../config/define-config.ts';
import { sweep } from './sweep.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-sweep-'));
});
afterAll(() => rm(folder, { recursive: true }));

const config = {
  models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
  datasets: [{ task: 'arithmetic' }],
} as ConfigInput;
const axes = { templates: ['equation', 'postfix'] };

test('a sweep of a config that a program spells', async () => {
  const out = join(folder, 'plain');
  const { summary, run, folder: kept } = await sweep(config, { axes, limit: 20, out });
  expect([kept, summary.complete, summary.best[0]?.settings.template]).toEqual([
    out,
    true,
    'equation',
  ]);
  expect(run.results.map(({ dataset, rows }) => [dataset, rows.scored])).toEqual([
    ['arithmetic.equation', 20],
    ['arithmetic.postfix', 20],
  ]);
  expect(await readdir(out)).toEqual(
    expect.arrayContaining(['sweep.html', 'sweep.md', 'sweep.csv', 'sweep.json', 'summary.json']),
  );
});

test('who stops a round of a budget stops those that follow', async () => {
  let rounds = 0;
  const stopped = sweep(config, {
    axes,
    limit: 40,
    budget: 40,
    out: join(folder, 'stopped'),
    onStart: (control) => {
      rounds += 1;
      setTimeout(control.stop);
    },
  });
  await expect(stopped).rejects.toMatchObject({ code: 'run.interrupted' });
  expect(rounds).toBe(1);
});

test('a budget chooses for each dataset alone', async () => {
  await expect(sweep(config, { axes, budget: 40, sameTemplate: true })).rejects.toMatchObject({
    code: 'usage.conflicting_options',
  });
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigInput } from '../config/config-input.ts';
import { sweepTerminal } from '../report/sweep/sweep-terminal.ts';
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

const sums = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    q: `${from + index} + 1`,
    a: String(from + index + 1),
  }));
const template = { prompt_template: { template: '</E>{q} = {a}', ice_token: '</E>' } };
const shotsThatDoNotFit = {
  models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny', max_seq_len: 15, max_out_len: 4 }],
  datasets: [
    {
      abbr: 'sums',
      rows: { train: sums(9, 100), test: sums(8, 200) },
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      infer_cfg: {
        ...template,
        ice_template: { template: '{q} = {a}' },
        retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2, 3, 4] },
        inferencer: { type: 'GenInferencer' },
      },
      eval_cfg: { evaluator: { type: 'number' } },
    },
  ],
} as ConfigInput;

test('cells that lost examples say so wherever their shots are named', async () => {
  const out = join(folder, 'long');
  const { summary, run } = await sweep(shotsThatDoNotFit, { axes: { shots: [0, 1, 2, 5] }, out });
  expect(run.results.map(({ dropped = 0 }) => dropped)).toEqual([0, 0, 8, 8]);
  const [sheet] = summary.sheets;
  expect(sheet?.cells.map(({ fit }) => fit?.dropped)).toEqual([undefined, undefined, 8, 8]);
  const noted =
    'Examples were dropped to fit max_seq_len, so prompts show fewer than their number of shots: 2 shots (8 of 8 rows), 5 shots (8 of 8 rows). Lengths are estimated: the model has no `tokenizer`.';
  const same = 'Identical prompts were sent for 1 shot, 2 shots, 5 shots.';
  expect(sheet?.remarks).toEqual(expect.arrayContaining([noted, same]));
  const named = 'Examples were dropped in 2 shots (8 of 8 rows), 5 shots (8 of 8 rows)';
  expect(summary.best[0]?.title).toMatch(/ \(examples dropped\)$/);
  expect(summary.best[0]?.text).toContain(named);
  const compared = 'Examples were dropped in 8 of 8 rows of 2, 8 of 8 rows of 5.';
  const printed = sweepTerminal(summary, { width: 2000, color: false });
  for (const text of [noted, same, named, compared]) {
    expect(printed).toContain(text);
    for (const page of ['sweep.md', 'sweep.html'])
      expect((await readFile(join(out, page), 'utf8')).replaceAll('\\', '')).toContain(text);
  }
  const lines = (await readFile(join(out, 'sweep.csv'), 'utf8')).trim().split('\r\n');
  expect(lines.map((line) => line.split(',').slice(-2).join())).toEqual([
    'dropped,too_long',
    ',',
    ',',
    '8,0',
    '8,0',
  ]);
});

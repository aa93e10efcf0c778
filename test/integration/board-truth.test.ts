import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns } from '../../src/api/compare-runs.ts';
import { evaluate } from '../../src/api/evaluate.ts';
import { rankRuns } from '../../src/api/leaderboard.ts';
import { rescore } from '../../src/api/rescore.ts';
import type { EvaluatorInput as Evaluator } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { leaderboardMarkdown } from '../../src/report/leaderboard/render-tables.ts';
import { terminalTable } from '../../src/report/terminal-table.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { writeFolder } from './run-cli.ts';

const labels = ['good', 'bad'];
const rows = Array.from({ length: 40 }, (_, id) => ({
  text: `review ${id}`,
  label: labels[id % 2] ?? '',
}));

const exact: Evaluator = { type: 'exact' };
const classification: Evaluator = { type: 'classification', labels };

interface RunParts {
  readonly model?: string;
  readonly datasets?: Readonly<Record<string, Evaluator>>;
  readonly groups?: { name: string; subsets: string[] }[];
  readonly ids?: readonly number[];
}

/** A model that gives these answers, by the numbers of rows. */
async function runOf(
  folder: string,
  answerOf: (id: number) => string | undefined,
  { model = 'm', datasets = { d: exact }, groups, ids }: RunParts = {},
): Promise<string> {
  const name = `${model}-${Math.random().toString(36).slice(2)}`;
  const answers = rows.flatMap((_, id) => {
    const answer = answerOf(id);
    return answer === undefined ? [] : [`${JSON.stringify({ id, answer })}\n`];
  });
  await writeFile(join(folder, `${name}.jsonl`), answers.join(''));
  const config = await parseConfig(
    {
      models: [{ abbr: model, type: 'Replay', path: `${name}.jsonl` }],
      datasets: Object.entries(datasets).map(([abbr, evaluator]) => ({
        abbr,
        rows,
        reader_cfg: { input_columns: ['text'], output_column: 'label' },
        infer_cfg: { prompt_template: { template: '{text}: {label}' } },
        eval_cfg: { evaluator },
      })),
      ...(groups && { summarizer: { summary_groups: groups } }),
    },
    { folder },
  );
  const out = join(folder, name);
  await evaluate(config, { out, ...(ids && { ids }) });
  return out;
}

const gold = (id: number) => labels[id % 2] ?? '';
const wrong = (id: number) => labels[(id + 1) % 2] ?? '';
const summaryIn = async (out: string) =>
  JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));

test.each<[string, Evaluator, number]>([
  ['a mean', exact, 0.5],
  // Of each label half are right and none is given wrongly: precision 1, recall 0.5.
  ['a measure of labels', classification, 2 / 3],
  ['a measure of sums', { type: 'chrf' }, Number.NaN],
])('rows without a score count as wrong: %s', async (_, evaluator, value) => {
  const folder = await writeFolder({});
  const parts = { datasets: { d: evaluator } };
  const half = await runOf(folder, (id) => (id < 20 ? gold(id) : ''), { ...parts, model: 'half' });
  const most = await runOf(folder, (id) => (id < 30 ? gold(id) : wrong(id)), {
    ...parts,
    model: 'most',
  });
  expect((await summaryIn(half)).results[0].score.value).toBe(1);
  const board = await rankRuns([half, most]);
  expect(board.models.map(({ model }) => model)).toEqual(['most', 'half']);
  const cell = board.models[1]?.cells[0];
  expect(cell).toMatchObject({ unscored: 20, count: 40 });
  expect(cell).not.toHaveProperty('leavesOut');
  if (!Number.isNaN(value)) expect(cell?.score.value).toBeCloseTo(value, 12);
  else expect(cell?.score.value).toBeLessThan(0.8);
  expect(board.neighbours[0]?.tasks[0]).toMatchObject({ pairs: 40, unpaired: 0 });
  expect(leaderboardMarkdown(board)).toContain('count as wrong: half on d (20 of 40)');
});

test('a row that failed pairs with the same row of others', async () => {
  const folder = await writeFolder({});
  const datasets = { d: classification };
  const some = await runOf(folder, (id) => (id < 36 ? gold(id) : undefined), {
    model: 'some',
    datasets,
  });
  const all = await runOf(folder, wrong, { model: 'all', datasets });
  const board = await rankRuns([some, all]);
  expect(board.models[0]?.cells[0]).toMatchObject({ unscored: 4, count: 40 });
  expect(board.neighbours[0]?.tasks[0]).toMatchObject({ pairs: 40 });
});

test('rows that cannot be counted as wrong are said to be left out, and flatter nobody', async () => {
  const folder = await writeFolder({});
  const datasets = { d: classification };
  const part = await runOf(folder, (id) => (id < 30 ? gold(id) : ''), { model: 'part', datasets });
  // Logs of earlier versions do not say what would have been right for a row that failed.
  const log = join(part, 'part', 'd.jsonl');
  const lines = (await readFile(log, 'utf8')).replaceAll(
    /"outcome":"unscored"(.*?),"gold":"\w+"/g,
    '"outcome":"unscored"$1',
  );
  await writeFile(log, lines);
  await rm(join(part, 'part', 'd.index'));
  const whole = await runOf(folder, (id) => (id < 20 ? gold(id) : wrong(id)), {
    model: 'whole',
    datasets,
  });
  const board = await rankRuns([part, whole]);
  expect(board.models.map(({ model, rank }) => [model, rank])).toEqual([
    ['whole', 1],
    ['part', 2],
  ]);
  expect(board.pairs.toldApart).toBe(0);
  const text = leaderboardMarkdown(board);
  expect(text).toContain('10 rows left out');
  expect(text).toContain('left out where they cannot count as wrong');
  expect(text).not.toContain('Unscored rows count as wrong');
});

test('the metric says what a score is, also where accuracy is the same by chance', async () => {
  const folder = await writeFolder({});
  const run = await runOf(folder, gold, { datasets: { d: classification } });
  const [model] = (await rankRuns([run])).models;
  expect(model?.cells[0]).toMatchObject({ metric: 'macro_f1' });
  expect(model?.cells[0]?.rows?.cells.values().next().value).toBe('["good","good"]');
});

test('a summary that its log contradicts is named, and does not count', async () => {
  const folder = await writeFolder({});
  const out = await runOf(folder, (id) => (id < 10 ? gold(id) : wrong(id)));
  const summary = await summaryIn(out);
  Object.assign(summary.results[0].score, { value: 0.99, low: 0.97, high: 1 });
  await writeFile(join(out, 'summary.json'), JSON.stringify(summary));
  const board = await rankRuns([out]);
  expect(board.models[0]?.cells[0]).toMatchObject({
    score: { value: 0.25, low: expect.closeTo(0.142, 2) },
    summarized: { value: 0.99, rows: 40 },
  });
  expect(leaderboardMarkdown(board)).toContain(
    'summary.json says 99.0 over 40 rows for m on d, its log says 25.0 over 40 rows. The log is used.',
  );
});

test('rows in common: what they say, and no more', async () => {
  const folder = await writeFolder({});
  const idsFrom = (first: number, last: number) =>
    Array.from({ length: last - first }, (_, place) => first + place);
  const left = await runOf(folder, gold, { model: 'left', ids: idsFrom(0, 20) });
  const right = await runOf(folder, (id) => (id === 19 ? gold(id) : wrong(id)), {
    model: 'right',
    ids: idsFrom(19, 40),
  });
  const text = leaderboardMarkdown(await rankRuns([left, right]));
  expect(text).toContain('equal scores on the 1 row in common say nothing about the others');
  expect(text).not.toContain('gave the same scores');
  const others = await runOf(folder, wrong, { model: 'others', ids: idsFrom(20, 40) });
  const disjoint = leaderboardMarkdown(await rankRuns([left, others]));
  expect(disjoint).toContain('Models have no row of d in common');
  expect(disjoint).not.toContain('on the rows they share');
});

test('groups: tasks on the same rows count once, kinds do not mix, all rows, also scored again', async () => {
  const folder = await writeFolder({});
  const out = await runOf(folder, (id) => (id < 20 ? gold(id) : id < 30 ? wrong(id) : ''), {
    datasets: { one: exact, two: exact, edits: { type: 'ter' }, labels: classification },
    groups: [
      { name: 'same', subsets: ['one', 'two'] },
      { name: 'kinds', subsets: ['one', 'edits'] },
      { name: 'names', subsets: ['one', 'labels'] },
    ],
  });
  const summary = await summaryIn(out);
  const { score, allRows } = summary.results[0];
  const [same, kinds, names] = summary.groups;
  expect(same).toMatchObject({
    score: { value: score.value, low: expect.closeTo(score.low, 9), method: 'combined' },
    allRows: { value: allRows.value, high: expect.closeTo(allRows.high, 9) },
  });
  expect(kinds).toMatchObject({ mixed: true, metrics: ['accuracy', 'ter ↓'] });
  expect(kinds).not.toHaveProperty('score');
  // Of each label 10 of 15 given are right, and 10 of 20 are found: F1 is 4/7; accuracy is 1/2.
  expect(names).toMatchObject({
    metrics: ['accuracy', 'macro_f1'],
    allRows: { value: expect.closeTo((4 / 7 + 1 / 2) / 2, 12) },
  });
  const table = terminalTable(summary, { width: 80, color: false });
  expect(table).toContain(
    'm on kinds: no average: accuracy and ter ↓ are different kinds of metric',
  );
  expect(table).toContain('ter ↓: edits');
  const again = await rescore(out);
  expect(again.summary.groups).toEqual(summary.groups);
});

test('an interrupted run has no interval anywhere', async () => {
  const folder = await writeFolder({});
  const out = await runOf(folder, gold);
  const log = join(out, 'm', 'd.jsonl');
  const lines = (await readFile(log, 'utf8')).split('\n').slice(0, 12);
  await writeFile(log, `${lines.join('\n')}\n`);
  const summary = await summaryIn(out);
  await rm(join(out, 'm', 'd.index'));
  Object.assign(summary.results[0].rows, { scored: 12, missing: 28 });
  await writeFile(join(out, 'summary.json'), JSON.stringify({ ...summary, complete: false }));
  const again = await rescore(out);
  expect(again.summary.results[0]).toMatchObject({
    partial: true,
    score: { value: 1, interval: 'partial' },
  });
  expect(again.summary.results[0]?.score).not.toHaveProperty('low');
  const board = await rankRuns([out]);
  expect(board.models[0]?.cells[0]).toMatchObject({ isInterrupted: true, isPartial: true });
  expect(leaderboardMarkdown(board)).toContain('| 100.0 rows reached |');
});

test('another model behind the same name is told, and is another model', async () => {
  const folder = await writeFolder({});
  const serve = async (out: string, name: string) => {
    await using server = await startFaultServer({ modelOf: () => name, answer: () => 'good' });
    const config = await parseConfig(
      {
        models: [
          { abbr: 'm', type: 'OpenAI' as const, base_url: `${server.url}/v1`, model: 'fault' },
        ],
        datasets: [
          {
            abbr: 'd',
            rows,
            reader_cfg: { input_columns: ['text'], output_column: 'label' },
            infer_cfg: { prompt_template: { template: '{text}' } },
            eval_cfg: { evaluator: exact },
          },
        ],
      },
      { folder },
    );
    await evaluate(config, { out: join(folder, out) });
    return join(folder, out);
  };
  const [honest, cheap] = [await serve('honest', 'fault'), await serve('cheap', 'cheap-model')];
  const { differences, warnings } = await compareRuns(honest, cheap);
  expect(differences.find(({ kind }) => kind === 'model')).toMatchObject({
    isSame: false,
    changes: expect.arrayContaining([{ path: 'served as', a: 'fault', b: 'cheap-model' }]),
  });
  expect(warnings).toContain('B: m was asked as fault and served as cheap-model.');
  const board = await rankRuns([honest, cheap]);
  expect(board.models.map(({ model }) => model).sort()).toEqual([
    'm (served as=cheap-model)',
    'm (served as=fault)',
  ]);
  expect(leaderboardMarkdown(board)).toContain(
    'm, asked as fault, was served as cheap-model (40 answers).',
  );
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { SweepSummary, ValueComparison } from '../../src/study/sweep/sweep-summary.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const tiny = ['--models', 'typecase-tiny', '--out', 'out'];

async function sweep(args: readonly string[], cwd: string): Promise<SweepSummary> {
  const { code, stdout, stderr } = await runCli(['sweep', ...args, ...tiny, '--json'], { cwd });
  expect(`${code} ${stderr.replaceAll(/^\d.*\n/gm, '')}`).toBe('0 ');
  return JSON.parse(stdout);
}

/** Whether the first value is better than the second by the test and the interval. */
function isAbove(comparisons: readonly ValueComparison[], first: string, second: string): boolean {
  const found = comparisons.find(
    ({ a, b }) => [a, b].sort().join() === [first, second].sort().join(),
  );
  if (!found) throw new Error(`${first} and ${second} were not compared`);
  return found.isDifferent && (found.b === first) === found.difference.value > 0;
}

test('the embedded model: known formats beat unknown ones, and examples help', async () => {
  const cwd = await writeFolder({});
  const args = ['task:latent-operation', '--templates', 'arrow,comma,given,colons'];
  const result = await sweep([...args, '--shots', '0,1,4', '--limit', '100'], cwd);
  const [sheet] = result.sheets;
  const comparisons = sheet?.comparisons ?? [];
  for (const known of ['arrow', 'comma']) {
    for (const unknown of ['given', 'colons']) {
      expect([known, unknown, isAbove(comparisons, known, unknown)]).toEqual([
        known,
        unknown,
        true,
      ]);
    }
  }
  expect([isAbove(comparisons, '1', '0'), isAbove(comparisons, '4', '1')]).toEqual([true, true]);
  expect(result.best[0]).toMatchObject({ settings: { shots: '4' }, title: 'Use 4 shots' });
  expect(result.best[0]?.honest?.low).toBeGreaterThan(0.8);
  expect(sheet?.cells).toHaveLength(12);
  expect(sheet?.changing?.most[0]?.cells[0]?.prompt).not.toBe('');
  for (const file of ['sweep.json', 'sweep.csv', 'sweep.md', 'sweep.html', 'summary.json']) {
    expect((await readFile(join(cwd, 'out', file), 'utf8')).length).toBeGreaterThan(100);
  }
  const { replies } = await readSnapshot(join(cwd, 'out/sweep.html'));
  const outside = ['command', 'folder', 'schemaVersion'];
  const shown = Object.fromEntries(
    Object.entries(result).filter(([name]) => !outside.includes(name)),
  );
  expect(Object.values(replies)).toMatchObject([{ sweep: shown }]);

  const again = await sweep([...args, '--shots', '0,1,4', '--limit', '100'], cwd);
  expect(again.requests.sent).toBe(0);
  expect(again.sheets).toEqual(result.sheets);
});

test('what cells ask alike is asked once, and a text format never seen is the worst', async () => {
  const cwd = await writeFolder({});
  const args = ['task:arithmetic', '--templates', 'equation,postfix', '--shots', '0'];
  const { sheets, requests } = await sweep([...args, '--seeds', '1,2,3', '--limit', '40'], cwd);
  expect(requests).toEqual({ sent: 80, reused: 160 });
  expect(sheets[0]?.spread).toMatchObject({ worst: 'postfix' });
  expect(isAbove(sheets[0]?.comparisons ?? [], 'equation', 'postfix')).toBe(true);
});

test('a budget drops what is shown to be worse, and says what it saved', async () => {
  const cwd = await writeFolder({});
  const args = ['task:arithmetic', '--templates', 'equation,tight,postfix', '--shots', '0'];
  const { budget, best, requests } = await sweep([...args, '--budget', '200'], cwd);
  expect(budget).toMatchObject({ requests: 200, full: 1500 });
  expect(budget?.spent).toBeLessThanOrEqual(200);
  expect(requests.sent).toBe(budget?.spent);
  expect(budget?.races[0]?.left).not.toContain('postfix');
  expect(best[0]?.honest?.low).toBeGreaterThan(0.8);
});

const rows = Array.from({ length: 30 }, (_, id) => ({ q: `${id}+7`, a: String(id + 7) }));
const configOf = (sweepKey: unknown) =>
  JSON.stringify({
    models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny', max_out_len: 8 }],
    datasets: [
      {
        abbr: 'sums',
        rows,
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { inferencer: { type: 'GenInferencer', stopping_criteria: ['\n'] } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
    sweep: sweepKey,
  });
const inline = [
  { name: 'tight', prompt_template: { template: '{q}={a}' } },
  { name: 'odd', prompt_template: { template: '<<{q}>> {a}' } },
];

test('templates of a config, asked in one run', async () => {
  const cwd = await writeFolder({ 'config.json': configOf({ templates: inline }) });
  const { code, stdout } = await runCli(['sweep', 'config.json', '--out', 'out'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/template +score/);
  expect(stdout).toMatch(/Use tight\n +100\.0 on these rows, clearly better than the other one\./);
  expect(stdout).toContain('tight over odd');
});

test.each([
  [{ templates: [] }, 'sweep.empty_axis', 2],
  [{ templates: [inline[0], inline[0]] }, 'sweep.repeated_value', 2],
  [{ templates: 'all' }, 'sweep.unknown_template', 2],
  [{ template: inline }, 'config.unknown_key', 2],
  [{ templates: inline, shots_as: ['lines'] }, 'config.unknown_value', 2],
  [{ templates: inline, option_orders: ['original'] }, 'sweep.option_orders', 2],
])('refuses %j', async (sweepKey, error, exit) => {
  const cwd = await writeFolder({ 'config.json': configOf(sweepKey) });
  const { code, stderr } = await runCli(['sweep', 'config.json'], { cwd });
  expect(stderr).toContain(`error[${error}]`);
  expect(code).toBe(exit);
});

test.each([
  [['task:arithmetic'], 'usage.model_missing'],
  [['task:arithmetic', ...tiny, '--templates', 'equatoin'], 'sweep.unknown_template'],
  [['task:arithmetic', ...tiny, '--shots', ''], 'sweep.empty_axis'],
  [['task:arithmetic', ...tiny, '--shots', '0', '--budget', '7'], 'usage.budget_too_small'],
  [['task:arithmetic', ...tiny, '--same-template', '--budget', '99'], 'usage.conflicting_options'],
])('refuses %j', async (args, error) => {
  const cwd = await writeFolder({});
  const { code, stderr } = await runCli(['sweep', ...args], { cwd });
  expect(stderr).toContain(`error[${error}]`);
  expect(code).toBe(2);
});

test('says so where nothing can be compared, or too few rows were asked', async () => {
  const cwd = await writeFolder({});
  const base = ['sweep', 'task:arithmetic', ...tiny];
  const one = await runCli([...base, '--templates', 'equation', '--limit', '10'], { cwd });
  expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('Nothing was varied')]);
  const few = await runCli([...base, '--templates', 'equation,postfix', '--limit', '4'], { cwd });
  expect(few.stdout).toMatch(/4 rows cannot show any difference/);
  expect(few.stdout).toMatch(/too\s+few\s+rows\s+to\s+say\s+what\s+it\s+would\s+score/);
  expect(few.stdout).not.toMatch(/told apart/);
});

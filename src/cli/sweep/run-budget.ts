import { RunError } from '../../errors.ts';
import { keyedRandom } from '../../random/index.ts';
import { rowScoreKind } from '../../run/metric-tally.ts';
import type { RunSummary } from '../../run/summary.ts';
import type { BestTemplate, BudgetSummary, Race, ScoreKind } from '../../run/sweep-summary.ts';
import { errorRate, type RaceResult, type RowScores, runRace } from '../../sweep/race.ts';
import { averageRows, valuesOf } from '../../sweep/sheet.ts';
import type { BuiltModel, BuiltTask } from '../run/build-tasks.ts';
import { UsageError } from '../usage-error.ts';
import { onlyRows } from './change-rows.ts';
import { type CellTask, readSheet } from './read-sheets.ts';

/** The cells of one model on one data set, and how they are run. */
export interface RaceGroup {
  readonly model: BuiltModel;
  readonly cells: readonly CellTask[];
}

/** A budget that is enough, and the races that it is to be spent on. */
export interface BudgetPlan {
  readonly budget: number;
  readonly starts: readonly RaceStart[];
  /** What all cells on all rows would take. */
  readonly full: number;
  /** The least that the races can do with. */
  readonly smallest: number;
}

export interface SpentBudget {
  readonly summary: BudgetSummary;
  readonly best: readonly BestTemplate[];
  /** The rows that were asked, by the log of the task. */
  readonly asked: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Finds out what there is to be asked, and refuses a budget that cannot be kept. */
export async function planBudget(
  groups: readonly RaceGroup[],
  { budget, seed }: { readonly budget: number; readonly seed: number },
): Promise<BudgetPlan> {
  const starts: RaceStart[] = [];
  for (const group of groups) starts.push(await startOf(group, seed));
  const full = starts.reduce((sum, { ids, cells }) => sum + ids.length * cells.length, 0);
  const smallest = starts.reduce((sum, { cells }) => sum + cells.length, 0);
  checkBudget(budget, smallest);
  return { budget, starts, full, smallest };
}

/** Runs the tasks of a model to their end. */
type RunTasks = (model: BuiltModel) => Promise<RunSummary>;

/** Spends a budget of requests on the templates that it can decide between. */
export async function runBudget(plan: BudgetPlan, run: RunTasks): Promise<SpentBudget> {
  const { starts, full, smallest } = plan;
  const asked = new Map<string, Set<number>>();
  const results: { readonly start: RaceStart; readonly result: RaceResult }[] = [];
  for (const start of starts) {
    const share = (start.ids.length * start.cells.length) / full;
    const budget = start.cells.length + Math.floor((plan.budget - smallest) * share);
    results.push({ start, result: await race(start, { budget, run, asked }) });
  }
  const races = results.map(({ start, result: { spent: _, naive: __, ...rest } }): Race => {
    return { model: start.name, dataset: start.dataset, ...rest };
  });
  return {
    asked,
    best: results.map(bestOf),
    summary: {
      requests: plan.budget,
      spent: results.reduce((sum, { result }) => sum + result.spent, 0),
      full,
      errorRate,
      races,
    },
  };
}

/** A race before its first row. */
export interface RaceStart extends RaceGroup {
  readonly dataset: string;
  readonly name: string;
  readonly kind: ScoreKind;
  readonly ids: readonly number[];
}

async function startOf(group: RaceGroup, seed: number): Promise<RaceStart> {
  const [first] = group.cells;
  if (!first) throw new RangeError('a race without cells');
  if (first.task.settings.inference.type === 'composite') {
    throw new UsageError(
      'usage.budget_of_rows',
      `The rows of \`${first.cell.dataset}\` take several requests each, so a budget cannot count them`,
      { hint: 'Leave out `--budget`, and take fewer rows with `--limit`.' },
    );
  }
  if (templatesOf(group).length < 2) {
    throw new UsageError(
      'usage.budget_without_choice',
      'There is one template, so none to choose',
      {
        hint: 'Leave out `--budget`, or name several with `--templates`.',
      },
    );
  }
  const ids: number[] = [];
  for await (const batch of first.task.rows.stream.batches()) {
    for (const { id } of batch) ids.push(Number(id));
  }
  const { model: name, scorer } = first.task.settings;
  const { dataset } = first.cell;
  return { ...group, name, dataset, kind: rowScoreKind(scorer), ids: shuffle(ids, seed) };
}

function templatesOf({ cells }: RaceGroup): string[] {
  return [...new Set(cells.map(({ cell }) => cell.settings.template ?? ''))];
}

function shuffle(ids: readonly number[], seed: number): number[] {
  const key = (id: number) => keyedRandom(seed, `budget ${id}`).next();
  return ids
    .map((id) => ({ id, key: key(id) }))
    .sort((left, right) => left.key - right.key)
    .map(({ id }) => id);
}

function checkBudget(budget: number, smallest: number): void {
  if (budget >= smallest) return;
  throw new UsageError(
    'usage.budget_too_small',
    `${budget} requests are fewer than one row in each of ${smallest} cells`,
    { hint: `Give a budget of ${smallest} at least, or fewer templates.` },
  );
}

interface RaceParts {
  readonly budget: number;
  readonly run: RunTasks;
  readonly asked: Map<string, Set<number>>;
}

function race(start: RaceStart, { budget, run, asked }: RaceParts): Promise<RaceResult> {
  const templates = templatesOf(start);
  const ask = async (wanted: readonly string[], ids: readonly number[]): Promise<RowScores> => {
    const chosen = start.cells.filter(({ cell }) => wanted.includes(cell.settings.template ?? ''));
    const cells = chosen.map(({ cell, task }) => ({ cell, task: takeRows(task, ids, asked) }));
    const summary = await run({ ...start.model, tasks: cells.map(({ task }) => task) });
    if (!summary.complete) throw interrupted();
    const sheet = await readSheet(cells);
    const answered = valuesOf(sheet, 'template');
    return new Map(answered.map((name) => [name, averageRows(sheet, 'template', name)]));
  };
  const cost = start.cells.length / templates.length;
  return runRace({ templates, ids: start.ids, cost, budget, kind: start.kind, ask });
}

/** The task with these rows only, which are noted down. */
function takeRows(
  task: BuiltTask,
  ids: readonly number[],
  asked: Map<string, Set<number>>,
): BuiltTask {
  const { logFile } = task.settings;
  asked.set(logFile, new Set([...(asked.get(logFile) ?? []), ...ids]));
  return onlyRows(task, new Set(ids));
}

/** What ends a budget early. */
export function interrupted(): RunError {
  return new RunError('run.interrupted', 'the budget was not spent to its end', {
    hint: 'Run the same command again to go on.',
  });
}

function bestOf({
  start,
  result: { winner, naive, score },
}: {
  readonly start: RaceStart;
  readonly result: RaceResult;
}): BestTemplate {
  const sign = start.kind.direction === 'lower' ? -1 : 1;
  return {
    model: start.name,
    datasets: [start.dataset],
    template: winner,
    naive,
    ...(score && { honest: score, optimism: sign * (naive - score.value) }),
    choices: [],
  };
}

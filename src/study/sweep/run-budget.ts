import { keyedRandom } from '../../base/keyed-random.ts';
import { UsageError } from '../../base/usage-error.ts';
import { RunError } from '../../errors.ts';
import { clusterOf, clusterOfRecord } from '../../run/cluster-of.ts';
import { rowScoreKind } from '../../run/metric-tally.ts';
import type { StoredEvaluation } from '../../run/stored-evaluation.ts';
import type { RunSummary } from '../../run/summary.ts';
import { type AskedRows, errorRate, type RaceResult, runRace } from './budget-race.ts';
import type { CellEvaluation } from './cell-evaluation.ts';
import { onlyRows } from './change-rows.ts';
import { describeChoice } from './headline.ts';
import { readSheet } from './read-sheets.ts';
import { averageRows, valuesOf } from './sheet.ts';
import type { BestConfiguration, BudgetSummary, Race, ScoreKind } from './sweep-summary.ts';

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
  readonly best: readonly BestConfiguration[];
  /** The rows that were asked, by the log of the task. */
  readonly asked: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Finds out what there is to be asked, and refuses a budget that cannot be kept. */
export async function planBudget(
  groups: readonly (readonly CellEvaluation[])[],
  { budget, seed }: { readonly budget: number; readonly seed: number },
): Promise<BudgetPlan> {
  const starts: RaceStart[] = [];
  for (const cells of groups) starts.push(await startOf(cells, seed));
  const full = starts.reduce((sum, { ids, cells }) => sum + ids.length * cells.length, 0);
  const smallest = starts.reduce((sum, { cells }) => sum + cells.length, 0);
  checkBudget(budget, smallest);
  return { budget, starts, full, smallest };
}

/** Runs tasks of one model to their end. */
type RunTasks = (tasks: readonly StoredEvaluation[]) => Promise<RunSummary>;

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

/** The cells of one model on one dataset before the first row. */
export interface RaceStart {
  readonly cells: readonly CellEvaluation[];
  readonly dataset: string;
  readonly name: string;
  readonly kind: ScoreKind;
  /** In the order in which they are asked. */
  readonly ids: readonly number[];
  readonly seed: number;
  /** Where rows come in clusters: that of each. */
  readonly clusters?: ReadonlyMap<number, string> | undefined;
}

async function startOf(cells: readonly CellEvaluation[], seed: number): Promise<RaceStart> {
  const [first] = cells;
  if (!first) throw new RangeError('a race without cells');
  const { evaluation } = first.stored;
  const { dataset } = first.cell;
  if (evaluation.type === 'composite') {
    throw new UsageError(
      'usage.budget_of_rows',
      `The rows of \`${dataset}\` take several requests each, so a budget cannot count them`,
      { hint: 'Leave out `--budget`, and take fewer rows with `--limit`.' },
    );
  }
  if (templatesOf(cells).length < 2) {
    throw new UsageError('usage.budget_without_choice', 'Only one template, so nothing to choose', {
      hint: 'Leave out `--budget`, or name several with `--templates`.',
    });
  }
  const { clusterBy } = evaluation.task;
  const clusters = new Map<number, string>();
  const ids: number[] = [];
  for await (const batch of evaluation.rows.batches()) {
    for (const { id: name, row } of batch) {
      const id = Number(name);
      ids.push(id);
      if (clusterBy !== undefined) {
        clusters.set(id, clusterOfRecord({ id, cluster: clusterOf(row, clusterBy) }));
      }
    }
  }
  return {
    cells,
    dataset,
    name: evaluation.modelName,
    kind: rowScoreKind(evaluation.scorer),
    ids: shuffle(ids, { clusters, seed }),
    seed,
    ...(clusterBy !== undefined && { clusters }),
  };
}

function templatesOf(cells: readonly CellEvaluation[]): string[] {
  return [...new Set(cells.map(({ cell }) => cell.settings.template ?? ''))];
}

/** Rows of one cluster stay together. */
function shuffle(
  ids: readonly number[],
  { clusters, seed }: { readonly clusters: ReadonlyMap<number, string>; readonly seed: number },
): number[] {
  const key = (id: number) => keyedRandom(seed, `budget ${clusters.get(id) ?? id}`).next();
  return ids
    .map((id) => ({ id, key: key(id) }))
    .sort((left, right) => left.key - right.key)
    .map(({ id }) => id);
}

function checkBudget(budget: number, smallest: number): void {
  if (budget >= smallest) return;
  throw new UsageError(
    'usage.budget_too_small',
    `${budget} requests do not cover one row in each of ${smallest} cells`,
    { hint: `Use a budget of at least ${smallest}, or fewer templates.` },
  );
}

interface RaceParts {
  readonly budget: number;
  readonly run: RunTasks;
  readonly asked: Map<string, Set<number>>;
}

function race(start: RaceStart, { budget, run, asked }: RaceParts): Promise<RaceResult> {
  const templates = templatesOf(start.cells);
  const ask = async (wanted: readonly string[], ids: readonly number[]): Promise<AskedRows> => {
    const chosen = start.cells.filter(({ cell }) => wanted.includes(cell.settings.template ?? ''));
    const cells = chosen.map(({ cell, stored }) => ({
      cell,
      stored: takeRows(stored, ids, asked),
    }));
    const summary = await run(cells.map(({ stored }) => stored));
    if (!summary.complete) throw interrupted();
    const sheet = await readSheet(cells);
    const answered = valuesOf(sheet, 'template');
    const { clusters } = sheet;
    return {
      scores: new Map(answered.map((name) => [name, averageRows(sheet, 'template', name)])),
      ...(clusters && { clusters }),
    };
  };
  const cost = start.cells.length / templates.length;
  const { ids, kind, seed, clusters } = start;
  const clusterOf = clusters && ((id: number) => clusters.get(id));
  return runRace({ templates, ids, cost, budget, kind, seed, ask, clusterOf });
}

/** The evaluation with these rows only, which are noted down. */
function takeRows(
  stored: StoredEvaluation,
  ids: readonly number[],
  asked: Map<string, Set<number>>,
): StoredEvaluation {
  const { logFile } = stored;
  asked.set(logFile, new Set([...(asked.get(logFile) ?? []), ...ids]));
  return withRows(stored, new Set(ids));
}

/** The evaluations with only those rows that a budget was spent on. */
export function askedOnly(
  all: readonly StoredEvaluation[],
  { asked }: Pick<SpentBudget, 'asked'>,
): StoredEvaluation[] {
  return all.map((stored) => withRows(stored, asked.get(stored.logFile) ?? new Set()));
}

function withRows(stored: StoredEvaluation, ids: ReadonlySet<number>): StoredEvaluation {
  return { ...stored, evaluation: onlyRows(stored.evaluation, ids) };
}

/** What ends a budget early. */
export function interrupted(): RunError {
  return new RunError('run.interrupted', 'The budget was not fully spent', {
    hint: 'Run the same command to resume.',
  });
}

function bestOf({
  start: { name, dataset, kind, cells },
  result: { rounds, left, unanswered, winner, naive, score },
}: {
  readonly start: RaceStart;
  readonly result: RaceResult;
}): BestConfiguration {
  const sign = kind.direction === 'lower' ? -1 : 1;
  const templates = templatesOf(cells);
  const last = new Map(
    rounds.flatMap(({ scores }) => scores.map((one) => [one.template, one.score])),
  );
  const configurations = templates
    .filter((template) => !unanswered.includes(template))
    .map((template) => ({ settings: { template }, score: last.get(template) ?? 0 }));
  const leaders = [winner, ...left.filter((template) => template !== winner)].flatMap(
    (template) =>
      configurations.find(({ settings }) => settings.template === template)?.settings ?? [],
  );
  const { title, text } = describeChoice({ configurations, leaders, kind, canTell: true });
  const ways = cells.length / templates.length;
  return {
    model: name,
    datasets: [dataset],
    title,
    text:
      ways > 1 ? `${text} Scores are means over ${ways} combinations of the other settings.` : text,
    settings: { template: winner },
    of: templates.length,
    leaders,
    naive,
    ...(score && { honest: score, optimism: sign * (naive - score.value) }),
    choices: [],
  };
}

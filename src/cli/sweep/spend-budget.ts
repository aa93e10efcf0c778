import type { RunOutcome } from '../../run/execute.ts';
import type { SweepSummary } from '../../run/sweep-summary.ts';
import type { BuiltModel } from '../run/build-tasks.ts';
import { onlyRows } from './change-rows.ts';
import { type BudgetPlan, interrupted, runBudget, type SpentBudget } from './run-budget.ts';

export interface SpendSettings {
  /** Runs tasks to their end, or for so many seconds. */
  readonly run: (models: readonly BuiltModel[], maxTime?: number) => Promise<RunOutcome>;
  /** In seconds, for all rounds together. */
  readonly maxTime?: number | undefined;
}

/** Runs the races of a budget; an interrupt or the end of the time also counts between two rounds. */
export async function spendBudget(
  plan: BudgetPlan,
  { run, maxTime }: SpendSettings,
): Promise<SpentBudget> {
  const start = performance.now();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await runBudget(plan, async (model) => {
      const left = maxTime && maxTime - (performance.now() - start) / 1000;
      if (isStopped || (left !== undefined && left <= 0)) throw interrupted();
      const { summary, failure } = await run([model], left);
      if (failure !== undefined) throw failure;
      return summary;
    });
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** The models with only those rows that a budget was spent on. */
export function askedOnly(models: readonly BuiltModel[], { asked }: SpentBudget): BuiltModel[] {
  return models.map((model) => ({
    ...model,
    tasks: model.tasks.map((task) => onlyRows(task, asked.get(task.settings.logFile) ?? new Set())),
  }));
}

/**
 * The findings of a budget. Sheets have the rows that all templates were asked. How many that are
 * depends on the scores, so that tests on them would claim too much: the races say what is known.
 */
export function budgetFindings(
  { sheets }: Pick<SweepSummary, 'sheets'>,
  { best, summary: budget }: SpentBudget,
): Pick<SweepSummary, 'sheets' | 'best' | 'flips' | 'budget'> {
  const remarks = ['These are the rows that every template was asked.'];
  return {
    best,
    budget,
    flips: [],
    sheets: sheets.map((sheet) => ({ ...sheet, comparisons: [], remarks })),
  };
}

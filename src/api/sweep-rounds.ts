import type { ModelWork, RunOutcome } from '../run/execute.ts';
import {
  executeWork,
  hasAnswers,
  type WorkOptions,
  workByModel,
} from '../run/execute-evaluations.ts';
import type { RunControl } from '../run/run-control.ts';
import type { Spending } from '../run/spending.ts';
import type { StartRecord } from '../run/start-record.ts';
import type { RunFolder } from '../run/store/run-folder.ts';
import type { StoredEvaluation } from '../run/stored-evaluation.ts';
import {
  type BudgetPlan,
  interrupted,
  runBudget,
  type SpentBudget,
} from '../study/sweep/run-budget.ts';
import { divideWork, type ModelCopies } from './model-copies.ts';

interface RoundsSettings {
  readonly folder: RunFolder;
  readonly copies: ModelCopies;
  readonly start: StartRecord;
  readonly options: WorkOptions;
  readonly spending: Pick<Spending, 'reached'> | undefined;
}

/** Runs tasks of a sweep in one round or several. Who stops one of them stops all that follow. */
export class SweepRounds {
  readonly #settings: RoundsSettings;
  #isStopped = false;
  #sent = 0;
  #oldLoglikelihoods = 0;

  constructor(settings: RoundsSettings) {
    this.#settings = settings;
  }

  /** How many requests were sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /** How many rows were asked again because an earlier version kept their loglikelihoods. */
  get oldLoglikelihoods(): number {
    return this.#oldLoglikelihoods;
  }

  /** Runs tasks to their end, or for so many seconds. */
  async run(
    tasks: readonly StoredEvaluation[],
    maxTime = this.#settings.options.maxTime,
  ): Promise<RunOutcome> {
    const { folder, start, options } = this.#settings;
    if (this.#isStopped || options.signal?.aborted) throw interrupted();
    const outcome = await executeWork(this.#divide(tasks), folder, {
      ...options,
      start,
      maxTime,
      onStart: (control) => options.onStart?.(this.#stopping(control)),
    });
    const { summary, failure } = outcome;
    this.#sent += summary.results.reduce((sum, { requests }) => sum + requests.sent, 0);
    this.#oldLoglikelihoods += outcome.oldLoglikelihoods;
    if (failure !== undefined && !hasAnswers(summary)) throw failure;
    return outcome;
  }

  /** Runs the races of a budget. The time limit is one for all their rounds together. */
  spend(plan: BudgetPlan): Promise<SpentBudget> {
    const { maxTime } = this.#settings.options;
    const start = performance.now();
    return runBudget(plan, async (tasks) => {
      const left = maxTime && maxTime - (performance.now() - start) / 1000;
      if (left !== undefined && left <= 0) throw interrupted();
      const { summary, failure } = await this.run(tasks, left);
      const reached = this.#settings.spending?.reached;
      if (failure !== undefined || reached) throw failure ?? reached;
      return summary;
    });
  }

  #divide(tasks: readonly StoredEvaluation[]): ModelWork[] {
    const { copies } = this.#settings;
    return workByModel(tasks).flatMap((work) => divideWork(work, copies.of(work.model)));
  }

  #stopping(control: RunControl): RunControl {
    return {
      ...control,
      stop: () => {
        this.#isStopped = true;
        control.stop();
      },
    };
  }
}

import { costOf } from './cost.ts';
import type { ModelRun, SlowRequest } from './run-model.ts';

/** How far a run has got. */
export interface RunProgress {
  /** Rows that have an outcome, those of earlier starts included. */
  readonly done: number;
  readonly failed: number;
  /** Rows that were done before. */
  readonly reused: number;
  /** Requests that wait for their answers. */
  readonly inFlight: number;
  /** How long the server asked to wait, if it did. */
  readonly waitMs: number;
  /** Requests sent in this start, and the tokens of their answers. */
  readonly sent: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What these tokens cost; left out where no price is known. */
  readonly cost?: number;
  /** The request that has waited for its answer for the longest time. */
  readonly slowest?: SlowRequest;
}

/** A run that is going on. */
export interface RunControl {
  readonly progress: () => RunProgress;
  /** How many rows there are; they are counted if they have to be. */
  readonly countRows: () => Promise<number>;
  /** Lets the requests in flight finish, and starts no more. */
  readonly stop: () => void;
}

export function controlOf(runs: readonly ModelRun[]): RunControl {
  const evaluations = runs.flatMap((run) => run.evaluations);
  return {
    progress() {
      const now = performance.now();
      const sum = { done: 0, failed: 0, reused: 0, sent: 0, inputTokens: 0, outputTokens: 0 };
      for (const { counts } of evaluations) {
        sum.done += counts.resumed + counts.left + counts.scored + counts.unscored + counts.failed;
        sum.failed += counts.failed;
        sum.reused += counts.resumed;
        sum.sent += counts.sent;
        sum.inputTokens += counts.inputTokens;
        sum.outputTokens += counts.outputTokens;
      }
      const costs = evaluations.flatMap(({ counts, evaluation }) => {
        const tokens = { input: counts.inputTokens, output: counts.outputTokens };
        return costOf(tokens, evaluation?.modelConfig?.price) ?? [];
      });
      const [slowest] = runs
        .flatMap((run) => run.slowest ?? [])
        .sort((a, b) => b.waitedMs - a.waitedMs);
      return {
        ...sum,
        ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
        ...(slowest && { slowest }),
        inFlight: runs.reduce((total, { pacer }) => total + pacer.inFlight, 0),
        waitMs: Math.max(0, ...runs.map(({ pacer }) => pacer.delayMs(now))),
      };
    },
    async countRows() {
      let total = 0;
      for (const one of evaluations) total += await one.countAll();
      return total;
    },
    stop() {
      for (const run of runs) run.stopStarting();
    },
  };
}

import { costOf } from './cost.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import type { ModelRun, SlowRequest } from './run-model.ts';
import { addSpent, type Spent, spentSince } from './spent.ts';

/** How far a run has got. */
export interface RunProgress {
  /** Rows that have an outcome, those of earlier starts included. */
  readonly done: number;
  readonly failed: number;
  /** How many rows there are, once they are counted. */
  readonly total?: number;
  /** Rows that were done before. */
  readonly reused: number;
  /** Requests that wait for their answers. */
  readonly inFlight: number;
  /** How long the server asked to wait, if it did. */
  readonly waitMs: number;
  /** Requests sent in this start, to judges as well, and the tokens of their answers. */
  readonly sent: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Answers whose server did not tell all tokens. */
  readonly untold: number;
  /** What these tokens cost; left out where no price is known. */
  readonly cost?: number;
  /** The request that has waited for its answer for the longest time. */
  readonly slowest?: SlowRequest;
  /** How each evaluation stands. */
  readonly evaluations: readonly EvaluationProgress[];
  /** Who answers, where models are not asked by the run itself: workers, or batches. */
  readonly reach?: string;
}

export interface EvaluationProgress {
  readonly model: string;
  readonly dataset: string;
  readonly done: number;
  readonly failed: number;
  /** Rows that were scored in this start, and their mean score. */
  readonly scored: number;
  readonly score?: number;
  /** How many rows it has, once they are counted. */
  readonly total?: number;
}

/** A way to have models asked by others. */
export interface RunReach {
  /** How many requests to a model may be in flight, so that none of those who answer has to wait. */
  readonly roomFor: (abbr: string) => number;
  /** Whether all of them may start at once. */
  readonly isEager?: boolean;
  /** Is told how to learn how many answers the run has not recorded yet. */
  readonly watch?: (unrecorded: () => number) => void;
  /** How it stands, for people. */
  readonly state: string;
}

/** A run that is going on. */
export interface RunControl {
  readonly progress: () => RunProgress;
  /** How many rows there are; they are counted if they have to be. */
  readonly countRows: () => Promise<number>;
  /** Lets the requests in flight finish, and starts no more. */
  readonly stop: () => void;
}

/** `judges` says what judges were asked since they were opened. */
export function controlOf(
  runs: readonly ModelRun[],
  {
    judges,
    reach,
  }: { readonly judges?: (() => Spent) | undefined; readonly reach?: RunReach | undefined } = {},
): RunControl {
  const evaluations = runs.flatMap((run) => run.evaluations);
  const before = judges?.();
  const totals = new Map<EvaluationRun, number>();
  return {
    progress() {
      const now = performance.now();
      const standing = evaluations.map((one) => progressOf(one, totals.get(one)));
      const sum = {
        done: standing.reduce((total, { done }) => total + done, 0),
        failed: standing.reduce((total, { failed }) => total + failed, 0),
        reused: evaluations.reduce((total, { counts }) => total + counts.resumed, 0),
      };
      const { sent, tokens, cost } = addSpent([
        ...evaluations.map(({ counts, evaluation }) => {
          const { inputTokens: input, outputTokens: output, untold } = counts;
          const tokens = { input, output, untold };
          return {
            sent: counts.sent,
            tokens,
            cost: costOf(tokens, evaluation?.modelConfig?.price),
          };
        }),
        ...(before && judges ? [spentSince(before, judges())] : []),
      ]);
      const [slowest] = runs
        .flatMap((run) => run.slowest ?? [])
        .sort((a, b) => b.waitedMs - a.waitedMs);
      const total = [...totals.values()].reduce((all, rows) => all + rows, 0);
      return {
        ...sum,
        ...(totals.size === evaluations.length && { total }),
        evaluations: standing,
        sent,
        inputTokens: tokens.input,
        outputTokens: tokens.output,
        untold: tokens.untold,
        ...(cost !== undefined && { cost }),
        ...(slowest && { slowest }),
        ...(reach && { reach: reach.state }),
        inFlight: runs.reduce((total, { pacer }) => total + pacer.inFlight, 0),
        waitMs: Math.max(0, ...runs.map(({ pacer }) => pacer.delayMs(now))),
      };
    },
    async countRows() {
      let total = 0;
      for (const one of evaluations) {
        const rows = await one.countAll();
        totals.set(one, rows);
        total += rows;
      }
      return total;
    },
    stop() {
      for (const run of runs) run.stopStarting();
    },
  };
}

/** How fast a number grows in a second, evened out. */
export class Rate {
  #last = 0;
  #lastAt = performance.now();
  #rate = 0;

  at(now: number, value: number): number {
    const recent = ((value - this.#last) / Math.max(1, now - this.#lastAt)) * 1000;
    this.#rate = this.#rate === 0 ? recent : this.#rate * 0.7 + recent * 0.3;
    this.#last = value;
    this.#lastAt = now;
    return this.#rate;
  }
}

/** A rate that would take longer is that of a run in which nothing moves. */
const longestLeftSeconds = 30 * 24 * 3600;

/** How fast rows come along, and how long those that are left will take at that rate. */
export class RowRate {
  readonly #rate = new Rate();

  at(now: number, { done, reused, total = 0 }: Pick<RunProgress, 'done' | 'reused' | 'total'>) {
    const perSecond = this.#rate.at(now, done - reused);
    const secondsLeft = (total - done) / perSecond;
    const isKnown = total > done && perSecond > 0 && secondsLeft < longestLeftSeconds;
    return { perSecond, ...(isKnown && { secondsLeft }) };
  }
}

function progressOf(
  { counts, evaluation }: EvaluationRun,
  total: number | undefined,
): EvaluationProgress {
  const { resumed, left, scored, unscored, failed, scoreSum } = counts;
  return {
    model: evaluation.model.name,
    dataset: evaluation.task.name,
    done: resumed + left + scored + unscored + failed,
    failed,
    scored,
    ...(scored > 0 && { score: scoreSum / scored }),
    ...(total !== undefined && { total }),
  };
}

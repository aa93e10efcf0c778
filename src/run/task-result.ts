import type { Evaluation, PromptShape } from '../evaluation/evaluation.ts';
import { ofRowsReached } from '../stats/estimate.ts';
import { taskCost } from './cost.ts';
import type { Tally } from './summarize.ts';
import type { FailureCount, PossibleClusterCount, RequestCounts, TaskResult } from './summary.ts';

/** What a result says that its records do not. */
export interface ResultFacts extends Pick<Evaluation, 'modelConfig' | 'judgeConfigs'> {
  readonly model: string;
  readonly dataset: string;
  /** How many rows there are to be. */
  readonly total: number;
  /** Whether more are missing than that says. */
  readonly isCut?: boolean | undefined;
  readonly requests: RequestCounts;
  /** Verdicts that tasks before this one have counted, by their judges and keys: datasets may share them. */
  readonly counted: Set<string>;
  /** Whether answers may be as long as the server likes. */
  readonly isUnlimited: boolean;
  readonly leaks: number;
  readonly shape: PromptShape;
  readonly possibleClusters?: PossibleClusterCount | undefined;
  readonly seconds: number;
  readonly tokensPerSecond: TaskResult['tokensPerSecond'];
  readonly promptHash: string;
  /** How many failed rows of a kind are not asked again. */
  readonly leftOf?: ((kind: FailureCount['kind']) => number) | undefined;
}

/** What the records of a task come to, as summaries have it. */
export function taskResult(tally: Tally, facts: ResultFacts): TaskResult {
  const { model, dataset, total, requests, leaks, shape, promptHash } = facts;
  const { seconds, tokensPerSecond } = facts;
  const { scored, unscored, failed, tokens, reasons } = tally;
  const result = {
    ...tally.result,
    ...tally.judgeCounts(facts.counted, facts.judgeConfigs?.[0]?.abbr),
  };
  const missing = total - scored - unscored - failed;
  const { failures, ...events } = tally.events;
  const withLeft = (failure: FailureCount): FailureCount => {
    const left = facts.leftOf?.(failure.kind) ?? 0;
    return left > 0 ? { ...failure, left } : failure;
  };
  return {
    model,
    dataset,
    ...(missing > 0 || facts.isCut ? partialScores(result) : result),
    rows: { total, scored, unscored, failed, missing },
    ...(tally.scorerFailed > 0 && { scorerFailed: tally.scorerFailed }),
    reasons,
    ...(failures && { failures: failures.map(withLeft) }),
    ...events,
    ...(events.cutOff !== undefined && facts.isUnlimited && { serverLimit: true }),
    tokens,
    requests,
    ...taskCost({ tokens, ...result }, facts),
    ...(leaks > 0 && { leaks }),
    ...shapeFacts({ shape }, tally),
    ...(facts.possibleClusters && { possibleClusters: facts.possibleClusters }),
    seconds,
    ...(tokensPerSecond && { tokensPerSecond }),
    promptHash,
  };
}

/** The tokens of what was asked in that time, for each second; nothing where the server told none. */
export function tokensPerSecond(
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  seconds: number,
): TaskResult['tokensPerSecond'] {
  if (seconds <= 0 || inputTokens + outputTokens === 0) return undefined;
  const rate = (tokens: number) => Number((tokens / seconds).toPrecision(3));
  return { input: rate(inputTokens), output: rate(outputTokens) };
}

type Scores = Pick<TaskResult, 'score' | 'allRows' | 'metrics'>;

/** Scores of the rows reached, which are no random part of all: nothing is known of the others. */
function partialScores<Found extends Scores>(found: Found): Found & { partial: true } {
  const { score, allRows, metrics } = found;
  return {
    ...found,
    ...(score && { score: ofRowsReached(score) }),
    ...(allRows && { allRows: ofRowsReached(allRows) }),
    ...(metrics && {
      metrics: metrics.map((metric) => ({
        ...metric,
        score: ofRowsReached(metric.score),
        ...(metric.allRows && { allRows: ofRowsReached(metric.allRows) }),
      })),
    }),
    partial: true,
  };
}

/** What a summary says of draws and lengths. */
function shapeFacts(
  { shape: { seed, estimatesLengths } }: Pick<Evaluation, 'shape'>,
  { fit }: Tally,
): Pick<TaskResult, 'seed' | 'dropped' | 'tooLong' | 'estimatedLengths'> {
  const isEstimated = estimatesLengths && (fit.dropped ?? fit.tooLong) !== undefined;
  return {
    ...(seed !== undefined && { seed }),
    ...fit,
    ...(isEstimated && { estimatedLengths: true }),
  };
}

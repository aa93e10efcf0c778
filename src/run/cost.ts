import type { ModelConfig, Price } from '../config/config.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { CostSummary, TaskResult } from './summary.ts';

const million = 1_000_000;

/** What tokens cost; nothing if a price is not known. */
export function costOf(tokens: TaskResult['tokens'], price: Price | undefined): number | undefined {
  if (price?.in === undefined || price.out === undefined) return undefined;
  return (tokens.input * price.in + tokens.output * price.out) / million;
}

/** Models on this machine and recorded answers cost nothing. */
export function priceOf(config: ModelConfig | undefined): Price {
  const { type, price } = config ?? {};
  return price ?? (type === 'Local' || type === 'Replay' ? { in: 0, out: 0 } : {});
}

/** What answers and their verdicts cost; nothing where a price is not known, or nobody gave one. */
export function taskCost(
  { tokens, judge }: Pick<TaskResult, 'tokens' | 'judge'>,
  { modelConfig, judgeConfig }: Pick<Evaluation, 'modelConfig' | 'judgeConfig'>,
): number | undefined {
  if (!modelConfig?.price && !judgeConfig?.price) return undefined;
  const answers = costOf(tokens, priceOf(modelConfig));
  const verdicts = judge ? costOf(judge.tokens, priceOf(judgeConfig)) : 0;
  return answers === undefined || verdicts === undefined ? undefined : answers + verdicts;
}

/** Answers of which it is not known what they cost. */
function untoldOf({ cost, tokens, judge }: TaskResult): number {
  return cost === undefined ? 0 : (tokens.untold ?? 0) + (judge?.tokens.untold ?? 0);
}

/** What the answers of a run cost; nothing where no price is known. */
export function totalCost(results: readonly TaskResult[]): CostSummary | undefined {
  const known = results.flatMap(({ cost }) => cost ?? []);
  if (known.length === 0) return undefined;
  const untold = results.reduce((sum, result) => sum + untoldOf(result), 0);
  return {
    total: known.reduce((sum, cost) => sum + cost, 0),
    ...(untold > 0 && { untold }),
  };
}

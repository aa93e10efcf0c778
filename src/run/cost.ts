import type { ModelConfig, Price } from '../config/config.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { CostSummary, JudgeCounts, TaskResult } from './summary.ts';

const million = 1_000_000;

/** What tokens cost; nothing if a price is not known. */
export function costOf(tokens: TaskResult['tokens'], price: Price | undefined): number | undefined {
  if (price?.in === undefined || price.out === undefined) return undefined;
  return (tokens.input * price.in + tokens.output * price.out) / million;
}

const free: readonly ModelConfig['type'][] = ['Local', 'Replay', 'Dummy'];

/** Models on this machine and recorded answers cost nothing. */
export function priceOf(config: ModelConfig | undefined): Price {
  const { type, price } = config ?? {};
  return price ?? (free.includes(type) ? { in: 0, out: 0 } : {});
}

interface PricedModels extends Pick<Evaluation, 'modelConfig' | 'judgeConfigs'> {
  readonly model: string;
}

/** What answers and their verdicts cost, and who has no price; nothing where nobody has one. */
export function taskCost(
  { tokens, judge }: Pick<TaskResult, 'tokens' | 'judge'>,
  { model, modelConfig, judgeConfigs = [] }: PricedModels,
): Pick<TaskResult, 'cost' | 'unpriced'> {
  if (!modelConfig?.price && !judgeConfigs.some(({ price }) => price)) return {};
  const costs = [
    { name: model, cost: costOf(tokens, priceOf(modelConfig)) },
    ...(judge ? judgeTokens(judge, judgeConfigs[0]?.abbr) : []).map(({ judge: name, ...sums }) => ({
      name,
      cost: costOf(sums.tokens, priceOf(judgeConfigs.find(({ abbr }) => abbr === name))),
    })),
  ];
  const known = costs.flatMap(({ cost }) => cost ?? []);
  if (known.length === 0) return {};
  const unpriced = costs.filter(({ cost }) => cost === undefined).map(({ name }) => name);
  return {
    cost: known.reduce((sum, cost) => sum + cost, 0),
    ...(unpriced.length > 0 && { unpriced }),
  };
}

/** What each judge took. */
function judgeTokens(
  { tokens, others = [] }: JudgeCounts,
  first = 'its judge',
): NonNullable<JudgeCounts['others']> {
  const sum = (key: 'input' | 'output') =>
    others.reduce((left, other) => left - other.tokens[key], tokens[key]);
  const ofFirst = { judge: first, tokens: { input: sum('input'), output: sum('output') } };
  return [ofFirst, ...others];
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

import type { Price } from '../config/config.ts';
import type { CostSummary, TaskResult } from './summary.ts';

const million = 1_000_000;

/** What tokens cost; nothing if a price is not known. */
export function costOf(tokens: TaskResult['tokens'], price: Price | undefined): number | undefined {
  if (price?.in === undefined || price.out === undefined) return undefined;
  return (tokens.input * price.in + tokens.output * price.out) / million;
}

/** What the answers of a run cost; nothing where no price is known. */
export function totalCost(results: readonly TaskResult[]): CostSummary | undefined {
  const known = results.flatMap(({ cost }) => cost ?? []);
  if (known.length === 0) return undefined;
  return { total: known.reduce((sum, cost) => sum + cost, 0) };
}

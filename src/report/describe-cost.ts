import { countOf, formatAmount, oneLine } from '../base/format.ts';
import type { CostSummary, RunSummary, TaskResult } from '../run/summary.ts';

/** What a run costs, and how much of its limit is spent; nothing where no price is known. */
export function describeCost({ cost, results }: RunSummary): string | undefined {
  if (!cost) return undefined;
  const { total, limit, spent = total, estimated = 0, untold = 0 } = cost;
  const names = unpricedOf(results);
  return [
    `Cost: ${costOf(cost, results)}${names.length > 0 ? `, without ${names.join(', ')}` : ''}.`,
    ...(untold > 0 && estimated === 0
      ? [`${countOf(untold, 'answer')} came without token counts.`]
      : []),
    ...(limit === undefined
      ? []
      : [`Spent: ${formatAmount(spent)} of at most ${formatAmount(limit)}.`]),
    ...(estimated > 0
      ? [`${countOf(estimated, 'answer')} came without token counts and are estimated.`]
      : []),
  ].join(' ');
}

/** What answers cost, in a few words: the least, where tokens were not told or have no price. */
export function costOf({ total, untold = 0 }: CostSummary, results: readonly Priced[]): string {
  return untold === 0 && unpricedOf(results).length === 0 ? formatAmount(total) : atLeast(total);
}

type Priced = Pick<TaskResult, 'model' | 'cost' | 'unpriced'>;

/** Models and judges without a price, beside others that have one. */
function unpricedOf(results: readonly Priced[]): string[] {
  if (results.every((result) => result.cost === undefined)) return [];
  const unpriced = results.flatMap((result) =>
    result.cost === undefined ? [result.model] : (result.unpriced ?? []),
  );
  return [...new Set(unpriced.map(oneLine))];
}

/** What is known of a cost of which a part is not known. */
export function atLeast(cost: number): string {
  return cost === 0 ? 'not known' : `at least ${formatAmount(cost)}`;
}

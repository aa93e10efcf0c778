import { countOf, formatAmount, oneLine } from '../base/format.ts';
import type { RunSummary } from '../run/summary.ts';

/** What a run costs, and how much of its limit is spent; nothing where no price is known. */
export function describeCost({ cost, results }: RunSummary): string | undefined {
  if (!cost) return undefined;
  const { total, limit, spent = total, estimated = 0, untold = 0 } = cost;
  const unpriced = results.flatMap((result) =>
    result.cost === undefined ? [result.model] : (result.unpriced ?? []),
  );
  const names = [...new Set(unpriced.map(oneLine))];
  const isPartly = names.length > 0 && results.some((result) => result.cost !== undefined);
  const known = untold === 0 && !isPartly ? formatAmount(total) : atLeast(total);
  return [
    `Cost: ${known}${isPartly ? `, without ${names.join(', ')}` : ''}.`,
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

/** What is known of a cost of which a part is not known. */
export function atLeast(cost: number): string {
  return cost === 0 ? 'not known' : `at least ${formatAmount(cost)}`;
}

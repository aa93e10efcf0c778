import type { BudgetSummary, Race } from '../../run/sweep-summary.ts';
import { formatLevel } from '../compare/compare-format.ts';
import { countOf, formatCount } from '../format.ts';

/** How a budget was spent, in words. */
export function describeBudget(budget: BudgetSummary): string[] {
  const { requests, spent, full, errorRate, races } = budget;
  const saved = Math.max(0, Math.round((1 - spent / full) * 100));
  return [
    `${countOf(spent, 'request')} of ${formatCount(requests)}; all templates on all rows would have taken ${formatCount(full)}: ${saved} % saved.`,
    `The chance that a truly best template was dropped is at most ${formatLevel(errorRate)}.`,
    ...races.flatMap((race) => describeRace(race, races.length > 1)),
  ];
}

function describeRace({ model, dataset, rounds, left, winner }: Race, isNamed: boolean): string[] {
  const name = isNamed ? `${model} on ${dataset}: ` : '';
  const dropped = rounds
    .filter((round) => round.dropped.length > 0)
    .map(({ rows, dropped: names }) => `after ${countOf(rows, 'row')} ${names.join(', ')}`);
  return [
    `${name}${dropped.length > 0 ? `dropped ${dropped.join('; ')}.` : 'nothing could be dropped.'}`,
    left.length > 1
      ? `Left: ${left.join(', ')}; ${winner} is ahead, which may be chance.`
      : `Left: ${winner}.`,
  ];
}

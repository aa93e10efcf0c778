import { countOf, formatCount } from '../../base/format.ts';
import { formatLevel } from '../../study/compare/compare-format.ts';
import type { BudgetSummary, Race } from '../../study/sweep/sweep-summary.ts';
import { isSame } from '../../study/sweep/ties.ts';

/** How a budget was spent, in words. */
export function describeBudget(budget: BudgetSummary): string[] {
  const { requests, spent, full, errorRate, races } = budget;
  const saved = Math.max(0, Math.round((1 - spent / full) * 100));
  const isNamed = races.length > 1;
  return [
    `${countOf(spent, 'request')} of ${formatCount(requests)}; all templates on all rows would take ${formatCount(full)}: ${saved}% saved.`,
    `Probability of having dropped the best template: at most ${formatLevel(errorRate)}${isNamed ? ' for each model and dataset' : ''}.`,
    ...races.map((race) => describeRace(race, isNamed)),
  ];
}

function describeRace(race: Race, isNamed: boolean): string {
  const { model, dataset, rounds, unanswered } = race;
  const dropped = rounds
    .filter((round) => round.dropped.length > 0)
    .map(({ rows, dropped: names }) => `${names.join(', ')} after ${countOf(rows, 'row')}`);
  return [
    ...(isNamed ? [`${model} on ${dataset}:`] : []),
    ...(unanswered.length > 0 ? [`No answers for ${unanswered.join(', ')}.`] : []),
    dropped.length > 0 ? `Dropped ${dropped.join('; ')}.` : 'Nothing could be dropped.',
    describeLeft(race),
  ].join(' ');
}

function describeLeft({ rounds, left, winner }: Race): string {
  if (left.length === 1) return `Left: ${winner}.`;
  const scores = new Map(rounds.at(-1)?.scores.map(({ template, score }) => [template, score]));
  const even = left.filter((name) => isSame(scores.get(name) ?? 0, scores.get(winner) ?? 0));
  const ahead =
    even.length > 1
      ? `${even.join(', ')} are tied; ${winner} was picked at random`
      : `${winner} is ahead, possibly by chance`;
  return `Left: ${left.join(', ')}; ${ahead}.`;
}

import { countOf } from '../../base/format.ts';
import type { Comparison } from '../../study/leaderboard/compare-models.ts';
import type { Ranking } from '../../study/leaderboard/rank-models.ts';
import type { ModelResult } from '../../study/leaderboard/task-score.ts';

/** A ranking with everything that is said of it. */
export interface Leaderboard {
  readonly ranking: Ranking;
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
}

/** A share in hundredths: `41.67`. */
export function percent(share: number): string {
  return (share * 100).toFixed(2);
}

interface Grounds {
  readonly comparisons: readonly Comparison[];
  readonly results: readonly ModelResult[];
}

/** What is said below the table, one sentence each. */
export function describeNotes(
  { models, incomplete }: Ranking,
  { comparisons, results }: Grounds,
): string[] {
  const dialects = [...new Set(models.flatMap(({ dialect }) => dialect ?? []))];
  const isGuessed = models.some(({ scores }) => scores.some((score) => score.isGuessed));
  const others = [...new Set(comparisons.flatMap(({ otherDocuments }) => otherDocuments))];
  const shots = new Set(models.map(({ scores }) => scores.map((score) => score.shots).join(',')));
  return [
    'Scores from 0 to 100 with their 95 % intervals; Ave. is the mean of the tasks.',
    ...(isGuessed
      ? ['≈ Neither documents nor their spread are recorded: the interval is that of a rate.']
      : []),
    ...comparisons.map(describeComparison),
    ...(others.length > 0 ? [`Models were asked other documents of ${others.join(', ')}.`] : []),
    ...(dialects.length > 1
      ? [`Prompts differ: results of ${dialects.join(' and ')} are side by side.`]
      : []),
    ...(shots.size > 1 ? ['The numbers of examples differ between models.'] : []),
    ...(results.some(({ isSynthetic }) => isSynthetic)
      ? ['Some results are of the small synthetic data, which says little about a model.']
      : []),
    ...(incomplete.length > 0
      ? [`Left out, because no template has all tasks: ${incomplete.join(', ')}.`]
      : []),
  ];
}

function describeComparison({ better, worse, difference, ...rest }: Comparison): string {
  const { isToldApart, pairedTasks } = rest;
  const { value, low, high } = difference;
  const points = `${percent(value)} points, ${percent(low)} to ${percent(high)}`;
  const how =
    pairedTasks === better.scores.length
      ? 'paired by document'
      : pairedTasks === 0
        ? 'not paired'
        : `${countOf(pairedTasks, 'task')} paired by document`;
  const names = `${better.model} and ${worse.model}`;
  return isToldApart
    ? `${better.model} is better than ${worse.model}: ${points} (${how}).`
    : `${names} cannot be told apart: ${points} (${how}).`;
}

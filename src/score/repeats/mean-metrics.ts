import type { Scored } from '../scorer.ts';

/** The further measures of scores, each averaged over those that have it. */
export function meanMetrics(scored: readonly Scored[]): Record<string, number> {
  const names = new Set(scored.flatMap(({ metrics }) => Object.keys(metrics ?? {})));
  const means = Array.from(names, (name): [string, number] => {
    const values = scored.flatMap(({ metrics }) => metrics?.[name] ?? []).filter(Number.isFinite);
    return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
  });
  return Object.fromEntries(means);
}

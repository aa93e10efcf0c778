import { firstVersion } from '../../tasks/stand-in.ts';
import type { ModelResult } from './task-score.ts';

/**
 * Names for texts that have none. Where all results of a task are of one text it is the first version;
 * different texts are different versions.
 */
export function nameTexts(results: readonly ModelResult[]): ModelResult[] {
  const texts = new Map<string, Set<string | undefined>>();
  for (const { task, text, version } of results.flatMap(({ scores }) => scores)) {
    if (version !== firstVersion) continue;
    texts.set(task, (texts.get(task) ?? new Set()).add(text));
  }
  return results.map((result) => ({
    ...result,
    scores: result.scores.map((score) => {
      const isNamed = score.text === undefined || score.version !== firstVersion;
      if (isNamed || (texts.get(score.task)?.size ?? 0) < 2) return score;
      return { ...score, version: `text ${score.text}` };
    }),
  }));
}

/** Names for scores of one task in different metrics, which are different columns. */
export function nameMetrics(results: readonly ModelResult[]): ModelResult[] {
  const metrics = new Map<string, Set<string>>();
  for (const { task, metric } of results.flatMap(({ scores }) => scores)) {
    metrics.set(task, (metrics.get(task) ?? new Set()).add(metric));
  }
  return results.map((result) => ({
    ...result,
    scores: result.scores.map((score) =>
      (metrics.get(score.task)?.size ?? 0) < 2
        ? score
        : { ...score, task: `${score.task} (${score.metric})` },
    ),
  }));
}

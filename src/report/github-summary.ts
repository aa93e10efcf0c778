import type { RunSummary } from '../run/summary.ts';
import { formatScore, scoreStyleOf } from './format-scores.ts';
import { tasksUnder } from './gate.ts';
import { escapeMarkdown, summaryMarkdown } from './summary-markdown.ts';

export interface GateOptions {
  /** The score, from 0 to 1, that every task must reach. */
  readonly failUnder?: number | undefined;
}

/**
 * A job summary for GitHub Actions: the verdict of the gate, then the scores.
 *
 * @example
 * githubSummary(summary, { failUnder: 0.9 });
 * // '## first-run\n\n| dataset | metric | score | interval | rows |…'
 */
export function githubSummary(summary: RunSummary, { failUnder }: GateOptions = {}): string {
  const scores = summaryMarkdown(summary);
  if (failUnder === undefined) return scores;
  const style = scoreStyleOf(summary);
  const mark = formatScore(failUnder, style);
  const under = tasksUnder(summary, failUnder);
  if (under.length === 0) return `${scores}\n✅ Every score is ${mark} or above.\n`;
  const lines = under.map((result) => {
    const { model, dataset, score } = result;
    const shown = score ? formatScore(score.value, style, result) : 'no score';
    return `- ${escapeMarkdown(`${model} on ${dataset}`)}: ${shown}`;
  });
  return `${scores}\n❌ Under ${mark}:\n\n${lines.join('\n')}\n`;
}

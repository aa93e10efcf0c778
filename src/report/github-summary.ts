import { countOf } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { describeGate } from './describe-gates.ts';
import { failedGates } from './gate.ts';
import { endsOf, nameRows } from './name-rows.ts';
import type { TaskRows } from './report-rows.ts';
import { escapeMarkdown, summaryMarkdown } from './summary-markdown.ts';

/** How many rows of a dataset are named below a gate that it misses. */
const namedRows = 5;

/**
 * A job summary for GitHub Actions: the scores, which gates are missed, and rows that are to blame.
 *
 * @example
 * githubSummary(summary); // '## first-run\n\n| dataset | metric | score | interval | rows |…'
 */
export function githubSummary(summary: RunSummary, tasks: readonly TaskRows[] = []): string {
  const scores = summaryMarkdown(summary);
  const { gates = [], results } = summary;
  const missed = failedGates(summary);
  const passed = gates.length - missed.length;
  const line = (text: string) => `- ${escapeMarkdown(text)}`;
  const blocks = results.flatMap((result) => {
    const own = missed.filter((gate) => isOf(result, gate));
    if (own.length === 0) return [];
    return [
      ...own.map((gate) => line(describeGate(gate, summary))),
      ...nameRows(result, { tasks, limit: namedRows }).map((row) => `  ${line(row)}`),
    ];
  });
  const checked = results.flatMap((result) => {
    const named = missed.some((gate) => isOf(result, gate));
    if (named || !endsOf(result, tasks).some(({ checks }) => checks)) return [];
    const rows = nameRows(result, { tasks, limit: namedRows });
    return rows.map((row) => line(`${result.model} on ${result.dataset}: ${row}`));
  });
  const parts = [
    scores,
    ...(missed.length > 0
      ? [`❌ ${countOf(missed.length, 'gate')} failed:\n\n${blocks.join('\n')}\n`]
      : []),
    ...(checked.length > 0 ? [`Rows with failed checks:\n\n${checked.join('\n')}\n`] : []),
    ...(passed > 0 ? [`✅ ${countOf(passed, 'gate')} passed.\n`] : []),
  ];
  return parts.join('\n');
}

function isOf(
  { model, dataset }: Pick<TaskResult, 'model' | 'dataset'>,
  gate: Pick<TaskResult, 'model' | 'dataset'>,
): boolean {
  return gate.model === model && gate.dataset === dataset;
}

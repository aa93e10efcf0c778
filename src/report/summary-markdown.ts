import { oneLine } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { describeCost } from './describe-cost.ts';
import { describeAnswers, describeEvents, describeServed } from './describe-events.ts';
import { describeIntervals } from './format-scores.ts';
import { cacheNote, describeFit, describeSeeds } from './prompt-notes.ts';
import {
  describeClusters,
  describeJudge,
  describeMissing,
  describeReasons,
  describeTies,
  scoreTable,
  type TableLine,
} from './score-table.ts';

const leftAligned = ['model', 'dataset', 'metric', 'interval'];

/**
 * The scores of a run as a Markdown table, with problems below it.
 *
 * @example
 * summaryMarkdown(summary); // '## first-run\n\n| dataset | metric | score | interval | rows |…'
 */
export function summaryMarkdown(summary: RunSummary): string {
  const { columns, lines } = scoreTable(summary);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const write = ({ type, cells }: TableLine) => {
    const texts = columns.map((column) =>
      type === 'metric' && column === 'model' ? '' : escapeMarkdown(cells[column]),
    );
    return line(type === 'group' ? texts.map((text) => text && `*${text}*`) : texts);
  };
  const table = [
    line(columns),
    line(columns.map((column) => (leftAligned.includes(column) ? '---' : '---:'))),
    ...lines.map(write),
  ].join('\n');
  const listed = (describe: (result: TaskResult) => string | readonly string[]) =>
    summary.results.flatMap((result) => {
      const task = `${result.model} on ${result.dataset}`;
      const texts = [describe(result)].flat().filter((text) => text !== '');
      return texts.map((text) => `- ${escapeMarkdown(`${task}: ${text}`)}`);
    });
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : [`${title}:`, '', ...items].join('\n');
  const served = (summary.served ?? []).map(
    (model) => `- ${escapeMarkdown(describeServed(model))}`,
  );
  const blocks = [
    `## ${escapeMarkdown(summary.name)}`,
    summary.complete ? '' : `**The run is not complete:** ${describeMissing(summary)}.`,
    table,
    section(
      `Gates missed against the baseline, ${escapeMarkdown(summary.baseline?.folder ?? '')} (A)`,
      (summary.baseline?.broken ?? []).map((gate) => `- ❌ ${escapeMarkdown(gate)}`),
    ),
    describeIntervals(summary) ?? '',
    [describeSeeds(summary), cacheNote(summary), describeCost(summary)]
      .filter((text) => text !== undefined)
      .join('\n'),
    section('Clusters', listed(describeClusters)),
    section('Prompts that did not fit', listed(describeFit)),
    section('Judges', listed(describeJudge)),
    section('Rows without a score', listed(describeReasons)),
    section('Ties', listed(describeTies)),
    section('What happened', [...listed(describeEvents), ...served]),
    describeAnswers(summary).map(escapeMarkdown).join(' '),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*[\]|~#]|\b_|_\b/g, '\\$&');
}

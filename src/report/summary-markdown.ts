import type { RunSummary } from '../run/summary.ts';
import { countOf, describeIntervals } from './format.ts';
import { type Cells, describeReasons, missingRows, scoreTable } from './score-table.ts';

const leftAligned = ['model', 'data set', 'metric', 'interval'];

/** The scores of a run as a Markdown table, with what went wrong below it. */
export function summaryMarkdown(summary: RunSummary): string {
  const { columns, tasks, groups } = scoreTable(summary);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cellsOf = (cells: Cells) => columns.map((column) => escapeMarkdown(cells[column]));
  const table = [
    line(columns),
    line(columns.map((column) => (leftAligned.includes(column) ? '---' : '---:'))),
    ...tasks.map((task) => line(cellsOf(task))),
    ...groups.map((group) => line(cellsOf(group).map((cell) => cell && `*${cell}*`))),
  ].join('\n');
  const reasons = summary.results.flatMap((result) => {
    const task = `${result.model} on ${result.dataset}`;
    return result.reasons.length === 0
      ? []
      : [`- ${escapeMarkdown(`${task}: ${describeReasons(result)}`)}`];
  });
  const blocks = [
    `## ${escapeMarkdown(summary.name)}`,
    summary.complete
      ? ''
      : `**The run is not complete:** ${countOf(missingRows(summary), 'row')} missing.`,
    table,
    describeIntervals(summary) ?? '',
    reasons.length === 0 ? '' : ['Rows without a score:', '', ...reasons].join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*[\]|~#]|\b_|_\b/g, '\\$&')
    .replaceAll(/[\r\n]+/g, ' ');
}

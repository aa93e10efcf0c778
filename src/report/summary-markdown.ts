import type { RunSummary } from '../run/summary.ts';
import { describeIntervals } from './format-scores.ts';
import {
  describeJudge,
  describeReasons,
  lacks,
  scoreTable,
  type TableLine,
} from './score-table.ts';

const leftAligned = ['model', 'dataset', 'metric', 'interval'];

/**
 * The scores of a run as a Markdown table, with what went wrong below it.
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
  const reasons = summary.results.flatMap((result) => {
    const task = `${result.model} on ${result.dataset}`;
    const text = describeReasons(result);
    return text === '' ? [] : [`- ${escapeMarkdown(`${task}: ${text}`)}`];
  });
  const judges = summary.results.flatMap(({ model, dataset, judge }) =>
    judge ? [`- ${escapeMarkdown(`${model} on ${dataset}: ${describeJudge(judge)}`)}`] : [],
  );
  const blocks = [
    `## ${escapeMarkdown(summary.name)}`,
    summary.complete ? '' : `**The run is not complete:** ${lacks(summary)}.`,
    table,
    describeIntervals(summary) ?? '',
    judges.length === 0 ? '' : ['Judges:', '', ...judges].join('\n'),
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

import stringWidth from 'string-width';
import { estimateCells } from '../../../stats/estimate-cells.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { scoreMeasure } from '../score-estimate.ts';
import type { TaskOutcome } from './read-outcome.ts';

/** The scores of tasks as a table for a terminal. */
export function renderResults(outcomes: readonly TaskOutcome[], { colors }: Terminal): string {
  const lines = outcomes.map(lineOf);
  const titles = ['task', 'template', 'shots', 'documents', 'metric', 'score', '95 % interval'];
  const widths = titles.map((title, column) =>
    Math.max(...[titles, ...lines].map((cells) => stringWidth(cells[column] ?? title))),
  );
  const write = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [colors.dim(write(titles)), ...lines.map(write), ''].join('\n');
}

function lineOf({ template, numFewshot, rows }: TaskOutcome): string[] {
  const { metric, cellOf, measure } = scoreMeasure(template.task);
  const score = estimateCells(rows.map(cellOf), { measure });
  const percent = (share = 0) => (share * 100).toFixed(2);
  return [
    ...[template.name, template.hash, String(numFewshot), String(rows.length), metric],
    ...[percent(score?.value), `${percent(score?.low)} – ${percent(score?.high)}`],
  ];
}

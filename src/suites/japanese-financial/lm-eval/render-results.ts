import { estimateCells } from '../../../stats/estimate-cells.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { scoreMeasure } from '../score-estimate.ts';
import type { TaskOutcome } from './read-outcome.ts';

/** The scores of tasks as a table for a terminal. */
export function renderResults(outcomes: readonly TaskOutcome[], { colors }: Terminal): string {
  const lines = outcomes.map(lineOf);
  const titles = ['task', 'template', 'shots', 'documents', 'metric', 'score', '95 % interval'];
  const [head = '', ...rest] = alignColumns([titles, ...lines], titles.length);
  return [colors.dim(head), ...rest, ''].join('\n');
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

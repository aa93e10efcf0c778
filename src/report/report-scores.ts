import type { Estimate, GroupResult, RowCounts, RunSummary, TaskResult } from '../run/summary.ts';
import { escapeMarkup } from './escape-markup.ts';
import {
  formatCount,
  formatInterval,
  formatScore,
  type ScoreStyle,
  scoreStyleOf,
} from './format.ts';

/** The table of all scores, with each interval drawn on one scale. */
export function scoresHtml(summary: RunSummary): string {
  const { results, groups } = summary;
  const style = scoreStyleOf(summary);
  const models = [...new Set([...results, ...groups].map(({ model }) => model))];
  const lines = models.flatMap((model) => [
    `<tr class="model"><td colspan="5">${escapeMarkup(model)}</td></tr>`,
    ...results.flatMap((result, index) =>
      result.model === model ? [taskLine(result, { index, style })] : [],
    ),
    ...groups.flatMap((group) => (group.model === model ? [groupLine(group, style)] : [])),
  ]);
  return `<table class="scores">
<thead><tr><th>data set</th><th class="number">score</th><th>interval</th>
<th class="plot"><span class="scale"><span>0</span><span>50</span><span>100</span></span></th>
<th class="number">rows</th></tr></thead>
<tbody>
${lines.join('\n')}
</tbody></table>`;
}

function taskLine(
  { dataset, metric, score, rows }: TaskResult,
  { index, style }: { readonly index: number; readonly style: ScoreStyle },
): string {
  const name = `<a href="#task-${index}">${escapeMarkup(dataset)}</a> <small>${escapeMarkup(metric)}</small>`;
  return `<tr><td class="name">${name}</td>${scoreCells(score, style)}<td class="number count">${coverage(rows)}</td></tr>`;
}

function coverage(rows: RowCounts): string {
  if (rows.scored === rows.total) return formatCount(rows.total);
  const troubles = (['unscored', 'failed', 'missing'] as const)
    .filter((name) => rows[name] > 0)
    .map((name) => `<span class="tone-${name}">${formatCount(rows[name])} ${name}</span>`);
  return `${formatCount(rows.scored)} of ${formatCount(rows.total)}<small>${troubles.join(', ')}</small>`;
}

function groupLine({ group, datasets, score }: GroupResult, style: ScoreStyle): string {
  const name = `${escapeMarkup(group)} <small>average of ${datasets.length}</small>`;
  return `<tr class="group"><td class="name">${name}</td>${scoreCells(score, style)}<td class="number count"></td></tr>`;
}

function scoreCells(score: Estimate | undefined, style: ScoreStyle): string {
  if (!score) {
    return '<td class="number value">–</td><td class="interval">no score</td><td class="plot"></td>';
  }
  const interval = formatInterval(score, style);
  return `<td class="number value">${formatScore(score.value, style)}</td><td class="interval">${interval}</td><td class="plot">${bar(score)}</td>`;
}

function bar({ value, low, high }: Estimate): string {
  const at = (share: number) => Number((Math.min(1, Math.max(0, share)) * 100).toFixed(3));
  const places = `--low:${at(low)};--high:${at(high)};--value:${at(value)}`;
  return `<div class="bar" style="${places}"><i></i><b></b></div>`;
}

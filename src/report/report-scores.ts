import { formatCount } from '../base/format.ts';
import type {
  Estimate,
  GroupResult,
  Measurement,
  MetricKind,
  MetricResult,
  RunSummary,
  TaskResult,
} from '../run/summary.ts';
import { hasInterval } from '../stats/estimate.ts';
import {
  formatInterval,
  formatScore,
  kindOfGroup,
  metricLabel,
  type ScoreStyle,
  scoreStyleOf,
} from './format-scores.ts';
import { type Html, type HtmlPart, html, htmlLines, raw } from './page.ts';
import { describeNoAverage, groupLabel, metricCoverage, rowsReached } from './score-table.ts';

/** The table of all scores, with each interval drawn on one scale. */
export function scoresHtml(summary: RunSummary): Html {
  const { results, groups } = summary;
  const style = scoreStyleOf(summary);
  const models = [...new Set([...results, ...groups].map(({ model }) => model))];
  const lines = models.flatMap((model) => [
    html`<tr class="model"><td colspan="5">${model}</td></tr>`,
    ...results.flatMap((result, index) =>
      result.model === model ? [taskLine(result, { index, style })] : [],
    ),
    ...groups.flatMap((group) =>
      group.model === model
        ? [groupLine(group, { style, kind: kindOfGroup(group, results), partial: group.partial })]
        : [],
    ),
  ]);
  return html`<table class="scores">
<thead><tr><th>dataset</th><th class="number">score</th><th>interval</th>
<th class="plot"><span class="scale"><span>0</span><span>50</span><span>100</span></span></th>
<th class="number">rows</th></tr></thead>
<tbody>
${htmlLines(lines)}
</tbody></table>`;
}

function taskLine(
  result: TaskResult,
  { index, style }: { readonly index: number; readonly style: ScoreStyle },
): Html {
  const { dataset, metric, score, metrics = [] } = result;
  const label = metricLabel(metric, result);
  const name = html`<a href="#task-${index}">${dataset}</a> <small>${label}</small>`;
  const { partial } = result;
  const cells = scoreCells(score, { style, kind: result, partial });
  return htmlLines([
    html`<tr><td class="name">${name}</td>${cells}<td class="number count">${coverage(result, style)}</td></tr>`,
    ...metrics.map((other) =>
      metricLine(other, { style, kind: other, partial, rows: metricCoverage(other, result) }),
    ),
  ]);
}

function metricLine(
  metric: MetricResult,
  { rows, ...reading }: Reading & { readonly rows: string },
): Html {
  const name = html`<small>${metricLabel(metric.name, metric)}</small>`;
  const cells = scoreCells(metric.score, reading);
  const { allRows } = metric;
  const all =
    allRows && html`<small>all rows ${formatScore(allRows.value, reading.style, metric)}</small>`;
  return html`<tr class="metric"><td class="name">${name}</td>${cells}<td class="number count">${rows}${all}</td></tr>`;
}

function coverage(result: TaskResult, style: ScoreStyle): HtmlPart {
  const { rows, allRows } = result;
  const all = allRows && html`<small>all rows ${formatScore(allRows.value, style, result)}</small>`;
  if (rows.scored === rows.total) return html`${formatCount(rows.total)}${all}`;
  const troubles = (['unscored', 'failed', 'missing'] as const)
    .filter((name) => rows[name] > 0)
    .map((name) => html`<span class="tone-${name}">${formatCount(rows[name])} ${name}</span>`);
  return html`${formatCount(rows.scored)} of ${formatCount(rows.total)}<small>${raw(troubles.join(', '))}</small>${all}`;
}

interface Reading {
  readonly style: ScoreStyle;
  readonly kind: MetricKind;
  /** The score is of the rows reached. */
  readonly partial: true | undefined;
}

function groupLine(group: GroupResult, reading: Reading): Html {
  const { score, allRows } = group;
  const reason = describeNoAverage(group);
  const name = html`${group.group} <small>${reason === '' ? groupLabel(group) : reason}</small>`;
  const all =
    allRows &&
    html`<small>all rows ${formatScore(allRows.value, reading.style, reading.kind)}</small>`;
  return html`<tr class="group"><td class="name">${name}</td>${scoreCells(score, reading)}<td class="number count">${all}</td></tr>`;
}

function scoreCells(score: Measurement | undefined, { style, kind, partial }: Reading): Html {
  if (!score) {
    return html`<td class="number value">–</td><td class="interval">no score</td><td class="plot"></td>`;
  }
  const interval = partial ? rowsReached : formatInterval(score, style, kind);
  const plot = !kind.plain && !partial && hasInterval(score) && bar(score);
  return html`<td class="number value">${formatScore(score.value, style, kind)}</td><td class="interval">${interval}</td><td class="plot">${plot}</td>`;
}

function bar({ value, low, high }: Estimate): Html {
  const at = (share: number) => Number((Math.min(1, Math.max(0, share)) * 100).toFixed(3));
  const positions = `--low:${at(low)};--high:${at(high)};--value:${at(value)}`;
  return html`<div class="bar" style="${positions}"><i></i><b></b></div>`;
}

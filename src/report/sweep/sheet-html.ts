import { countOf } from '../../base/format.ts';
import {
  formatLevel,
  formatP,
  formatSigned,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type { Scale } from '../../study/compare/comparison.ts';
import { scaleOf } from '../../study/sweep/headline.ts';
import type {
  ChangingRow,
  SheetSummary,
  SweepSummary,
  ValueComparison,
} from '../../study/sweep/sweep-summary.ts';
import { metricLabel } from '../format-scores.ts';
import { type Html, type HtmlPart, html, htmlLines } from '../page.ts';
import { describeSheet, formatEnds, variedScores } from './describe-sweep.ts';
import { flowText } from './flow-text.ts';
import { heatMapSvg } from './heat-map-svg.ts';
import { intervalsSvg } from './intervals-svg.ts';
import { varianceSvg } from './variance-svg.ts';

/** One model on one dataset, with its plots and its rows. */
export function sheetHtml(sheet: SheetSummary, { level }: Pick<SweepSummary, 'level'>): Html {
  const { model, dataset, metric, rows, variance, clusters } = sheet;
  const scale = scaleOf(sheet);
  const drawn = sheet.templates.flatMap(({ template, score }) =>
    score ? [{ name: template, ...score }] : [],
  );
  const figures = [
    figureHtml(
      heatMapSvg(sheet),
      'Scores, averaged over everything else. The stronger the colour, the better.',
    ),
    ...(drawn.length > 1
      ? [
          figureHtml(
            intervalsSvg(drawn, { title: `Templates for ${model} on ${dataset}`, scale }),
            `Each template over everything else, with its ${formatLevel(level)} interval.`,
          ),
        ]
      : []),
    ...(variance
      ? [
          figureHtml(
            varianceSvg(
              variance,
              `Variance of ${variedScores(clusters)} of ${model} on ${dataset}`,
            ),
            `Where differences between ${variedScores(clusters)} come from.`,
          ),
        ]
      : []),
  ];
  return html`<h2>${`${model} on ${dataset}`}</h2>
<p class="note">${metricLabel(metric, sheet)}, ${countOf(rows, 'row')}</p>
${htmlLines(figures)}
<dl class="findings">${describeSheet(sheet).map(
    ({ title, text }) => html`<dt>${title}</dt><dd>${flowText(text)}</dd>`,
  )}</dl>
${pairsHtml(sheet, scale)}
${changesHtml(sheet, scale)}`;
}

function figureHtml(svg: Html, caption: string): Html {
  return html`<figure>${svg}<figcaption>${flowText(caption)}</figcaption></figure>`;
}

function pairsHtml({ comparisons }: SheetSummary, scale: Scale): HtmlPart {
  if (comparisons.length === 0) return undefined;
  return html`<details class="task"><summary><strong>All comparisons</strong><span>${countOf(comparisons.length, 'pair')} on the same rows</span></summary><div class="body scroll">
<table class="pairs"><thead><tr><th>axis</th><th>A</th><th>B</th><th class="number">B − A</th><th>interval</th><th class="number">p</th><th class="number">adjusted</th><th></th></tr></thead>
<tbody>${htmlLines(comparisons.map((comparison) => pairHtml(comparison, scale)))}</tbody></table>
<p class="note">Adjusted by Holm’s method for all comparisons of the sweep.</p></div></details>`;
}

function pairHtml(comparison: ValueComparison, scale: Scale): Html {
  const { axis, a, b, difference, p, adjustedP, isDifferent } = comparison;
  return html`<tr${!isDifferent && html` class="no"`}><td>${axis.replaceAll('_', ' ')}</td><td>${a}</td><td>${b}</td>
<td class="number">${formatSigned(difference.value, scale)}</td><td>${formatEnds(difference, { scale })}</td>
<td class="number">${formatP(p)}</td><td class="number">${formatP(adjustedP)}</td><td>${isDifferent ? 'different' : 'not told apart'}</td></tr>`;
}

function changesHtml({ changing }: SheetSummary, scale: Scale): HtmlPart {
  if (!changing || changing.most.length === 0) return undefined;
  return html`<details class="task"><summary><strong>Rows that change with the template</strong><span>${changing.most.length} of ${countOf(changing.rows, 'row')}</span></summary><div class="body">
${htmlLines(changing.most.map((row) => changeHtml(row, { scale, areVerdicts: changing.areVerdicts })))}</div></details>`;
}

interface ChangeStyle {
  readonly scale: Scale;
  readonly areVerdicts: boolean;
}

function changeHtml({ id, gold, cells }: ChangingRow, { scale, areVerdicts }: ChangeStyle): Html {
  const scores = cells.map(({ score }) => score);
  const right = scores.filter((score) => score > 0).length;
  const verdict = areVerdicts
    ? `${right} of ${countOf(cells.length, 'template')}`
    : `${formatValue(Math.min(...scores), scale)} to ${formatValue(Math.max(...scores), scale)}`;
  const texts = cells.map(
    ({ abbr, template = abbr, score, prompt = '', answer = '' }) =>
      html`<div><h3>${template} · ${formatValue(score, scale)}</h3><pre>${prompt}</pre><h3>Answer</h3><pre>${answer}</pre></div>`,
  );
  return html`<details class="row"><summary class="change"><span class="id">row ${id}</span><span class="excerpt">${gold !== undefined && `right: ${gold}`}</span><span class="pair">${verdict}</span></summary>
<div class="texts">${htmlLines(texts)}</div></details>`;
}

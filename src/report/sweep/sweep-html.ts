import { countOf } from '../../base/format.ts';
import type { BestConfiguration, SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { type Html, type HtmlPart, html, htmlLines, page } from '../page.ts';
import { reportStyle } from '../report-style.ts';
import { bestSvg } from './best-svg.ts';
import { describeBudget } from './describe-budget.ts';
import { describeBest, describeFlips, describeRequests } from './describe-sweep.ts';
import { flowText } from './flow-text.ts';
import { sheetHtml } from './sheet-html.ts';

const sweepStyle = `${reportStyle}
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: var(--soft); font-size: 0.87rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.card { padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.card h3 { text-transform: none; letter-spacing: 0; font-size: 0.87rem; } .card .winner { margin: 0; font-size: 1.3rem; font-weight: 600; }
.card ul, .told { margin: 0.5rem 0 0; padding-left: 1.1rem; font-size: 0.9rem; }
table.pairs { width: 100%; border-collapse: collapse; font-size: 0.87rem; font-variant-numeric: tabular-nums; }
.pairs :is(th, td) { white-space: nowrap; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; }
.pairs .number { text-align: right; } .pairs .no { color: var(--soft); }
dl.findings { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 1rem; margin: 1rem 0; font-size: 0.93rem; }
.findings dt { color: var(--soft); } .findings dd { margin: 0; }
.scroll { overflow-x: auto; } figure .plot-svg { max-width: none; } .texts h3 { text-transform: none; letter-spacing: 0; }
.row > summary.change { grid-template-columns: 5rem minmax(0, 1fr) auto; }
`;

/**
 * The sweep as one page that stands alone: it loads nothing and runs nothing.
 *
 * @example
 * sweepHtml(sweep); // '<!doctype html>\n<html lang="en">…'
 */
export function sweepHtml(summary: SweepSummary): string {
  const { name, sheets, best, budget } = summary;
  const body = html`${headerHtml(summary)}
<main>
${
  best.length > 0 &&
  html`<h2>What to use</h2>
<div class="cards">${htmlLines(best.map((one) => bestHtml(one, summary)))}</div>`
}
${
  budget &&
  html`<h2>Budget</h2>
${listHtml(describeBudget(budget))}`
}
${flipsHtml(summary)}
${htmlLines(sheets.map((sheet) => sheetHtml(sheet, summary)))}
</main>`;
  return page({ title: name, style: sweepStyle, body });
}

function headerHtml(summary: SweepSummary): Html {
  const { name, version, axes, complete, sheets } = summary;
  const models = new Set(sheets.map(({ model }) => model)).size;
  const datasets = new Set(sheets.map(({ dataset }) => dataset)).size;
  const facts = [
    html`<b>${countOf(models, 'model')}</b>`,
    html`<b>${countOf(datasets, 'dataset')}</b>`,
    ...axes.map(({ axis, values }) => `${axis.replaceAll('_', ' ')}: ${values.join(', ')}`),
    describeRequests(summary).slice(0, -1),
  ].map((fact) => html`<li>${fact}</li>`);
  return html`<header>
<p class="eyebrow">Typecase ${version} · sweep</p>
<h1>${name}</h1>
<ul class="facts">${facts}</ul>
${!complete && html`<p class="warning">The run is not complete: rows are missing.</p>`}
</header>`;
}

function bestHtml(best: BestConfiguration, summary: SweepSummary): Html {
  const lines = describeBest(best, summary);
  return html`<section class="card"><h3>${`${best.model} on ${best.datasets.join(', ')}`}</h3>
<p class="winner">${best.title}</p>
${bestSvg(best, summary)}
${listHtml(lines)}</section>`;
}

function flipsHtml(summary: SweepSummary): HtmlPart {
  const lines = describeFlips(summary);
  return (
    lines.length > 0 &&
    html`<h2>Templates whose order depends on the model</h2>
${listHtml(lines)}`
  );
}

function listHtml(lines: readonly string[]): Html {
  return html`<ul class="told">${lines.map((line) => html`<li>${flowText(line)}</li>`)}</ul>`;
}

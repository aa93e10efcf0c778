import { countOf } from '../../base/format.ts';
import type { BestTemplate, SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { escapeMarkup } from '../escape-markup.ts';
import { reportStyle } from '../report-style.ts';
import { bestSvg } from './best-svg.ts';
import { describeBudget } from './describe-budget.ts';
import { describeBest, describeFlips, describeRequests } from './describe-sweep.ts';
import { flowHtml } from './flow-text.ts';
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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(name)}</title>
<style>${sweepStyle}</style>
</head>
<body>
${headerHtml(summary)}
<main>
${best.length > 0 ? `<h2>Best template</h2>\n<div class="cards">${best.map((one) => bestHtml(one, summary)).join('\n')}</div>` : ''}
${budget ? `<h2>Budget</h2>\n${listHtml(describeBudget(budget))}` : ''}
${flipsHtml(summary)}
${sheets.map((sheet) => sheetHtml(sheet, summary)).join('\n')}
</main>
</body>
</html>
`;
}

function headerHtml(summary: SweepSummary): string {
  const { name, version, axes, complete, sheets } = summary;
  const models = new Set(sheets.map(({ model }) => model)).size;
  const datasets = new Set(sheets.map(({ dataset }) => dataset)).size;
  const facts = [
    `<b>${countOf(models, 'model')}</b>`,
    `<b>${countOf(datasets, 'dataset')}</b>`,
    ...axes.map(
      ({ axis, values }) =>
        `${escapeMarkup(axis.replaceAll('_', ' '))}: ${escapeMarkup(values.join(', '))}`,
    ),
    describeRequests(summary).slice(0, -1),
  ].map((fact) => `<li>${fact}</li>`);
  return `<header>
<p class="eyebrow">Typecase ${escapeMarkup(version)} · sweep</p>
<h1>${escapeMarkup(name)}</h1>
<ul class="facts">${facts.join('')}</ul>
${complete ? '' : '<p class="warning">The run is not complete: rows are missing.</p>'}
</header>`;
}

function bestHtml(best: BestTemplate, summary: SweepSummary): string {
  const lines = describeBest(best, summary);
  return `<section class="card"><h3>${escapeMarkup(`${best.model} on ${best.datasets.join(', ')}`)}</h3>
<p class="winner">${escapeMarkup(best.template)}</p>
${bestSvg(best, summary)}
${listHtml(lines)}</section>`;
}

function flipsHtml(summary: SweepSummary): string {
  const lines = describeFlips(summary);
  return lines.length === 0
    ? ''
    : `<h2>Templates whose order depends on the model</h2>\n${listHtml(lines)}`;
}

function listHtml(lines: readonly string[]): string {
  return `<ul class="told">${lines.map((line) => `<li>${flowHtml(line)}</li>`).join('')}</ul>`;
}

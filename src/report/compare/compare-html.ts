import { formatCount } from '../../base/format.ts';
import {
  formatLevel,
  formatP,
  formatSigned,
  formatSignedInterval,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type {
  Change,
  Comparison,
  Difference,
  TaskComparison,
} from '../../study/compare/comparison.ts';
import { type Html, type HtmlPart, html, htmlLines, page } from '../page.ts';
import { reportStyle } from '../report-style.ts';
import { type DiffTexts, taskHtml } from './compare-task-html.ts';

/** The style sheet of the comparison: that of the report, and what only this page has. */
const compareStyle = `${reportStyle}
.sides { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.9rem; margin: 0.6rem 0 0; }
.sides dt { font-weight: 600; }
.sides dd { margin: 0; overflow-wrap: anywhere; }
.sides small { color: var(--soft); }
.differences { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
.differences td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.differences td:first-child { width: 6rem; color: var(--soft); }
.differences b { color: var(--unscored); }
.differences code { overflow-wrap: anywhere; }
.differences li { list-style: none; }
.differences :is(del, ins) { white-space: pre-wrap; }
.differences ul { margin: 0; padding: 0; }
.body ul.told { margin: 0; padding-left: 1.1rem; font-size: 0.9rem; color: var(--soft); }
.scores .better { color: var(--right); } .scores .worse { color: var(--wrong); }
.bar.signed { background: linear-gradient(90deg, transparent calc(50% - 1px), var(--soft) calc(50% - 1px) 50%, transparent 50%), var(--fill); }
.row > summary.flip { grid-template-columns: minmax(0, 1fr); }
.changed { margin: 1.4rem 0 0.5rem; }
del, ins { border-radius: 3px; text-decoration: none; }
del { background: color-mix(in srgb, var(--wrong) 22%, transparent); }
ins { background: color-mix(in srgb, var(--right) 22%, transparent); }
`;

export interface ComparePageOptions {
  readonly version: string;
  readonly diffWords: DiffTexts;
}

/** The comparison as one page that stands alone: it loads nothing and runs nothing. */
export function compareHtml(
  comparison: Comparison,
  { version, diffWords }: ComparePageOptions,
): string {
  const { a, b, differences, tasks, warnings, level } = comparison;
  const isOpen = tasks.length === 1;
  const body = html`<header>
<p class="eyebrow">Typecase ${version}</p>
<h1>A against B</h1>
<dl class="sides">${[sideHtml('A', a), sideHtml('B', b)]}</dl>
${htmlLines(warnings.map((warning) => html`<p class="warning">${warning}</p>`))}
</header>
<main>
<h2>What differs</h2>
<table class="differences"><tbody>
${htmlLines(differences.map(differenceHtml))}
</tbody></table>
<h2>Scores</h2>
${scoresHtml(comparison)}
<p class="note">Differences are B less A, with their ${formatLevel(level)} intervals${tasks.length > 1 && '; p values are adjusted for the number of tasks by Holm’s method'}.</p>
<h2>Tasks</h2>
${htmlLines(tasks.map((task, index) => taskHtml(task, { index, isOpen, diffWords })))}
</main>`;
  return page({ title: `${a.folder} against ${b.folder}`, style: compareStyle, body });
}

function sideHtml(name: string, { folder, models }: Comparison['a']): Html {
  return html`<dt>${name}</dt><dd>${folder} <small>${models.join(', ')}</small></dd>`;
}

function differenceHtml({ kind, isSame, note, changes }: Difference): Html {
  const state = isSame ? 'the same' : html`<b>different</b>`;
  const where = note !== undefined && ` ${note}`;
  const list = changes.length > 0 && html`<ul>${changes.map(changeHtml)}</ul>`;
  return html`<tr><td>${kind}</td><td>${state}${where}${list}</td></tr>`;
}

function changeHtml({ path, a, b }: Change): Html {
  const before = a === undefined ? '–' : html`<del>${a}</del>`;
  const after = b === undefined ? '–' : html`<ins>${b}</ins>`;
  return html`<li><code>${path}</code> ${before} → ${after}</li>`;
}

function scoresHtml({ tasks }: Comparison): Html {
  const lines = tasks.map((task, index) => lineHtml(task, { index, reach: reachOf(tasks, task) }));
  return html`<table class="scores">
<thead><tr><th>task</th><th class="number">A</th><th class="number">B</th><th class="number">B − A</th>
<th>interval</th><th class="plot"><span class="scale"><span>A better</span><span>B better</span></span></th>
<th class="number">${tasks.length > 1 ? 'adjusted p' : 'p'}</th><th class="number">rows</th></tr></thead>
<tbody>
${htmlLines(lines)}
</tbody></table>`;
}

/** Half the width of the plots: one for all tasks whose scores can be compared. */
function reachOf(tasks: readonly TaskComparison[], { scale }: TaskComparison): number {
  const ends = tasks
    .filter((task) => task.scale.isShare === scale.isShare)
    .flatMap(({ result }) => [
      result?.difference ?? 0,
      result?.interval?.low ?? 0,
      result?.interval?.high ?? 0,
    ]);
  return Math.max(1e-9, ...ends.map(Math.abs));
}

function lineHtml(
  task: TaskComparison,
  { index, reach }: { readonly index: number; readonly reach: number },
): Html {
  const { name, result, scale, adjustedP, verdict } = task;
  const link = html`<a href="#task-${index}">${name}</a> <small>${scale.metric}</small>`;
  if (!result) {
    return html`<tr><td class="name">${link}</td><td colspan="7">${verdict.text}</td></tr>`;
  }
  const tone = { 'b-better': 'better', 'a-better': 'worse' }[verdict.type as string] ?? '';
  return html`<tr><td class="name">${link}</td>
<td class="number">${formatValue(result.a, scale)}</td><td class="number">${formatValue(result.b, scale)}</td>
<td class="number value ${tone}">${formatSigned(result.difference, scale)}</td>
<td class="interval">${formatSignedInterval(result, scale)}</td>
<td class="plot">${barHtml(task, reach)}</td>
<td class="number">${formatP(adjustedP ?? result.p)}</td>
<td class="number count">${formatCount(result.pairs)}</td></tr>`;
}

/** To the right what is in favour of B. */
function barHtml({ result, scale }: TaskComparison, reach: number): HtmlPart {
  if (!result) return undefined;
  const sign = scale.direction === 'higher' ? 1 : -1;
  const at = (value: number) => Number((50 + (50 * sign * value) / reach).toFixed(3));
  const { low, high } = result.interval ?? { low: result.difference, high: result.difference };
  const [from, to] = [at(low), at(high)].sort((x, y) => x - y);
  return html`<div class="bar signed" style="--low:${from};--high:${to};--value:${at(result.difference)}"><i></i><b></b></div>`;
}

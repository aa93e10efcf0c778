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
import { escapeMarkup } from '../escape-markup.ts';
import { compareStyle } from './compare-style.ts';
import { type DiffTexts, taskHtml } from './compare-task-html.ts';

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(`${a.folder} against ${b.folder}`)}</title>
<style>${compareStyle}</style>
</head>
<body>
<header>
<p class="eyebrow">Typecase ${escapeMarkup(version)}</p>
<h1>A against B</h1>
<dl class="sides">${[sideHtml('A', a), sideHtml('B', b)].join('')}</dl>
${warnings.map((warning) => `<p class="warning">${escapeMarkup(warning)}</p>`).join('\n')}
</header>
<main>
<h2>What differs</h2>
<table class="differences"><tbody>
${differences.map(differenceHtml).join('\n')}
</tbody></table>
<h2>Scores</h2>
${scoresHtml(comparison)}
<p class="note">Differences are B less A, with their ${formatLevel(level)} intervals${tasks.length > 1 ? '; p values are adjusted for the number of tasks by Holm’s method' : ''}.</p>
<h2>Tasks</h2>
${tasks.map((task, index) => taskHtml(task, { index, isOpen, diffWords })).join('\n')}
</main>
</body>
</html>
`;
}

function sideHtml(name: string, { folder, models }: Comparison['a']): string {
  return `<dt>${name}</dt><dd>${escapeMarkup(folder)} <small>${escapeMarkup(models.join(', '))}</small></dd>`;
}

function differenceHtml({ kind, isSame, note, changes }: Difference): string {
  const where = note === undefined ? '' : ` ${escapeMarkup(note)}`;
  const state = isSame ? `the same${where}` : `<b>different</b>${where}`;
  const list = changes.length === 0 ? '' : `<ul>${changes.map(changeHtml).join('')}</ul>`;
  return `<tr><td>${kind}</td><td>${state}${list}</td></tr>`;
}

function changeHtml({ path, a, b }: Change): string {
  const show = (tag: string, value: string | undefined) =>
    value === undefined ? '–' : `<${tag}>${escapeMarkup(value)}</${tag}>`;
  return `<li><code>${escapeMarkup(path)}</code> ${show('del', a)} → ${show('ins', b)}</li>`;
}

function scoresHtml({ tasks }: Comparison): string {
  const lines = tasks.map((task, index) => lineHtml(task, { index, reach: reachOf(tasks, task) }));
  return `<table class="scores">
<thead><tr><th>task</th><th class="number">A</th><th class="number">B</th><th class="number">B − A</th>
<th>interval</th><th class="plot"><span class="scale"><span>A better</span><span>B better</span></span></th>
<th class="number">p</th><th class="number">rows</th></tr></thead>
<tbody>
${lines.join('\n')}
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
): string {
  const { name, result, scale, adjustedP, verdict } = task;
  const link = `<a href="#task-${index}">${escapeMarkup(name)}</a> <small>${escapeMarkup(scale.metric)}</small>`;
  if (!result) {
    return `<tr><td class="name">${link}</td><td colspan="7">${escapeMarkup(verdict.text)}</td></tr>`;
  }
  const tone = { 'b-better': 'better', 'a-better': 'worse' }[verdict.type as string] ?? '';
  return `<tr><td class="name">${link}</td>
<td class="number">${formatValue(result.a, scale)}</td><td class="number">${formatValue(result.b, scale)}</td>
<td class="number value ${tone}">${formatSigned(result.difference, scale)}</td>
<td class="interval">${formatSignedInterval(result, scale)}</td>
<td class="plot">${barHtml(task, reach)}</td>
<td class="number">${escapeMarkup(formatP(adjustedP ?? result.p))}</td>
<td class="number count">${formatCount(result.pairs)}</td></tr>`;
}

/** To the right what is in favour of B. */
function barHtml({ result, scale }: TaskComparison, reach: number): string {
  if (!result) return '';
  const sign = scale.direction === 'higher' ? 1 : -1;
  const at = (value: number) => Number((50 + (50 * sign * value) / reach).toFixed(3));
  const { low, high } = result.interval ?? { low: result.difference, high: result.difference };
  const [from, to] = [at(low), at(high)].sort((x, y) => x - y);
  return `<div class="bar signed" style="--low:${from};--high:${to};--value:${at(result.difference)}"><i></i><b></b></div>`;
}

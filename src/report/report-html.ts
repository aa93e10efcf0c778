import { countOf, formatSeconds, formatTime } from '../base/format.ts';
import type { RunSummary } from '../run/summary.ts';
import { describeCost } from './describe-cost.ts';
import { describeAnswers, describeServed } from './describe-events.ts';
import { describeGates } from './describe-gates.ts';
import { describeIntervals, scoreStyleOf } from './format-scores.ts';
import { exitCodeOf } from './gate.ts';
import { type Html, html, htmlLines, page } from './page.ts';
import { embedRows, type TaskRows } from './report-rows.ts';
import { scoresHtml } from './report-scores.ts';
import { reportScript } from './report-script.ts';
import { reportStyle } from './report-style.ts';
import { taskHtml } from './report-task.ts';
import { missingRows } from './score-table.ts';

export interface ReportOptions {
  /** How many bytes of rows the file holds at most; 1,500,000 by default. */
  readonly maxBytes?: number | undefined;
}

/**
 * The run as one page that stands alone: it loads nothing and works without a server.
 *
 * @example
 * reportHtml(summary); // '<!doctype html>\n<html lang="en">…'
 */
export function reportHtml(
  summary: RunSummary,
  tasks: readonly TaskRows[] = [],
  { maxBytes = 1_500_000 }: ReportOptions = {},
): string {
  const style = scoreStyleOf(summary);
  const candidates = summary.results.map((result) => {
    const { model, dataset } = result;
    const task = tasks.find((rows) => rows.model === model && rows.dataset === dataset);
    return { ...task, kind: result };
  });
  const embedded = embedRows(candidates, maxBytes);
  const isOpen = summary.results.length === 1;
  const sections = embedded.flatMap((task, index) => {
    const result = summary.results[index];
    return result ? [taskHtml(result, { index, isOpen, style, embedded: task })] : [];
  });
  const body = html`${header(summary)}
<main>
<h2>Scores</h2>
${scoresHtml(summary)}
<p class="note">${describeIntervals(summary) ?? 'No row has a score.'} ${describeCost(summary)}</p>
<h2>Tasks</h2>
${htmlLines(sections)}
<noscript><p class="warning">Rows are shown with JavaScript only.</p></noscript>
</main>`;
  const script = { code: reportScript, rows: embedded };
  return page({ title: summary.name, style: reportStyle, body, script });
}

function header(summary: RunSummary): Html {
  const { name, version, startedAt, finishedAt, results, complete, starts } = summary;
  const seconds = starts?.seconds ?? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const inStarts = starts && starts.count > 1 ? ` in ${countOf(starts.count, 'start')}` : '';
  const rows = results.reduce((sum, result) => sum + result.rows.total, 0);
  const models = new Set(results.map(({ model }) => model)).size;
  const facts = [
    html`<b>${countOf(models, 'model')}</b>`,
    html`<b>${countOf(new Set(results.map(({ dataset }) => dataset)).size, 'dataset')}</b>`,
    html`<b>${countOf(rows, 'row')}</b>`,
    `started ${formatTime(starts?.since ?? startedAt)}`,
    ...(seconds >= 0 ? [`took ${formatSeconds(seconds)}${inStarts}`] : []),
    ...(starts ? [`${countOf(starts.sent, 'request')} sent`] : []),
  ].map((fact) => html`<li>${fact}</li>`);
  const notes = [
    ...describeAnswers(summary),
    ...(summary.served ?? []).map((served) => `${describeServed(served)}.`),
  ].map((note) => html`<p class="note">${note}</p>`);
  return html`<header>
<p class="eyebrow">Typecase ${version}</p>
<h1>${name}</h1>
<ul class="facts">${facts}</ul>
${describeGates(summary).map((line) => html`<p class="${exitCodeOf(summary) === 0 ? 'note' : 'warning'}">${line}</p>`)}
${!complete && html`<p class="warning">The run is not complete: ${countOf(missingRows(summary), 'row')} missing.</p>`}
${notes}
</header>`;
}

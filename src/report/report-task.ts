import { countOf, formatAmount, formatCount, formatSeconds } from '../base/format.ts';
import type { Latency } from '../run/latency-tally.ts';
import type { RowCounts, TaskResult } from '../run/summary.ts';
import { describeEvents } from './describe-events.ts';
import { formatInterval, formatScore, metricLabel, type ScoreStyle } from './format-scores.ts';
import { type Html, type HtmlPart, html } from './page.ts';
import { describeFit, describeTokens } from './prompt-notes.ts';
import type { EmbeddedTask } from './report-rows.ts';
import {
  describeClusters,
  describeJudge,
  describeSamples,
  describeTies,
  metricCoverage,
  rowsReached,
} from './score-table.ts';

export interface TaskSection {
  readonly index: number;
  readonly isOpen: boolean;
  readonly style: ScoreStyle;
  readonly embedded: EmbeddedTask;
}

/** What is known of one task, and room for its rows. */
export function taskHtml(result: TaskResult, section: TaskSection): Html {
  const { model, dataset, metric, score, allRows, rows } = result;
  const { index, isOpen, style, embedded } = section;
  const scoreText = score
    ? html`<b>${formatScore(score.value, style, result)}</b> ${result.partial ? rowsReached : formatInterval(score, style, result)}${allRows && ` · all rows ${formatScore(allRows.value, style, result)}`}`
    : 'no score';
  return html`<details class="task" id="task-${index}" data-rows="${index}"${isOpen && ' open'}>
<summary><strong>${dataset}</strong><span>${model}</span><span class="end">${metricLabel(metric, result)} ${scoreText}</span></summary>
<div class="body">
${outcomes(rows, embedded)}
${clusters(result)}
${describeEvents(result).map((event) => html`<p class="note">${event}</p>`)}
<div class="columns">${metricList(result, style)}${reasons(result)}${facts(result)}</div>
<div class="browser"></div>
<p class="note">${rowsNote(embedded, rows)}</p>
</div></details>`;
}

function clusters(result: TaskResult): HtmlPart {
  const text = describeClusters(result);
  return text !== '' && html`<p class="note">${capitalize(text)}.</p>`;
}

function capitalize(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

/** As in the scores, from good to bad. */
const shown = ['right', 'partly', 'wrong', 'scored', 'unscored', 'failed', 'missing'] as const;

function outcomes(rows: RowCounts, { totals }: EmbeddedTask): Html {
  const { right = 0, partly = 0, wrong = 0 } = totals;
  const scored = rows.scored - right - partly - wrong;
  const counts = { ...rows, right, partly, wrong, scored };
  const present = shown.filter((name) => counts[name] > 0);
  const parts = present.map(
    (name) => html`<i class="tone-${name}" style="--share:${counts[name]}"></i>`,
  );
  const legend = present.map(
    (name) => html`<li class="tone-${name}">${formatCount(counts[name])} ${name}</li>`,
  );
  return html`<div class="split">${parts}</div>
<ul class="legend">${legend}<li>of ${countOf(rows.total, 'row')}</li></ul>`;
}

function metricList(result: TaskResult, style: ScoreStyle): HtmlPart {
  const { metrics = [], signature, partial } = result;
  const entries = [
    ...metrics.map((metric): [string, string] => [
      metricLabel(metric.name, metric),
      [
        formatScore(metric.score.value, style, metric),
        ...(partial ? [] : [formatInterval(metric.score, style, metric)]),
        ...(metric.rows === undefined ? [] : [`of ${metricCoverage(metric, result)} rows`]),
      ].join(' '),
    ]),
    ...(signature === undefined ? [] : [['signature', signature] as const]),
  ].map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`);
  return entries.length > 0 && html`<div><h3>Further metrics</h3><dl>${entries}</dl></div>`;
}

function reasons({ reasons }: TaskResult): HtmlPart {
  const items = reasons.map(
    ({ reason, rows }) => html`<li><b>${formatCount(rows)}</b><span>${reason}</span></li>`,
  );
  return items.length > 0 && html`<div><h3>Why rows have no score</h3><ul>${items}</ul></div>`;
}

function facts(result: TaskResult): Html {
  const { tokens, requests, samples, ties, cost, judge, seconds, latency, promptHash, seed } =
    result;
  const fit = describeFit(result);
  const { sent, cached, shared, resumed = 0 } = requests;
  const reused = [
    resumed > 0 ? `, ${formatCount(resumed)} answers from the folder` : '',
    cached > 0 ? `, ${formatCount(cached)} from the cache` : '',
    shared > 0 ? `, ${formatCount(shared)} shared between equal rows` : '',
  ].join('');
  const entries = [
    ...(samples ? [['samples', describeSamples(samples)]] : []),
    ...(ties ? [['ties', describeTies({ ties })]] : []),
    ['requests', `${formatCount(sent)} sent${reused}`],
    ['tokens', describeTokens(tokens)],
    ...(cost === undefined ? [] : [['cost', formatAmount(cost)]]),
    ...(judge ? [['judge', describeJudge(judge)]] : []),
    ...(fit === '' ? [] : [['max_seq_len', fit]]),
    ...(seed === undefined ? [] : [['examples', `drawn by seed ${seed}`]]),
    ['time', formatSeconds(seconds)],
    ...(latency ? [['answers took', describeLatency(latency)]] : []),
    ['prompt hash', promptHash],
  ].map(([name = '', text = '']) => html`<dt>${name}</dt><dd>${text}</dd>`);
  return html`<div><h3>What it took</h3><dl>${entries}</dl></div>`;
}

/** `0.31 s in the median, 95 % under 0.9 s; 24 s in all`. */
function describeLatency({ total, median, p95 }: Latency): string {
  return `${formatSeconds(median)} in the median, 95 % under ${formatSeconds(p95)}; ${formatSeconds(total)} in all`;
}

function rowsNote({ rows: { length } }: EmbeddedTask, rows: RowCounts): string {
  const recorded = rows.total - rows.missing;
  if (length === 0) return 'This file holds none of the rows.';
  if (length >= recorded) return `This file holds all ${countOf(recorded, 'row')}.`;
  return `This file holds ${formatCount(length)} of ${countOf(recorded, 'row')}: first those that failed, have no score or are wrong. The log of the run has them all.`;
}

import { version } from '../../base/version.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { Leaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { BoardModel } from '../../study/leaderboard/rank-models.ts';
import { formatInterval, formatScore, type ScoreStyle } from '../format-scores.ts';
import { type Html, html, htmlLines, page } from '../page.ts';
import { reportStyle } from '../report-style.ts';
import { rowsReached } from '../score-table.ts';
import {
  type ColumnFacts,
  cellRemarks,
  columnsOf,
  promptText,
  rankText,
  rowsText,
  styleOf,
} from './board-text.ts';
import { describeNotes } from './notes.ts';

const style = `${reportStyle}
body { max-width: 92rem; }
.wide { overflow-x: auto; }
.board td, .board th { vertical-align: top; }
.board .bar { min-width: 5rem; margin-top: 0.25rem; }
.board small { display: block; color: var(--soft); font-size: 0.78rem; white-space: nowrap; }
.board .rank { white-space: nowrap; }
@media (max-width: 44rem) {
  .board tr { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem 1.2rem; align-items: start; }
  .board :is(.rank, .name) { font-weight: 600; }
  .board .name { grid-column: 1 / -1; grid-row: 1; }
  .board td[data-label]::before { content: attr(data-label); display: block; color: var(--soft); font-size: 0.78rem; font-weight: 400; overflow-wrap: anywhere; }
  .board small { white-space: normal; }
}
`;

/** The leaderboard as one page that stands alone: it loads nothing. */
export function leaderboardHtml(board: Leaderboard): string {
  const columns = columnsOf(board);
  const shown = { columns, style: styleOf(board) };
  const body = html`<header>
<p class="eyebrow">Typecase ${version}</p>
<h1>Leaderboard</h1>
</header>
<main>
<div class="wide">
<table class="scores board">
<thead><tr><th>rank</th><th>Model</th><th>Ave.</th>${columns.map(columnHtml)}<th>prompt</th></tr></thead>
<tbody>
${htmlLines([
  ...board.models.map((model) =>
    rowHtml(model, { ...shown, rank: rankText(model), average: model.average }),
  ),
  ...board.unranked.map((model) => rowHtml(model, { ...shown, rank: '–' })),
])}
</tbody>
</table>
</div>
${htmlLines(describeNotes(board).map((note) => html`<p class="note">${note}</p>`))}
</main>`;
  return page({ title: 'Leaderboard', style, body });
}

function columnHtml({ task, rows, shots }: ColumnFacts): Html {
  const facts = [
    ...(rows === undefined ? [] : [rowsText(rows)]),
    ...(shots === undefined ? [] : [`${shots}-shot`]),
  ];
  return html`<th>${task}<small>${facts.join(' · ')}</small></th>`;
}

interface RowParts {
  readonly columns: readonly ColumnFacts[];
  readonly style: ScoreStyle;
  readonly rank: string;
  readonly average?: Estimate;
}

function rowHtml(model: BoardModel, { columns, style, rank, average }: RowParts): Html {
  const name = model.link ? html`<a href="${model.link}">${model.model}</a>` : model.model;
  const cells = columns.map((column, place) => {
    const cell = model.cells[place];
    if (!cell) return html`<td data-label="${column.task}">–</td>`;
    const { isInterrupted } = cell;
    const mark = cell.isGuessed ? '≈' : '';
    const remarks = cellRemarks(cell, { model, column });
    return scoreHtml(cell.score, { label: column.task, style, mark, remarks, isInterrupted });
  });
  const isInterrupted = model.cells.some((cell) => cell?.isInterrupted);
  const mean = average
    ? scoreHtml(average, { label: 'Ave.', style, mark: '', remarks: [], isInterrupted })
    : html`<td data-label="Ave.">–</td>`;
  return html`<tr><td class="rank" data-label="rank">${rank}</td><td class="name">${name}</td>${mean}${cells}<td data-label="prompt">${promptText(model)}</td></tr>`;
}

interface ScoreParts {
  readonly label: string;
  readonly style: ScoreStyle;
  readonly mark: string;
  readonly remarks: readonly string[];
  /** The rows reached are no random part: there is no interval. */
  readonly isInterrupted: boolean | undefined;
}

function scoreHtml(
  score: Estimate,
  { label, style, mark, remarks, isInterrupted }: ScoreParts,
): Html {
  const { value, low, high } = score;
  if (isInterrupted) {
    return html`<td data-label="${label}"><span class="value">${formatScore(value, style)}</span>${[rowsReached, ...remarks].map((line) => html`<small>${line}</small>`)}</td>`;
  }
  const position = Object.entries({ low, high, value })
    .map(([name, share]) => `--${name}:${Math.min(100, share * 100)}`)
    .join(';');
  const lines = [`${mark}${formatInterval(score, style)}`, ...remarks];
  return html`<td data-label="${label}"><span class="value">${formatScore(value, style)}</span>${lines.map((line) => html`<small>${line}</small>`)}<div class="bar" style="${position}"><i></i><b></b></div></td>`;
}

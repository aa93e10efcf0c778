import { version } from '../../base/version.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { RankedModel } from '../../study/leaderboard/rank-models.ts';
import { type Html, html, htmlLines, page } from '../page.ts';
import { reportStyle } from '../report-style.ts';
import { type Leaderboard, percent } from './notes.ts';
import { promptOf } from './render-tables.ts';

const style = `${reportStyle}
.board td, .board th { vertical-align: top; }
.board .bar { width: 7rem; margin-top: 0.25rem; }
.board small { display: block; color: var(--soft); font-size: 0.78rem; white-space: nowrap; }
`;

/** The leaderboard as one page that stands alone: it loads nothing. */
export function leaderboardHtml({ ranking, notes }: Leaderboard): string {
  const titles = ['Model', 'Ave.', ...ranking.tasks, 'prompt'];
  const body = html`<header>
<p class="eyebrow">Typecase ${version}</p>
<h1>Leaderboard</h1>
</header>
<main>
<table class="scores board">
<thead><tr>${titles.map((title) => html`<th>${title}</th>`)}</tr></thead>
<tbody>
${htmlLines(ranking.models.map(rowHtml))}
</tbody>
</table>
${htmlLines(notes.map((note) => html`<p class="note">${note}</p>`))}
</main>`;
  return page({ title: 'Leaderboard', style, body });
}

function rowHtml(model: RankedModel): Html {
  const name = model.link ? html`<a href="${model.link}">${model.model}</a>` : model.model;
  const scores = model.scores.map(({ score, isGuessed }) => scoreHtml(score, isGuessed ? '≈' : ''));
  return html`<tr><td class="name">${name}</td>${scoreHtml(model.average, '')}${scores}<td>${promptOf(model)}</td></tr>`;
}

function scoreHtml({ value, low, high }: Estimate, mark: string): Html {
  const position = [`--low:${low * 100}`, `--high:${high * 100}`, `--value:${value * 100}`].join(
    ';',
  );
  return html`<td><span class="value">${percent(value)}</span><small>${mark}${percent(low)} – ${percent(high)}</small><div class="bar" style="${position}"><i></i><b></b></div></td>`;
}

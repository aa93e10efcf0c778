import { version } from '../../base/version.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { RankedModel } from '../../study/leaderboard/rank-models.ts';
import { escapeMarkup } from '../escape-markup.ts';
import { reportStyle } from '../report-style.ts';
import { type Leaderboard, percent } from './notes.ts';
import { promptOf } from './render-tables.ts';

const style = `
.board td, .board th { vertical-align: top; }
.board .bar { width: 7rem; margin-top: 0.25rem; }
.board small { display: block; color: var(--soft); font-size: 0.78rem; white-space: nowrap; }
`;

/** The leaderboard as one page that stands alone: it loads nothing. */
export function leaderboardHtml({ ranking, notes }: Leaderboard): string {
  const titles = ['Model', 'Ave.', ...ranking.tasks, 'prompt'];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Leaderboard</title>
<style>${reportStyle}${style}</style>
</head>
<body>
<header>
<p class="eyebrow">Typecase ${escapeMarkup(version)}</p>
<h1>Leaderboard</h1>
</header>
<main>
<table class="scores board">
<thead><tr>${titles.map((title) => `<th>${escapeMarkup(title)}</th>`).join('')}</tr></thead>
<tbody>
${ranking.models.map(rowHtml).join('\n')}
</tbody>
</table>
${notes.map((note) => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
</main>
</body>
</html>
`;
}

function rowHtml(model: RankedModel): string {
  const name = escapeMarkup(model.model);
  const linked = model.link ? `<a href="${escapeMarkup(model.link)}">${name}</a>` : name;
  const scores = model.scores.map(({ score, isGuessed }) => scoreHtml(score, isGuessed ? '≈' : ''));
  return `<tr><td class="name">${linked}</td>${scoreHtml(model.average, '')}${scores.join('')}<td>${escapeMarkup(promptOf(model))}</td></tr>`;
}

function scoreHtml({ value, low, high }: Estimate, mark: string): string {
  const place = [`--low:${low * 100}`, `--high:${high * 100}`, `--value:${value * 100}`].join(';');
  return `<td><span class="value">${percent(value)}</span><small>${mark}${percent(low)} – ${percent(high)}</small><div class="bar" style="${place}"><i></i><b></b></div></td>`;
}

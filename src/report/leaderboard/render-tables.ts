import stringWidth from 'string-width';
import type { Estimate } from '../../stats/estimate.ts';
import type { RankedModel } from '../../study/leaderboard/rank-models.ts';
import { escapeMarkdown } from '../summary-markdown.ts';
import { type Leaderboard, percent } from './notes.ts';

/** The leaderboard as a Markdown table with its notes. */
export function leaderboardMarkdown({ ranking, notes }: Leaderboard): string {
  const { tasks, models } = ranking;
  const titles = ['Model', 'Ave.', ...tasks.map(escapeMarkdown), 'prompt'];
  const rows = models.map((model) => [
    linked(model),
    withInterval(model.average, false),
    ...model.scores.map(({ score, isGuessed }) => withInterval(score, isGuessed)),
    promptOf(model),
  ]);
  const remarks = notes.map((note) => `- ${escapeMarkdown(note)}`);
  return `${alignedTable([titles, ...rows]).join('\n')}\n\n${remarks.join('\n')}\n`;
}

/** A Markdown table that reads well as text too: first and last column to the left. */
function alignedTable([titles = [], ...rows]: readonly (readonly string[])[]): string[] {
  const last = titles.length - 1;
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...rows].map((cells) => stringWidth(cells[column] ?? ''))),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const space = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
      return column === 0 || column === last ? cell + space : space + cell;
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 || column === last ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(titles), line(rule), ...rows.map(line)];
}

function linked({ model, link }: RankedModel): string {
  const name = escapeMarkdown(model);
  return link === undefined ? name : `[${name}](${link})`;
}

function withInterval({ value, low, high }: Estimate, isGuessed: boolean): string {
  return `${percent(value)} (${isGuessed ? '≈' : ''}${short(low)}–${short(high)})`;
}

function short(share: number): string {
  return (share * 100).toFixed(1);
}

/** The template in the words of the original: `default`, `1.0-0.2`. */
export function promptOf({ template }: RankedModel): string {
  if (template === '0.0') return 'default';
  return /^\d/.test(template) ? `1.0-${template}` : template;
}

const columns = [
  ...['rank', 'model', 'prompt', 'dialect', 'task', 'version', 'template_hash', 'shots'],
  ...['metric', 'score', 'low', 'high', 'level', 'files'],
];

/** All scores of the leaderboard as CSV, one a line, with numbers in full. */
export function leaderboardCsv({ ranking }: Leaderboard): string {
  const lines = ranking.models.flatMap((model, index) => {
    const head = [index + 1, model.model, promptOf(model), model.dialect ?? ''];
    const tail = ({ value, low, high, level }: Estimate) => [value, low, high, level];
    const files = model.files.join(' ');
    return [
      [...head, 'Ave.', '', '', '', 'average', ...tail(model.average), files],
      ...model.scores.map(({ task, version, stamp, shots, metric, score }) => [
        ...[...head, task, version, stamp?.hash ?? '', shots ?? '', metric],
        ...[...tail(score), files],
      ]),
    ];
  });
  return [columns, ...lines].map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');
}

function quote(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The leaderboard as data. */
export function leaderboardJson({ ranking, comparisons, notes }: Leaderboard) {
  return {
    tasks: ranking.tasks,
    models: ranking.models.map(({ scores, template, link: _, ...model }) => ({
      ...model,
      template,
      scores: scores.map(({ rows, ...score }) => ({
        ...score,
        documents: rows?.cells.size ?? null,
      })),
    })),
    comparisons: comparisons.map(({ better, worse, ...comparison }) => ({
      better: better.model,
      worse: worse.model,
      ...comparison,
    })),
    incomplete: ranking.incomplete,
    notes,
  };
}

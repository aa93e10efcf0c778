import stringWidth from 'fast-string-width';
import type { Estimate } from '../../stats/estimate.ts';
import type { JudgedComparison, Leaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { BoardModel, RankedModel } from '../../study/leaderboard/rank-models.ts';
import type { TaskScore } from '../../study/leaderboard/task-score.ts';
import { csvLine } from '../csv-line.ts';
import { escapeMarkdown } from '../summary-markdown.ts';
import {
  averageText,
  cellRemarks,
  columnsOf,
  promptText,
  rankText,
  scoreText,
  styleOf,
  versionText,
} from './board-text.ts';
import { describeNotes } from './notes.ts';

/** The leaderboard as a Markdown table with its notes. */
export function leaderboardMarkdown(board: Leaderboard): string {
  const { tasks, models, unranked } = board;
  const style = styleOf(board);
  const columns = columnsOf(board);
  const titles = ['rank', 'Model', 'Ave.', ...tasks.map(escapeMarkdown), 'prompt'];
  const row = (model: BoardModel, [rank, average]: readonly [string, string]) => [
    rank,
    linked(model),
    average,
    ...model.cells.map((cell, place) => {
      const column = columns[place];
      if (!cell || !column) return '–';
      const remarks = cellRemarks(cell, { model, column });
      const score = scoreText(cell.score, style, cell);
      return [score, ...remarks.map(escapeMarkdown)].join(' · ');
    }),
    escapeMarkdown(promptText(model)),
  ];
  const rows = [
    ...models.map((model) => row(model, [rankText(model), averageText(model, style)])),
    ...unranked.map((model) => row(model, ['–', '–'])),
  ];
  const remarks = describeNotes(board).map((note) => `- ${escapeMarkdown(note)}`);
  return `${alignedTable([titles, ...rows]).join('\n')}\n\n${remarks.join('\n')}\n`;
}

/** A Markdown table that reads well as text too: names to the left. */
function alignedTable([titles = [], ...rows]: readonly (readonly string[])[]): string[] {
  const isLeft = (column: number) => column === 1 || column === titles.length - 1;
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...rows].map((cells) => stringWidth(cells[column] ?? ''))),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const space = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
      return isLeft(column) ? cell + space : space + cell;
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    isLeft(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(titles), line(rule), ...rows.map(line)];
}

function linked({ model, link }: BoardModel): string {
  const name = escapeMarkdown(model);
  return link === undefined ? name : `[${name}](${link})`;
}

const columns = [
  ...['rank', 'first_rank', 'last_rank', 'model', 'prompt', 'templates_tried', 'dialect', 'task'],
  ...['version', 'template_hash', 'shots', 'rows', 'unscored', 'metric', 'score', 'low', 'high'],
  ...['level', 'file', 'unscored_counted', 'shortened', 'interrupted'],
];

/** All scores of the leaderboard as CSV, one a line, with numbers in full. */
export function leaderboardCsv({ models, unranked }: Leaderboard): string {
  const tail = ({ value, low, high, level }: Estimate) => [value, low, high, level];
  const averageTail = ({ average, cells }: RankedModel) =>
    cells.some(({ isInterrupted }) => isInterrupted) ? [average.value, '', '', ''] : tail(average);
  const headOf = (model: BoardModel, ranks: readonly (number | string)[]) => [
    ...ranks,
    model.model,
    versionText(model.template, model.dialect),
    model.tried,
    model.dialect,
  ];
  const cellsOf = (model: BoardModel, head: readonly (string | number | undefined)[]) =>
    model.cells.flatMap((cell) => {
      if (!cell) return [];
      const { task, version, stamp, shots, count, unscored, metric, score, file } = cell;
      const own = [task, version, stamp?.hash ?? cell.text, shots, count, unscored, metric];
      const { leavesOut = false, shortened, isInterrupted = false } = cell;
      const counted = unscored > 0 ? (leavesOut ? 'left out' : 'wrong') : '';
      const facts = [counted, shortened?.rows ?? 0, Number(isInterrupted)];
      const estimate = isInterrupted ? [score.value, '', '', ''] : tail(score);
      return [[...head, ...own, ...estimate, file, ...facts]];
    });
  const lines = [
    ...models.flatMap((model) => {
      const head = headOf(model, [model.rank, ...model.ranks]);
      const average = [
        'Ave.',
        '',
        '',
        '',
        '',
        '',
        'average',
        ...averageTail(model),
        '',
        '',
        '',
        '',
      ];
      return [[...head, ...average], ...cellsOf(model, head)];
    }),
    ...unranked.flatMap((model) => cellsOf(model, headOf(model, ['', '', '']))),
  ];
  return [columns, ...lines].map(csvLine).join('');
}

/** The leaderboard as data. */
export function leaderboardJson(board: Leaderboard) {
  const { tasks, models, unranked, neighbours, pairs, compared, otherScores, served } = board;
  const modelJson = <Model extends BoardModel>({ cells, link: _, ...model }: Model) => ({
    ...model,
    scores: cells.map((cell) =>
      cell ? { ...scoreJson(cell), setAside: cell.setAside.map(scoreJson) } : null,
    ),
  });
  return {
    tasks,
    models: models.map(modelJson),
    unranked: unranked.map(modelJson),
    pairs,
    neighbours: neighbours.map(pairJson),
    ...(compared && { compared: pairJson(compared) }),
    served,
    otherScores,
    notes: describeNotes(board),
  };
}

function scoreJson<Score extends TaskScore>({ rows: _, ...score }: Score) {
  return score;
}

function pairJson({ better, worse, ...pair }: JudgedComparison) {
  return { better: better.model, worse: worse.model, ...pair };
}

import { countOf, formatCount } from '../../base/format.ts';
import type { Estimate } from '../../stats/estimate.ts';
import type { Leaderboard, PlacedModel } from '../../study/leaderboard/leaderboard.ts';
import type { BoardCell, BoardModel } from '../../study/leaderboard/rank-models.ts';
import { firstVersion } from '../../tasks/stand-in.ts';
import { decimalsFor, formatInterval, formatScore, type ScoreStyle } from '../format-scores.ts';
import { rowsReached } from '../score-table.ts';

/** How all scores of a leaderboard are written. */
export function styleOf({
  models,
  unranked,
}: Pick<Leaderboard, 'models' | 'unranked'>): ScoreStyle {
  const counts = [...models, ...unranked].flatMap(({ cells }) =>
    cells.map((cell) => cell?.count ?? 0),
  );
  return { decimals: decimalsFor(Math.max(0, ...counts)) };
}

/** `83.2 [81.0, 85.3]`; an interval that is a guess has a mark, and rows reached have none. */
export function scoreText(
  score: Estimate,
  style: ScoreStyle,
  { isGuessed, isInterrupted }: Pick<BoardCell, 'isInterrupted'> & Partial<BoardCell> = {},
): string {
  const value = formatScore(score.value, style);
  if (isInterrupted) return `${value} ${rowsReached}`;
  return `${value} ${isGuessed ? '≈' : ''}${formatInterval(score, style)}`;
}

/** The average of a model; without an interval if one of its scores has none. */
export function averageText({ average, cells }: PlacedModel, style: ScoreStyle): string {
  return scoreText(average, style, {
    isInterrupted: cells.some(({ isInterrupted }) => isInterrupted),
  });
}

/** `1`, or `2= (1–3)`: the place, whether it is shared, and between which places it may be. */
export function rankText({ rank, isTied, ranks: [first, last] }: PlacedModel): string {
  return `${rank}${isTied ? '=' : ''}${first === last ? '' : ` (${first}–${last})`}`;
}

/** The template and what it was chosen from: `0.2, best of 9`. */
export function promptText({ template, tried, dialect }: BoardModel): string {
  return `${versionText(template, dialect)}${chosenText(tried)}`;
}

/** A version by its name, where there are dialects in the words of the original: `1.0-0.2`. */
export function versionText(version: string, dialect: string | undefined): string {
  if (version === firstVersion) return 'default';
  return dialect !== undefined && /^\d/.test(version) ? `1.0-${version}` : version;
}

function chosenText(tried: number): string {
  return tried > 1 ? `, best of ${tried}` : '';
}

/** What is special about a cell among those of its column: `4 rows · 3-shot · equation, best of 3`. */
export function cellRemarks(
  cell: BoardCell,
  { model, column }: { readonly model: BoardModel; readonly column: ColumnFacts },
): string[] {
  const isMixed = model.template === 'mixed';
  return [
    ...(column.rows === undefined ? [rowsText(cell.count)] : []),
    ...shotRemarks(cell, column),
    ...(cell.unnamed
      ? [`${formatCount(cell.unnamed)} of ${countOf(cell.count, 'answer')} name no choice`]
      : []),
    ...(cell.leavesOut ? [`${countOf(cell.unscored, 'row')} left out`] : []),
    ...(isMixed ? [`${versionText(cell.version, model.dialect)}${chosenText(cell.tried)}`] : []),
  ];
}

/** `3-shot, dropped in 40 of 40 rows`: fewer examples were shown than the number says. */
function shotRemarks({ shots, shortened, count }: BoardCell, column: ColumnFacts): string[] {
  const examples = shots === undefined ? [] : [`${shots}-shot`];
  if (shortened) {
    const { rows, how } = shortened;
    return [[...examples, `${how} in ${formatCount(rows)} of ${rowsText(count)}`].join(', ')];
  }
  return column.shots === undefined ? examples : [];
}

export function rowsText(count: number): string {
  return countOf(count, 'row');
}

/** What all cells of a column have in common. */
export interface ColumnFacts {
  readonly task: string;
  readonly rows: number | undefined;
  readonly shots: number | undefined;
}

export function columnsOf({ tasks, models, unranked }: Leaderboard): ColumnFacts[] {
  return tasks.map((task, place) => {
    const cells = [...models, ...unranked].flatMap(({ cells }) => cells[place] ?? []);
    return {
      task,
      rows: commonOf(cells.map(({ count }) => count)),
      shots: cells.some(({ shortened }) => shortened)
        ? undefined
        : commonOf(cells.map(({ shots }) => shots)),
    };
  });
}

function commonOf<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** `+3.1`, `−0.8`, `0.0`. */
export function signedText(value: number, style: ScoreStyle): string {
  const text = formatScore(Math.abs(value), style);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

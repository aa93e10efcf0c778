import { countOf, formatCount } from '../../base/format.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { formatPText } from '../../study/compare/compare-format.ts';
import type { JudgedComparison, Leaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { BoardCell, BoardModel } from '../../study/leaderboard/rank-models.ts';
import type { TaskScore } from '../../study/leaderboard/task-score.ts';
import { formatScore, type ScoreStyle } from '../format-scores.ts';
import { columnsOf, rowsText, signedText, styleOf, versionText } from './board-text.ts';

/** Tables of more models say by their ranks which of them cannot be told apart. */
const mostNeighbours = 10;
const mostListed = 10;

/** What is said below the table, one sentence each. */
export function describeNotes(board: Leaderboard): string[] {
  const style = styleOf(board);
  return [
    'Scores from 0 to 100 with their 95 % intervals; Ave. is the mean of the tasks.',
    ...describeColumns(board),
    ...describeMarks(board),
    ...describeRanks(board),
    ...describePairs(board, style),
    ...describeChoices(board, style),
    ...describeUnfair(board),
    ...describeRows(board),
    ...describeSetAside(board, style),
    ...describeLeftOut(board),
  ];
}

/** What there is too much of is counted; `--json` has all of it. */
function listed(lines: readonly string[], kind: string): string[] {
  if (lines.length <= mostListed) return [...lines];
  const rest = formatCount(lines.length - mostListed);
  return [...lines.slice(0, mostListed), `${rest} more are ${kind}; --json lists them.`];
}

/** What two files say of the same is listed, and which of them counts. */
function describeSetAside(board: Leaderboard, style: ScoreStyle): string[] {
  const lines = allModels(board).flatMap(({ model, dialect, cells }) =>
    cells.flatMap((cell) => {
      if (!cell || cell.setAside.length === 0) return [];
      const others = cell.setAside.map((score) => sourceText(score, style)).join('; ');
      const name = `${model} on ${cell.task}, ${versionText(cell.version, dialect)}`;
      return [`${name}: ${sourceText(cell, style)} counts. Set aside: ${others}.`];
    }),
  );
  return listed(lines, 'set aside');
}

function sourceText({ score, shots, count, file }: TaskScore, style: ScoreStyle): string {
  const examples = shots === undefined ? '' : `, ${shots}-shot`;
  return `${formatScore(score.value, style)} over ${rowsText(count)}${examples} (${file})`;
}

function describeColumns(board: Leaderboard): string[] {
  const texts = columnsOf(board).map(({ task, rows, shots }) => {
    const facts = [
      ...(rows === undefined ? [] : [rowsText(rows)]),
      ...(shots === undefined ? [] : [`${shots}-shot`]),
    ];
    return facts.length === 0 ? [] : [`${task} ${facts.join(', ')}`];
  });
  return texts.flat().length === 0 ? [] : [`Asked: ${texts.flat().join('; ')}.`];
}

function allModels({ models, unranked }: Leaderboard): BoardModel[] {
  return [...models, ...unranked];
}

function describeMarks(board: Leaderboard): string[] {
  const cells = allModels(board).flatMap((model) => model.cells.flatMap((cell) => cell ?? []));
  return cells.some(({ isGuessed }) => isGuessed)
    ? ['≈ Neither rows nor their spread are recorded: the interval is that of a rate.']
    : [];
}

function describeRanks({ models, pairs }: Leaderboard): string[] {
  if (models.length < 2) return [];
  const tied = models.some(({ isTied }) => isTied) ? ' = marks equal averages.' : '';
  const count = `${formatCount(pairs.toldApart)} of ${countOf(pairs.all, 'pair')} of models can be told apart`;
  return [
    `Ranks in brackets: the places that a model may have, given those that cannot be told apart from it.${tied}`,
    `${count}; all claims together hold at 95 % (Holm's method).`,
  ];
}

/** The two that were asked for; else, where there are not too many, each model and the next one. */
function describePairs({ models, neighbours, compared }: Leaderboard, style: ScoreStyle): string[] {
  if (compared) return describeCompared(compared, style);
  if (models.length > mostNeighbours) return [];
  return neighbours.map((pair) => describePair(pair, style));
}

function describePair(pair: JudgedComparison, style: ScoreStyle): string {
  const { better, worse, difference, adjustedP, isToldApart, isSame } = pair;
  const names = `${better.model} and ${worse.model}`;
  if (isSame) return `${names} gave the same scores.`;
  const { value, low, high } = difference;
  const points = `${signedText(value, style)} points, ${signedText(low, style)} to ${signedText(high, style)}`;
  const grounds = `${points}, ${chanceText(adjustedP)}, ${pairingText(pair)}`;
  return isToldApart
    ? `${better.model} is better than ${worse.model}: ${grounds}.`
    : `${names} cannot be told apart: ${grounds}.`;
}

/** Without `<`, which Markdown would have to escape. */
function chanceText(p: number): string {
  return p < 0.001 ? 'p below 0.001' : formatPText(p);
}

function pairingText({ tasks }: JudgedComparison): string {
  const paired = tasks.filter(({ pairs }) => pairs !== undefined).length;
  if (paired === 0) return 'not paired';
  return paired === tasks.length ? 'paired by row' : `${countOf(paired, 'task')} paired by row`;
}

function describeCompared(pair: JudgedComparison, style: ScoreStyle): string[] {
  const tasks = pair.tasks.map(({ task, value, pairs }) => {
    const rows = pairs === undefined ? 'not paired' : rowsText(pairs);
    return `${task} ${signedText(value, style)} (${rows})`;
  });
  return [describePair(pair, style), `By task: ${tasks.join(', ')}.`];
}

function describeChoices({ models, unranked }: Leaderboard, style: ScoreStyle): string[] {
  const isChosen = ({ tried, cells }: BoardModel) =>
    tried > 1 || cells.some((cell) => (cell?.tried ?? 1) > 1);
  if (![...models, ...unranked].some(isChosen)) return [];
  const honest = models.flatMap(({ model, honest, tried }) =>
    honest
      ? [
          `${model}: ${rangeText(honest, style)} is to be expected of the best of ${tried} on held-out rows.`,
        ]
      : [],
  );
  return [
    '“best of”: the template was chosen by the scores that it is shown with, which are too good. Comparisons count every template that was tried.',
    ...listed(honest, 'to be expected lower'),
  ];
}

function rangeText({ value, low, high }: Estimate, style: ScoreStyle): string {
  return `${formatScore(value, style)} (${formatScore(low, style)} to ${formatScore(high, style)})`;
}

function describeUnfair(board: Leaderboard): string[] {
  const { models, neighbours, compared, tasks } = board;
  const pairs = [...neighbours, ...(compared ? [compared] : [])].flatMap((pair) => pair.tasks);
  const others = tasks.filter((task) =>
    pairs.some((pair) => pair.task === task && pair.unpaired > 0),
  );
  const dialects = [...new Set(models.flatMap(({ dialect }) => dialect ?? []))];
  const templates = new Set(models.map(({ cells }) => cells.map(({ version }) => version).join()));
  const shots = new Set(models.map(({ cells }) => cells.map((cell) => cell.shots).join()));
  return [
    ...(others.length > 0
      ? [
          `Models were asked different rows of ${others.join(', ')}; they are compared on the rows that both have.`,
        ]
      : []),
    ...(dialects.length > 1
      ? [`Prompts differ: results of ${dialects.join(' and ')} are side by side.`]
      : []),
    ...(templates.size > 1
      ? ['Models were asked in different templates; the last column names them.']
      : []),
    ...(shots.size > 1 ? ['The numbers of examples differ between models.'] : []),
    ...(board.isSynthetic
      ? ['Some results use small synthetic data and say little about a model.']
      : []),
  ];
}

function describeRows(board: Leaderboard): string[] {
  const inModels = (textOf: (cell: BoardCell) => string | undefined) =>
    allModels(board).flatMap(({ model, cells }) => {
      const texts = cells.flatMap((cell) => (cell && textOf(cell)) ?? []);
      return texts.length === 0 ? [] : [`${model} on ${texts.join(', ')}`];
    });
  const unscored = inModels(({ task, unscored, count }) =>
    unscored > 0 ? `${task} (${formatCount(unscored)} of ${formatCount(count)})` : undefined,
  );
  const partial = inModels(({ task, isPartial, count }) =>
    isPartial ? `${task} (${formatCount(count)})` : undefined,
  );
  return [
    ...(unscored.length > 0
      ? [`Rows without a score count as wrong: ${shortList(unscored)}.`]
      : []),
    ...(partial.length > 0 ? [`Not all rows were asked: ${shortList(partial)}.`] : []),
  ];
}

function shortList(items: readonly string[]): string {
  const rest = items.length - mostListed;
  return `${items.slice(0, mostListed).join('; ')}${rest > 0 ? `; and ${formatCount(rest)} more` : ''}`;
}

function describeLeftOut({ models, unranked, tasks, otherScores }: Leaderboard): string[] {
  const lacking = unranked.map(({ model, cells }) => {
    const missing = tasks.filter((_, place) => cells[place] === undefined);
    return `${model} (${missing.join(', ')})`;
  });
  return [
    ...(lacking.length > 0 ? [`Not ranked, for want of tasks: ${shortList(lacking)}.`] : []),
    ...(otherScores.length > 0
      ? [`Not ranked, being no shares of which more is better: ${shortList(otherScores)}.`]
      : []),
    ...(models.length + unranked.length === 1
      ? [
          'There is one model, so there is nothing to rank. Add runs of others; typecase sweep says which template suits a model.',
        ]
      : []),
  ];
}

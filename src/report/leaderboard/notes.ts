import { countOf, formatCount } from '../../base/format.ts';
import type { Estimate } from '../../stats/estimate.ts';
import { formatPText } from '../../study/compare/compare-format.ts';
import type { TaskDifference } from '../../study/leaderboard/compare-models.ts';
import type { JudgedComparison, Leaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { BoardCell, BoardModel } from '../../study/leaderboard/rank-models.ts';
import type { ScoredRows, TaskScore } from '../../study/leaderboard/task-score.ts';
import { formatScore, type ScoreStyle } from '../format-scores.ts';
import { columnsOf, rowsText, signedText, styleOf, versionText } from './board-text.ts';

/** Tables of more models say by their ranks which of them cannot be told apart. */
const mostNeighbours = 10;
const mostListed = 10;

/** What is said below the table, one sentence each. */
export function describeNotes(board: Leaderboard): string[] {
  const style = styleOf(board);
  return [
    'Scores from 0 to 100 with 95% intervals; Ave. is the mean over tasks.',
    ...describeColumns(board),
    ...describeMarks(board),
    ...describeRanks(board),
    ...describePairs(board, style),
    ...describeChoices(board, style),
    ...describeUnfair(board),
    ...describeRows(board),
    ...describeGroups(board),
    ...describeShared(board),
    ...describeSummaries(board, style),
    ...describeServed(board),
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
      return [`${name}: ${sourceText(cell, style)} is used. Set aside: ${others}.`];
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
    ? ['≈ Neither rows nor their spread are recorded; the interval is that of a proportion.']
    : [];
}

function describeRanks({ models, pairs }: Leaderboard): string[] {
  if (models.length < 2) return [];
  const tied = models.some(({ isTied }) => isTied) ? ' = marks equal averages.' : '';
  const are = pairs.toldApart === 1 || pairs.all === 1 ? 'is' : 'are';
  const count = `${formatCount(pairs.toldApart)} of ${countOf(pairs.all, 'pair')} of models ${are} clearly different`;
  return [
    `Ranks in brackets: the range of places a model may have, given the models with no clear difference.${tied}`,
    `${count}; all claims hold jointly at 95% (Holm's method).`,
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
  if (isSame) return describeSame(pair, names);
  const { value, low, high } = difference;
  const points = `${signedText(value, style)} points [${signedText(low, style)}, ${signedText(high, style)}]`;
  const grounds = `${points}, ${chanceText(adjustedP)}, ${pairingText(pair)}`;
  return isToldApart
    ? `${better.model} is better than ${worse.model}: ${grounds}.`
    : `${names} cannot be told apart: ${grounds}${flatteredText(pair)}.`;
}

/** Only what the rows in common say: others may differ. */
function describeSame({ tasks }: JudgedComparison, names: string): string {
  const pairs = tasks.reduce((sum, task) => sum + (task.pairs ?? 0), 0);
  if (tasks.every(({ pairs }) => pairs === undefined)) return `${names} have equal scores.`;
  return tasks.some(({ pairs, unpaired }) => pairs === undefined || unpaired > 0)
    ? `${names} cannot be told apart: equal scores on the ${rowsText(pairs)} in common say nothing about the others.`
    : `${names} gave the same scores.`;
}

/** Why a difference that is large enough tells nothing apart. */
function flatteredText({ better, adjustedP, difference }: JudgedComparison): string {
  const isFlattered = better.cells.some(({ leavesOut }) => leavesOut);
  return isFlattered && adjustedP <= 0.05 && difference.low > 0
    ? `, and scores of ${better.model} leave out rows`
    : '';
}

/** Without `<`, which Markdown would have to escape. */
function chanceText(p: number): string {
  return p < 0.001 ? 'p below 0.001' : formatPText(p);
}

function pairingText({ tasks }: JudgedComparison): string {
  const paired = tasks.filter(({ pairs }) => pairs !== undefined);
  if (paired.length === 0) return 'not paired';
  const rows = paired.reduce((sum, { pairs = 0 }) => sum + pairs, 0);
  const common = paired.some(({ unpaired }) => unpaired > 0)
    ? ` (${formatCount(rows)} in common)`
    : '';
  return paired.length === tasks.length
    ? `paired by row${common}`
    : `${countOf(paired.length, 'task')} paired by row${common}`;
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
          `${model}: ${rangeText(honest, style)} expected on held-out rows for the best of ${tried}.`,
        ]
      : [],
  );
  return [
    '“best of”: the template was chosen by these same scores, which are therefore too high. Comparisons account for every template tried.',
    ...listed(honest, 'expected to be lower'),
  ];
}

function rangeText({ value, low, high }: Estimate, style: ScoreStyle): string {
  return `${formatScore(value, style)} [${formatScore(low, style)}, ${formatScore(high, style)}]`;
}

function describeUnfair(board: Leaderboard): string[] {
  const { models, neighbours, compared, tasks } = board;
  const pairs = [...neighbours, ...(compared ? [compared] : [])].flatMap((pair) => pair.tasks);
  const isIn = (task: string, has: (pair: TaskDifference) => boolean) =>
    pairs.some((pair) => pair.task === task && pair.unpaired > 0 && has(pair));
  const others = tasks.filter((task) => isIn(task, ({ pairs }) => pairs !== undefined));
  const disjoint = tasks.filter((task) => isIn(task, ({ pairs }) => pairs === undefined));
  const dialects = [...new Set(models.flatMap(({ dialect }) => dialect ?? []))];
  const templates = new Set(models.map(({ cells }) => cells.map(({ version }) => version).join()));
  const shots = models.flatMap(({ cells }) =>
    cells.flatMap((cell) =>
      cell.shots === undefined ? [] : { task: cell.task, shots: cell.shots },
    ),
  );
  const isShownOther = shots.some((one) =>
    shots.some((other) => other.task === one.task && other.shots !== one.shots),
  );
  return [
    ...(others.length > 0
      ? [
          `Models were asked different rows of ${others.join(', ')}; they are compared on the rows they share.`,
        ]
      : []),
    ...(disjoint.length > 0
      ? [
          `Models have no row of ${disjoint.join(', ')} in common; their scores are compared as unpaired.`,
        ]
      : []),
    ...(dialects.length > 1
      ? [`Prompts differ: results of ${dialects.join(' and ')} are side by side.`]
      : []),
    ...(templates.size > 1
      ? ['Models were asked with different templates; see the last column.']
      : []),
    ...(isShownOther ? ['Models were shown different numbers of examples.'] : []),
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
  const unscored = inModels(({ task, unscored, count, leavesOut }) =>
    unscored > 0 && !leavesOut
      ? `${task} (${formatCount(unscored)} of ${formatCount(count)})`
      : undefined,
  );
  const leftOut = inModels(({ task, metric, unscored, count, leavesOut }) =>
    leavesOut
      ? `${task} (${metric}, ${formatCount(unscored)} of ${formatCount(count + unscored)})`
      : undefined,
  );
  const partial = inModels(({ task, isPartial, count }) =>
    isPartial ? `${task} (${formatCount(count)})` : undefined,
  );
  return [
    ...(unscored.length > 0 ? [`Unscored rows count as wrong: ${shortList(unscored)}.`] : []),
    ...(leftOut.length > 0
      ? [
          `Unscored rows are left out where they cannot count as wrong, which inflates the score: ${shortList(leftOut)}. Such models rank last.`,
        ]
      : []),
    ...(partial.length > 0 ? [`Incomplete: ${shortList(partial)}.`] : []),
  ];
}

/** Rows that are not independent: copies, which count as one; and groups that nobody named. */
function describeGroups(board: Leaderboard): string[] {
  const inTasks = (textOf: (cell: BoardCell) => string | undefined) => [
    ...new Set(
      allModels(board).flatMap(({ cells }) =>
        cells.flatMap((cell) => (cell && textOf(cell)) ?? []),
      ),
    ),
  ];
  const copied = inTasks(({ task, rows }) =>
    rows?.copies
      ? `${task} (${formatCount(differentRows(rows))} different of ${formatCount(rows.cells.size)})`
      : undefined,
  );
  const grouped = inTasks(({ task, possibleClusters, rows }) => {
    if (!possibleClusters) return undefined;
    const { by, count } = possibleClusters;
    // Groups of copies count as one already.
    if (rows?.copies && count >= differentRows(rows)) return undefined;
    return by === undefined
      ? `${task} (${formatCount(count)} different prompts)`
      : `${task} (${formatCount(count)} values of ${by})`;
  });
  return [
    ...(copied.length > 0 ? [`Identical rows count once: ${shortList(copied)}.`] : []),
    ...(grouped.length > 0
      ? [
          `Rows seem to come in clusters but are treated as independent, so intervals are too narrow and tests too optimistic: ${shortList(grouped)}. Set cluster_by.`,
        ]
      : []),
  ];
}

function differentRows({ cells, copies }: ScoredRows): number {
  return cells.size - (copies?.size ?? 0);
}

/** Averages reckon with tasks on the same rows as far as rows are known. */
function describeShared(board: Leaderboard): string[] {
  if (board.tasks.length < 2) return [];
  const unknown = board.tasks.filter((_, place) =>
    allModels(board).some(({ cells }) => cells[place] && !cells[place].rows),
  );
  return unknown.length > 0
    ? [
        `Rows of ${shortList(unknown)} are not recorded; these tasks are treated as independent of the others.`,
      ]
    : [];
}

/** Summaries that do not fit their logs, and those that no log can be held against. */
function describeSummaries(board: Leaderboard, style: ScoreStyle): string[] {
  const inCells = (textOf: (cell: BoardCell, model: string) => string[]) =>
    allModels(board).flatMap(({ model, cells }) =>
      cells.flatMap((cell) =>
        cell ? [cell, ...cell.setAside].flatMap((one) => textOf({ ...cell, ...one }, model)) : [],
      ),
    );
  const others = inCells((cell, model) => {
    const { summarized, task, file, score, count, unscored, leavesOut } = cell;
    if (!summarized) return [];
    const said = summarized.value === undefined ? 'no score' : formatScore(summarized.value, style);
    const logged = rowsText(count + (leavesOut ? unscored : 0));
    return [
      `${file}: summary.json says ${said} over ${rowsText(summarized.rows)} for ${model} on ${task}, its log says ${formatScore(score.value, style)} over ${logged}. The log is used.`,
    ];
  });
  const unchecked = inCells(({ isUnchecked, task, file }, model) =>
    isUnchecked ? [`${model} on ${task} (${file})`] : [],
  );
  return [
    ...listed(others, 'said otherwise'),
    ...(unchecked.length > 0
      ? [`Taken from summary.json without verification: ${shortList(unchecked)}.`]
      : []),
  ];
}

/** A name that is not the one asked for may stand for another model. */
function describeServed({ served }: Leaderboard): string[] {
  const lines = served.map(({ model, asked, names, file }) => {
    const given = names.map(({ name, answers }) => `${name} (${countOf(answers, 'answer')})`);
    const wanted = asked === undefined ? '' : `, asked as ${asked}`;
    return `${file}: ${model}${wanted}, was served as ${given.join(' and ')}.`;
  });
  return listed(lines, 'served under other names');
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
    ...(lacking.length > 0
      ? [`Not ranked, because tasks are missing: ${shortList(lacking)}.`]
      : []),
    ...(otherScores.length > 0
      ? [`Not ranked, because only shares where higher is better are: ${shortList(otherScores)}.`]
      : []),
    ...(models.length + unranked.length === 1
      ? [
          'Only one model, so nothing to rank. Add runs of other models, or find the best template with typecase sweep.',
        ]
      : []),
  ];
}

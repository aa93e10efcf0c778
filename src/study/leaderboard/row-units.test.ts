import { expect, test } from 'vitest';
import { meanOfRows } from '../../stats/measure-cells.ts';
import { wilson } from '../../stats/wilson.ts';
import { makeLeaderboard } from './leaderboard.ts';
import type { ModelResult, ScoredRows, TaskScore } from './task-score.ts';

interface Side {
  readonly isRight: (row: number) => boolean;
  readonly count: number;
  /** What tells the rows of this task from those of others. */
  readonly file?: string;
  readonly size?: number;
}

const rowsOf = ({ isRight, count, file = '', size }: Side): ScoredRows => {
  const names = Array.from({ length: count }, (_, row) => `${file}${row}`);
  return {
    cells: new Map(names.map((name, row) => [name, isRight(row) ? '1' : '0'])),
    measure: meanOfRows,
    ...(size && {
      clusters: new Map(
        names.map((name, row) => [name, { by: 'doc', value: String(Math.floor(row / size)) }]),
      ),
    }),
  };
};

function scoreOf(task: string, side: Side): TaskScore {
  const rows = rowsOf(side);
  const right = [...rows.cells.values()].filter((cell) => cell === '1').length;
  const score = wilson(right, side.count);
  if (!score) throw new RangeError('no rows');
  return {
    ...{ task, version: '0.0', metric: 'accuracy', score, isGuessed: false, shots: 0 },
    ...{ stamp: undefined, count: side.count, isPartial: false, unscored: 0, rows, file: task },
  };
}

const resultOf = (model: string, scores: readonly TaskScore[]): ModelResult => ({
  ...{ model, settings: {}, file: model, dialect: undefined, isSynthetic: false, scores },
});

const tasks = Array.from({ length: 10 }, (_, place) => `task ${place}`);
const isFirst = (row: number) => row % 10 < 6;
const isSecond = (row: number) => row % 10 > 6;

/** Two models on as many tasks; each on its own rows, or all on the same. */
function boardOf(names: readonly string[], isShared: boolean) {
  const sideOf = (task: string) => ({ count: 20, file: isShared ? '' : task });
  return makeLeaderboard([
    resultOf(
      'a',
      names.map((task) => scoreOf(task, { ...sideOf(task), isRight: isFirst })),
    ),
    resultOf(
      'b',
      names.map((task) => scoreOf(task, { ...sideOf(task), isRight: isSecond })),
    ),
  ]);
}

test('ten tasks on the same rows say no more than one', () => {
  const one = boardOf(tasks.slice(0, 1), true);
  const copies = boardOf(tasks, true);
  expect(copies.neighbours[0]?.p).toBeCloseTo(one.neighbours[0]?.p ?? 0, 9);
  const [single, tenfold] = [one, copies].map(({ models }) => models[0]?.average);
  expect(tenfold?.low).toBeCloseTo(single?.low ?? 0, 9);
  expect(tenfold?.high).toBeCloseTo(single?.high ?? 0, 9);
  const others = boardOf(tasks, false);
  expect(others.neighbours[0]?.p).toBeLessThan(0.001);
  expect(others.models[0]?.average.low).toBeGreaterThan(single?.low ?? 1);
});

test('rows at the same place of the same file are the same, whatever they hold', () => {
  const placed = (score: TaskScore): TaskScore => ({
    ...score,
    rows: score.rows && {
      ...score.rows,
      places: new Map([...score.rows.cells.keys()].map((name, row) => [name, `file ${row}`])),
    },
  });
  const withPlaces = (model: string, isRight: Side['isRight']) =>
    resultOf(
      model,
      tasks.map((task) => placed(scoreOf(task, { isRight, count: 20, file: task }))),
    );
  const { neighbours } = makeLeaderboard([withPlaces('a', isFirst), withPlaces('b', isSecond)]);
  const one = boardOf(tasks.slice(0, 1), true);
  expect(neighbours[0]?.p).toBeCloseTo(one.neighbours[0]?.p ?? 0, 9);
});

test('a score of all rows alike takes tasks on the same rows as one', () => {
  const all = { isRight: () => true, count: 20 };
  const averageOf = (names: readonly string[]) =>
    makeLeaderboard([
      resultOf(
        'a',
        names.map((task) => scoreOf(task, all)),
      ),
    ]).models[0]?.average;
  expect(averageOf(tasks)?.low).toBeCloseTo(averageOf(tasks.slice(0, 1))?.low ?? 0, 9);
});

test('rows in clusters count as whole clusters; clusters of one row each change nothing', () => {
  const board = (size?: number) =>
    makeLeaderboard([
      resultOf('a', [
        scoreOf('task', { isRight: (row) => row < 12, count: 24, ...(size && { size }) }),
      ]),
      resultOf('b', [scoreOf('task', { isRight: () => false, count: 24 })]),
    ]).neighbours[0];
  expect(board(1)?.p).toBe(board()?.p);
  // Four clusters that differ: all signs alike is 2 of 16.
  expect(board(3)?.p).toBe(2 / 16);
});

import { afterAll, expect, test } from 'vitest';
import type { Random } from '../../src/base/keyed-random.ts';
import { meanOfRows, measureCells, withinShares } from '../../src/stats/measure-cells.ts';
import { makeLeaderboard } from '../../src/study/leaderboard/leaderboard.ts';
import type { ModelResult, TaskScore } from '../../src/study/leaderboard/task-score.ts';
import { type Finding, keepFindings, normal, shareOf } from './simulate.ts';

interface Board {
  /** How much better than the others the first model is, in standard deviations of the rows. */
  readonly lead?: number;
  readonly models: number;
  readonly templates: number;
  /** Rows of each task. */
  readonly rows: readonly number[];
  /** Whether all tasks are over the rows of the first, and answered alike. */
  readonly isOneFile?: boolean;
}

/** Models whose answers to a row depend on its difficulty, their skill and chance. */
function drawResults(random: Random, board: Board): ModelResult[] {
  const { lead = 0, models, templates, rows, isOneFile = false } = board;
  const difficulties = rows.map((count) => Array.from({ length: count }, () => normal(random)));
  return Array.from({ length: models * templates }, (_, place) => {
    const model = String(Math.floor(place / templates));
    const version = String(1 + (place % templates));
    const skill = model === '0' ? lead : 0;
    const scores = difficulties.map((task, index) => {
      const cells = new Map(
        task.map((difficulty, row) => [
          `${index} ${row}`,
          normal(random) + skill > difficulty ? '1' : '0',
        ]),
      );
      const measured = measureCells(cells.values(), meanOfRows);
      if (!measured) throw new RangeError('no rows');
      const score = withinShares(measured);
      return {
        ...{ task: `task ${index}`, version, metric: 'accuracy', score, isGuessed: false },
        ...{ shots: 0, stamp: undefined, count: task.length, isPartial: false, unscored: 0 },
        ...{ rows: { cells, measure: meanOfRows }, file: `${place}` },
      };
    });
    const [first] = scores;
    return {
      model,
      settings: {},
      file: `${place}`,
      dialect: undefined,
      isSynthetic: false,
      scores: isOneFile ? scores.map(({ task }) => ({ ...first, task }) as TaskScore) : scores,
    };
  });
}

const findings: Finding[] = [];
afterAll(() => keepFindings('leaderboard', findings));

const claims = (board: Board, count: number) =>
  shareOf(count, (random) => makeLeaderboard(drawResults(random, board)).pairs.toldApart > 0);

test.each<[string, Board, number]>([
  ['two models', { models: 2, templates: 1, rows: [30, 60] }, 1500],
  ['few rows', { models: 2, templates: 1, rows: [6, 8] }, 2000],
  ['six models', { models: 6, templates: 1, rows: [40, 40, 40] }, 500],
  [
    'ten tasks on one file',
    { models: 2, templates: 1, rows: Array(10).fill(40), isOneFile: true },
    1500,
  ],
  ['best of five templates', { models: 2, templates: 5, rows: [40, 40] }, 500],
])('equal models: a claim in at most 5 of 100 tables, %s', (name, board, count) => {
  const share = claims(board, count);
  findings.push({ what: `equal models, a claim: ${name}`, share, runs: count });
  expect(share).toBeLessThanOrEqual(0.06);
});

test('a better model is found', () => {
  const board = { lead: 0.6, models: 3, templates: 1, rows: [150, 150] };
  const found = claims(board, 200);
  findings.push({ what: 'a better model is found', share: found, runs: 200 });
  expect(found).toBeGreaterThan(0.8);
});

test('the ranks of a model hold its true one', () => {
  const held = shareOf(400, (random) => {
    const board = { lead: 0.3, models: 4, templates: 1, rows: [60, 60] };
    const { models } = makeLeaderboard(drawResults(random, board));
    return models.find(({ model }) => model === '0')?.ranks[0] === 1;
  });
  findings.push({ what: 'the best may be the best by its ranks', share: held, runs: 400 });
  expect(held).toBeGreaterThanOrEqual(0.95);
});

import type { RecordProblem } from '../run/store/record-problem.ts';
import { findResults } from '../study/leaderboard/find-results.ts';
import {
  type Leaderboard,
  type LeaderboardOptions,
  makeLeaderboard,
} from '../study/leaderboard/leaderboard.ts';
import { checkOptions } from './check-options.ts';
import { leaderboardNames } from './option-names.ts';
import { loadResultReader } from './result-readers.ts';

export type { LeaderboardOptions };

export interface LeaderboardResult extends Leaderboard {
  /** Damaged lines of the logs that were read. */
  readonly problems: readonly RecordProblem[];
}

/**
 * Ranks the models of runs and result files, and says which have no clear difference: what
 * `typecase leaderboard` does.
 *
 * @example
 * const { models } = await rankRuns(['runs/a', 'runs/b']);
 * models.map(({ model, rank, ranks }) => [model, rank, ranks]); // [['large', 1, [1, 2]], …]
 */
export async function rankRuns(
  paths: readonly string[],
  options: LeaderboardOptions = {},
): Promise<LeaderboardResult> {
  checkOptions<LeaderboardOptions>(options, leaderboardNames);
  const results = await findResults(paths, await loadResultReader());
  return {
    ...makeLeaderboard(results, options),
    problems: results.flatMap(({ problems = [] }) => problems),
  };
}

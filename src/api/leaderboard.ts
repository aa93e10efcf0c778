import type { RecordProblem } from '../run/store/record-problem.ts';
import { findResults, type ReadResult } from '../study/leaderboard/find-results.ts';
import {
  type LeaderboardOptions as Choice,
  type Leaderboard,
  makeLeaderboard,
} from '../study/leaderboard/leaderboard.ts';

export interface LeaderboardOptions extends Choice {
  /** Reads a result file of another harness; nothing if it is none. */
  readonly readResult?: ReadResult | undefined;
}

export interface LeaderboardResult {
  readonly leaderboard: Leaderboard;
  /** Damaged lines of the logs that were read. */
  readonly problems: readonly RecordProblem[];
}

/** Ranks the models of runs and result files: what `typecase leaderboard` does. */
export async function rankRuns(
  paths: readonly string[],
  { readResult = () => undefined, ...options }: LeaderboardOptions = {},
): Promise<LeaderboardResult> {
  const results = await findResults(paths, readResult);
  return {
    leaderboard: makeLeaderboard(results, options),
    problems: results.flatMap(({ problems = [] }) => problems),
  };
}

import { resolve } from 'node:path';
import { problemWarnings } from '../../run/store/record-problem.ts';
import { writeWhole } from '../../run/store/write-whole.ts';
import { checkSameVersion, type FoundStamp } from '../../tasks/versions/version-stamp.ts';
import { escapeControls } from '../text/show-controls.ts';
import { compareNeighbours } from './compare-models.ts';
import { findResults } from './find-results.ts';
import { leaderboardHtml } from './leaderboard-html.ts';
import { parseLeaderboardOptions } from './leaderboard-options.ts';
import { describeNotes, type Leaderboard } from './notes.ts';
import { rankModels } from './rank-models.ts';
import { leaderboardCsv, leaderboardJson, leaderboardMarkdown } from './render-tables.ts';
import type { ModelResult } from './task-score.ts';

/** `typecase leaderboard`: ranks models by their results. */
export async function runLeaderboard(args: readonly string[]): Promise<number> {
  const options = parseLeaderboardOptions(args);
  if (!options) return 0;
  const results = await findResults(options.runs);
  checkVersions(results);
  const items = results.flatMap(({ problems = [] }) => problems);
  process.stderr.write(
    problemWarnings({ items, total: items.length }, '`typecase run` asks these rows again.'),
  );
  const board = makeLeaderboard(results, options.template);
  const markdown = leaderboardMarkdown(board);
  const files = [
    [options.markdown, markdown],
    [options.csv, leaderboardCsv(board)],
    [options.html, leaderboardHtml(board)],
  ] as const;
  for (const [file, text] of files) {
    if (file !== undefined) await writeWhole(resolve(file), text);
  }
  const shown = options.json
    ? `${escapeControls(JSON.stringify(leaderboardJson(board), null, 2))}\n`
    : markdown;
  process.stdout.write(shown);
  return 0;
}

/** One name is one text, in all results. */
function checkVersions(results: readonly ModelResult[]): void {
  const known = new Map<string, FoundStamp>();
  for (const { file, scores } of results) {
    for (const { stamp } of scores) {
      if (!stamp) continue;
      const found = { ...stamp, place: file };
      const name = `${stamp.task} ${stamp.version}`;
      const first = known.get(name);
      if (first) checkSameVersion(first, found);
      else known.set(name, found);
    }
  }
}

function makeLeaderboard(results: readonly ModelResult[], template?: string): Leaderboard {
  const ranking = rankModels(results, template);
  const comparisons = compareNeighbours(ranking);
  return { ranking, comparisons, notes: describeNotes(ranking, { comparisons, results }) };
}

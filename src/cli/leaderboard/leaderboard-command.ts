import { resolve } from 'node:path';
import { Command } from 'commander';
import { leaderboardHtml } from '../../report/leaderboard/leaderboard-html.ts';
import { describeNotes, type Leaderboard } from '../../report/leaderboard/notes.ts';
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardMarkdown,
} from '../../report/leaderboard/render-tables.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import { writeWhole } from '../../run/store/write-whole.ts';
import { compareNeighbours } from '../../study/leaderboard/compare-models.ts';
import { findResults } from '../../study/leaderboard/find-results.ts';
import { rankModels } from '../../study/leaderboard/rank-models.ts';
import type { ModelResult } from '../../study/leaderboard/task-score.ts';
import { type ReadResult, suites } from '../../suites/index.ts';
import { checkSameVersion, type FoundStamp } from '../../tasks/version-stamp.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { escapeControls } from '../../terminal/text/show-controls.ts';

/** `typecase leaderboard`: ranks models by their results. */
export async function runLeaderboard(args: readonly string[]): Promise<number> {
  const options = parseLeaderboardOptions(args);
  if (!options) return 0;
  const results = await findResults(options.runs, await resultReader());
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

/** Reads a result file in the way of the suite that wrote it. */
async function resultReader(): Promise<ReadResult> {
  const readers = await Promise.all(
    suites.flatMap(({ readResult }) => (readResult ? [readResult()] : [])),
  );
  return (value, file) => {
    for (const read of readers) {
      const result = read(value, file);
      if (result) return result;
    }
    return undefined;
  };
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

interface LeaderboardOptions {
  readonly runs: readonly string[];
  readonly template?: string;
  readonly markdown?: string;
  readonly csv?: string;
  readonly html?: string;
  readonly json: boolean;
}

type Flags = Omit<LeaderboardOptions, 'runs' | 'json'>;

/** Reads the arguments of `typecase leaderboard`, or prints its help and gives undefined. */
function parseLeaderboardOptions(args: readonly string[]): LeaderboardOptions | undefined {
  const parsed = parseArguments(describeLeaderboard(), args);
  return parsed && { json: false, ...parsed.opts<Flags>(), runs: parsed.processedArgs[0] };
}

function describeLeaderboard(): Command {
  return new Command('typecase leaderboard')
    .description('Ranks models by their results, with intervals.')
    .argument('<runs...>', 'result files, folders of them, or folders of runs')
    .option('--template <version>', "one version for all; each model's best without it")
    .option('--markdown <file>', 'write the table there as Markdown')
    .option('--csv <file>', 'write all scores there as CSV')
    .option('--html <file>', 'write a page there')
    .option('--json', 'one JSON document instead of the table')
    .helpOption('-h, --help', 'this text');
}

import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { rankRuns } from '../../api/leaderboard.ts';
import { standAlonePage } from '../../api/stand-alone-page.ts';
import { version } from '../../base/version.ts';
import { TypecaseError } from '../../errors.ts';
import { openRuns } from '../../import/results/open-argument.ts';
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardMarkdown,
} from '../../report/leaderboard/render-tables.ts';
import { snapshotOfLeaderboard } from '../../report/snapshot/single-page.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import { writeWhole } from '../../run/store/write-whole.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

/** `typecase leaderboard`: ranks models by their results. */
export async function runLeaderboard(args: readonly string[]): Promise<number> {
  const options = parseLeaderboardOptions(args);
  if (!options) return 0;
  const { runs, template, compare } = options;
  const opened = await openRuns(runs, canRank);
  const { problems, ...leaderboard } = await rankRuns(opened.folders, {
    template,
    compare,
  }).finally(opened.close);
  process.stderr.write(
    problemWarnings(
      { items: problems, total: problems.length },
      '`typecase run` asks about these rows again.',
    ),
  );
  const markdown = leaderboardMarkdown(leaderboard);
  const files = [
    [options.markdown, markdown],
    [options.csv, leaderboardCsv(leaderboard)],
    [options.html, await standAlonePage(snapshotOfLeaderboard(leaderboard, version), markdown)],
  ] as const;
  for (const [file, text] of files) {
    if (file !== undefined) await writeWhole(resolve(file), text);
  }
  if (options.json) writeJson('leaderboard', leaderboardJson(leaderboard), 2);
  else process.stdout.write(markdown);
  for (const problem of opened.problems) process.stderr.write(`${showControls(problem)}\n`);
  return opened.problems.length === 0 ? 0 : 3;
}

const unknownResults = new Set([
  'task.unknown',
  'leaderboard.no_results',
  'leaderboard.bad_result',
]);

/** Whether results are of tasks that are known by their names. */
async function canRank(path: string): Promise<boolean> {
  try {
    await rankRuns([path]);
    return true;
  } catch (error) {
    if (TypecaseError.isInstance(error) && unknownResults.has(error.code)) return false;
    throw error;
  }
}

interface LeaderboardOptions {
  readonly runs: readonly string[];
  readonly template?: string;
  readonly compare?: readonly [string, string];
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

export function describeLeaderboard(): Command {
  return addExamples(
    new Command('typecase leaderboard')
      .description('Ranks models by their results, with intervals.')
      .argument(
        '<runs...>',
        'result files, folders of them, run folders, or results of other harnesses',
      )
      .option('--template <version>', "one template version for all (default: each model's best)")
      .option('--compare <a,b>', 'compare just these two models', twoNames)
      .option('--markdown <file>', 'write the table as Markdown')
      .option('--csv <file>', 'write all scores as CSV')
      .option('--html <file>', 'write a stand-alone page')
      .option('--json', 'print JSON'),
    [
      ['all runs of a folder', 'typecase leaderboard runs'],
      ['as a page', 'typecase leaderboard runs --html board.html'],
    ],
  );
}

function twoNames(value: string): readonly [string, string] {
  const [left, right, ...others] = value.split(',').map((name) => name.trim());
  if (left && right && others.length === 0) return [left, right];
  throw new InvalidArgumentError('Give two models, separated by a comma.');
}

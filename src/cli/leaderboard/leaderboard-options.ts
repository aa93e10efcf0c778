import { Command } from 'commander';
import { parseArguments } from '../../terminal/parse-arguments.ts';

export interface LeaderboardOptions {
  readonly runs: readonly string[];
  readonly template?: string;
  readonly markdown?: string;
  readonly csv?: string;
  readonly html?: string;
  readonly json: boolean;
}

type Flags = Omit<LeaderboardOptions, 'runs' | 'json'>;

/** Reads the arguments of `typecase leaderboard`, or prints its help and gives undefined. */
export function parseLeaderboardOptions(args: readonly string[]): LeaderboardOptions | undefined {
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

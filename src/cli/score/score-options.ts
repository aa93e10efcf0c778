import { Command } from 'commander';
import { shareValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';

export interface ScoreOptions {
  /** Folder of a run. */
  readonly folder: string;
  readonly config?: string;
  readonly evaluator?: string;
  readonly failUnder?: number;
  readonly json: boolean;
}

/** Reads the arguments of `typecase score`, or prints its help and gives undefined. */
export function parseScoreOptions(args: readonly string[]): ScoreOptions | undefined {
  const parsed = parseArguments(describeScore(), args);
  if (!parsed) return undefined;
  const [folder, config] = parsed.processedArgs;
  const defaults = { json: false };
  return { ...defaults, ...parsed.opts(), folder, ...(config !== undefined && { config }) };
}

function describeScore(): Command {
  return new Command('typecase score')
    .description('Scores the saved answers of a run again, without asking anything.')
    .argument('<folder>', 'folder of a run')
    .argument('[config]', 'config whose eval_cfg and data count, in place of what was recorded')
    .option('--evaluator <type>', 'how answers are judged, for all datasets')
    .option('--fail-under <score>', 'exit with 1 if a score is lower, such as 0.8', shareValue)
    .option('--json', 'print the summary for machines')
    .helpOption('-h, --help', 'this text');
}

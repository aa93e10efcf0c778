import { Command, InvalidArgumentError } from 'commander';
import { parseArguments } from '../parse-arguments.ts';

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
    .option('--evaluator <type>', 'how answers are judged, for all data sets')
    .option('--fail-under <score>', 'exit with 1 if a score is lower, such as 0.8', share)
    .option('--json', 'print the summary for machines')
    .helpOption('-h, --help', 'this text');
}

function share(value: string): number {
  const number = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('It must be a score from 0 to 1, or a percentage such as 80%.');
}

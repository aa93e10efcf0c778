import { Command, InvalidArgumentError, Option } from 'commander';
import { collectRows, countValue } from '../../../terminal/option-values.ts';
import { parseArguments } from '../../../terminal/parse-arguments.ts';

export interface TaskViewOptions {
  readonly task: string;
  readonly dialect: string;
  readonly dataDir?: string;
  readonly numFewshot: number;
  readonly limit?: number;
  readonly row?: readonly number[];
  readonly rows?: string;
  readonly json: boolean;
}

/** Reads the arguments of `typecase view --task`, or prints its help and gives undefined. */
export function parseTaskViewOptions(args: readonly string[]): TaskViewOptions | undefined {
  const parsed = parseArguments(describeTaskView(), args);
  return parsed && { json: false, ...parsed.opts<Omit<TaskViewOptions, 'json'>>() };
}

function describeTaskView(): Command {
  return new Command('typecase view --task')
    .description('Shows the prompts of a built-in task, in the order of evaluation.')
    .requiredOption('--task <name>', 'the task, such as chabsa-1.0-0.2; see `typecase list tasks`')
    .option('--dialect <name>', 'the release of the original to agree with', 'main')
    .option('--data-dir <folder>', 'folder of the data; a small synthetic set without it')
    .option('--num-fewshot <count>', 'examples before each document', shotCount, 0)
    .option('--limit <count>', 'only the first documents', countValue)
    .option('--row <number>', 'a document by its turn, from 0; may be given again', collectRows)
    .addOption(new Option('--rows <from:to>', 'a range of documents').conflicts('row'))
    .option('--json', 'one JSON document with all of them instead of text')
    .helpOption('-h, --help', 'this text');
}

/** A number of examples, from none on. */
function shotCount(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number from 0 on.');
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { parseArguments } from '../parse-arguments.ts';
import { parseRunOptions, type RunOptions } from '../run/run-options.ts';

export interface PlanOptions extends RunOptions {
  /** Seconds that a request is taken to need. */
  readonly latency?: number;
  /** Price of a million tokens. */
  readonly priceIn?: number;
  readonly priceOut?: number;
}

/**
 * Reads the arguments of `typecase plan`, or prints its help and gives undefined. It takes all that
 * `typecase run` takes, so that one command line serves both.
 */
export function parsePlanOptions(args: readonly string[]): PlanOptions | undefined {
  const command = describeEstimate();
  const own = parseArguments(command, args);
  const options = own && parseRunOptions('plan', own.args);
  if (options) return { ...options, ...own.opts() };
  const [, ...help] = command.helpInformation().split('\n\n');
  process.stdout.write(`\n${help.join('\n\n')}`);
  return undefined;
}

/** What matters to a plan besides the task; the rest of a command line is left for the task. */
function describeEstimate(): Command {
  const ignored = ['--retries <n>', '--timeout <s>', '--max-time <s>', '--fail-under <score>'];
  const command = new Command('typecase plan')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .optionsGroup('Estimate:')
    .option('--out <folder>', 'folder of the run, for what is there already')
    .option('--cache [folder]', 'count answers of earlier runs to the same requests')
    .option('--concurrency <n>', 'so many requests at once', positiveNumber)
    .option('--rps <n>', 'at most so many requests a second', positiveNumber)
    .option('--latency <seconds>', 'time that a request needs (default: 2)', positiveNumber)
    .option('--price-in <amount>', 'price of a million tokens sent', price)
    .option('--price-out <amount>', 'price of a million tokens answered', price);
  for (const flags of ignored) command.addOption(new Option(flags).argParser(Number).hideHelp());
  return command;
}

function positiveNumber(value: string): number {
  if (Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be a number above 0.');
}

function price(value: string): number {
  if (value.trim() !== '' && Number(value) >= 0) return Number(value);
  throw new InvalidArgumentError('It must be an amount such as 0.25.');
}

import { Command, InvalidArgumentError } from 'commander';
import { positiveValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { addRunOptions, addTaskOptions, type RunOptions } from '../../terminal/run/run-options.ts';

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
  const parsed = parseArguments(describePlan(), args);
  if (!parsed) return undefined;
  const defaults = { json: false };
  return { ...defaults, ...parsed.opts(), source: parsed.processedArgs[0] };
}

function describePlan(): Command {
  return addRunOptions(addTaskOptions(new Command('typecase plan')))
    .description('Says what a run would send, without sending anything.')
    .option('--latency <seconds>', 'time that a request needs (default: 2)', positiveValue)
    .option('--price-in <amount>', 'price of a million tokens sent', price)
    .option('--price-out <amount>', 'price of a million tokens answered', price);
}

function price(value: string): number {
  if (value.trim() !== '' && Number(value) >= 0) return Number(value);
  throw new InvalidArgumentError('It must be an amount such as 0.25.');
}

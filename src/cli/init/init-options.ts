import { Command, Option } from 'commander';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import type { Start } from './start-files.ts';

export interface InitOptions extends Partial<Start> {
  readonly folder: string;
  readonly nonInteractive: boolean;
}

/** Reads the arguments of `typecase init`, or prints its help and gives undefined. */
export function parseInitOptions(args: readonly string[]): InitOptions | undefined {
  const parsed = parseArguments(describeInit(), args);
  if (!parsed) return undefined;
  const defaults = { nonInteractive: false };
  return { ...defaults, ...parsed.opts(), folder: parsed.processedArgs[0] };
}

function describeInit(): Command {
  return new Command('typecase init')
    .description('Starts a config, with a few rows to ask about.')
    .argument('[folder]', 'where to write', '.')
    .addOption(new Option('--format <format>', 'kind of config').choices(['yaml', 'ts']))
    .option('--model <url>', 'endpoint of the model, such as http://127.0.0.1:8000/v1')
    .option('--model-name <name>', 'the name that the endpoint knows the model by')
    .option('-n, --non-interactive', 'ask nothing: take what is not given from the defaults')
    .helpOption('-h, --help', 'this text');
}

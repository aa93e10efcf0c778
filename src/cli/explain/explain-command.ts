import { Command } from 'commander';
import { printExplained } from '../../terminal/explain/print-explained.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';

/** `typecase explain`: every value of a config, and where it comes from. */
export async function runExplain(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeExplain(), args);
  if (!parsed) return 0;
  return printExplained(parsed.processedArgs[0], parsed.opts());
}

function describeExplain(): Command {
  return new Command('typecase explain')
    .description('Shows every value of a config, and where it comes from.')
    .argument('<config>', 'config file: .ts, .js, .yaml or .json')
    .option('--json', 'one JSON document instead of text')
    .helpOption('-h, --help', 'this text');
}

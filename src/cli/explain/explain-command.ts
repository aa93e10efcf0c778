import { Command } from 'commander';
import { findConfig } from '../../config/find-config.ts';
import { printExplained } from '../../terminal/explain/print-explained.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';

/** `typecase explain`: every value of a config, and where it comes from. */
export async function runExplain(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeExplain(), args);
  if (!parsed) return 0;
  const [file = findConfig()] = parsed.processedArgs;
  return printExplained(file, parsed.opts());
}

export function describeExplain(): Command {
  return addExamples(
    new Command('typecase explain')
      .description('Shows every value of a config, and where it comes from.')
      .argument('[config]', 'config file: .ts, .js, .yaml or .json (default: typecase.config.*)')
      .option('--json', 'print JSON'),
    [['every value and its place', 'typecase explain eval.yaml']],
  );
}

import { Command, Option } from 'commander';
import type { Compat } from '../../compat/compat.ts';
import type { ConfigFlags } from '../../config/flags.ts';
import { collectRows } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { addForeignHelp, addSourceOptions } from '../../terminal/run/run-options.ts';

export interface ViewOptions extends ConfigFlags {
  readonly dataset?: string;
  readonly pattern?: string;
  readonly row?: readonly number[];
  readonly rows?: string;
  /** Numbers of rows in the data. */
  readonly id?: readonly number[];
  readonly label?: string;
  readonly nonInteractive: boolean;
  readonly all: boolean;
  readonly origins: boolean;
  readonly full: boolean;
  readonly tokens: boolean;
  readonly diff?: string;
  /** The folder of a run, whose answers are then known. */
  readonly run?: string;
  readonly judge: boolean;
  readonly json: boolean;
  /** A page to write in place of text. */
  readonly html?: string;
  readonly compat?: Compat | 'none';
  readonly maxOutLen?: number;
  readonly temperature?: number;
}

/** Reads the arguments of `typecase view`, or prints its help and gives undefined. */
export function parseViewOptions(args: readonly string[]): ViewOptions | undefined {
  const parsed = parseArguments(describeView(), args);
  if (!parsed) return undefined;
  const flags = {
    nonInteractive: false,
    all: false,
    origins: false,
    full: false,
    tokens: false,
    judge: false,
    json: false,
  };
  return { ...flags, ...parsed.opts(), source: parsed.processedArgs[0] };
}

export function describeView(): Command {
  return addExamples(
    addForeignHelp(addSourceOptions(new Command('typecase view')))
      .description('Shows exactly what would be sent to a model. Sends nothing.')
      .optionsGroup('Rows and labels:')
      .option('-p, --pattern <glob>', 'only datasets whose abbr matches, such as "mmlu_*"')
      .option('--row <number>', 'row to show, from 0; repeatable', collectRows)
      .addOption(
        new Option('--rows <from:to>', 'range of rows, such as 0:5 or -3:').conflicts('row'),
      )
      .addOption(
        new Option('--id <number>', 'row by its number in the data, as `show` has it; repeatable')
          .argParser(collectRows)
          .conflicts(['row', 'rows']),
      )
      .option('--label <label>', 'show only the prompt for this label')
      .optionsGroup('What to show:')
      .option('-n, --non-interactive', 'ask no questions; use the first model and dataset')
      .addOption(
        new Option('-a, --all', 'show every model on every dataset').conflicts(['nonInteractive']),
      )
      .option('--origins', 'mark where each part of the prompt comes from')
      .option('--full', 'show the whole request; shorten and fold nothing')
      .option('--tokens', 'show token ids, if the tokenizer is known')
      .option('--diff <other>', 'compare with another dataset or config file')
      .option('--run <folder>', 'show later turns and judge prompts as asked in this run')
      .option('--judge', 'show judge prompts, even without answers yet')
      .addOption(
        new Option('--compat <mode>', "build prompts as another system does, or 'none'").choices([
          'opencompass',
          'aisbench',
          'none',
        ]),
      )
      .optionsGroup('Output:')
      .option('--json', 'print JSON')
      .addOption(
        new Option('--html <file>', 'write a stand-alone page instead of text').conflicts([
          'json',
          'diff',
        ]),
      ),
    [
      ['the first row', 'typecase view eval.yaml'],
      ['where each character comes from', 'typecase view eval.yaml --row 3 --origins'],
      ['two versions of a config', 'typecase view eval.yaml --diff other.yaml'],
      [
        'a built-in financial task (typecase view --task NAME --help)',
        'typecase view --task chabsa-1.0-0.2',
      ],
    ],
  );
}

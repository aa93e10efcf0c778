import { Command, Option } from 'commander';
import type { Compat } from '../../compat/compat.ts';
import type { ConfigFlags } from '../../config/flags.ts';
import { collectRows } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { addSourceOptions } from '../../terminal/run/run-options.ts';

export interface ViewOptions extends ConfigFlags {
  readonly dataset?: string;
  readonly pattern?: string;
  readonly row?: readonly number[];
  readonly rows?: string;
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

function describeView(): Command {
  return addSourceOptions(new Command('typecase view'))
    .description('Shows exactly what would be sent to a model, before any call.')
    .option('-p, --pattern <glob>', 'only datasets whose abbr matches, such as "mmlu_*"')
    .option('--row <number>', 'a row, counted from 0; may be given again', collectRows)
    .addOption(
      new Option('--rows <from:to>', 'a range of rows, such as 0:5 or -3:').conflicts('row'),
    )
    .option('--label <label>', 'only the prompt for this label')
    .option('-n, --non-interactive', 'ask nothing: the first model and the first dataset')
    .addOption(
      new Option('-a, --all', 'every model on every dataset').conflicts(['nonInteractive']),
    )
    .option('--origins', 'mark where each part of the prompt comes from')
    .option('--full', 'the whole request; nothing shortened or folded')
    .option('--tokens', 'the token ids that the model reads, where its tokenizer is known')
    .option('--diff <other>', 'compare with another dataset, or with another config file')
    .option('--run <folder>', 'a run: later turns and judges as they were asked there')
    .option('--judge', 'what judges are asked, also about answers that are not there yet')
    .addOption(
      new Option('--compat <mode>', "make prompts as another system, or 'none'").choices([
        'opencompass',
        'aisbench',
        'none',
      ]),
    )
    .option('--json', 'one JSON document instead of text')
    .addOption(
      new Option('--html <file>', 'a page that works without a server instead of text').conflicts([
        'json',
        'diff',
      ]),
    )
    .helpOption('-h, --help', 'this text')
    .addHelpText('after', '\ntypecase view --task NAME --help   the prompts of a built-in task');
}

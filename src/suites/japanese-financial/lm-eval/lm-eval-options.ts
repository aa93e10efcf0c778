import { Command, InvalidArgumentError, Option } from 'commander';
import { countValue } from '../../../terminal/option-values.ts';
import { parseArguments } from '../../../terminal/parse-arguments.ts';
import { addPaceOptions, type RunOptions } from '../../../terminal/run/run-options.ts';

/** The options in the spelling of the original, and those of a run. */
export interface LmEvalOptions
  extends Pick<
    RunOptions,
    'out' | 'rps' | 'retries' | 'timeout' | 'maxTime' | 'cache' | 'fresh' | 'retry'
  > {
  readonly model: string;
  readonly model_args: string;
  readonly tasks: string;
  readonly num_fewshot: string;
  readonly output_path?: string;
  readonly dialect: string;
  readonly dataDir?: string;
  readonly limit?: number;
  readonly batch_size?: string;
  readonly device?: string;
  readonly compat: boolean;
}

/** Reads the arguments of `typecase lm-eval`, or prints its help and gives undefined. */
export function parseLmEvalOptions(args: readonly string[]): LmEvalOptions | undefined {
  const parsed = parseArguments(describeLmEval(), args);
  return parsed && { compat: false, ...parsed.opts<Omit<LmEvalOptions, 'compat'>>() };
}

function describeLmEval(): Command {
  const command = new Command('typecase lm-eval')
    .description(
      'Evaluates a model on the Japanese financial tasks as the original does. The same command again does only what is missing.',
    )
    .requiredOption('--model <kind>', 'how the model is reached: hf, local-completions, …')
    .option(
      '--model_args <list>',
      'key=value, …: pretrained=FOLDER, or model=NAME,base_url=URL',
      '',
    )
    .requiredOption('--tasks <names>', 'names with commas between; * stands for any text')
    .option(
      '--include_path <folder>',
      'YAML tasks of a folder in place of these; with it, --help lists more',
    )
    .option('--num_fewshot <counts>', 'examples: one count, or one for each of the tasks', '0')
    .option('--output_path <file>', 'where the results go, as JSON')
    .option('--dialect <name>', 'the release of the original to agree with', 'main')
    .option('--data-dir <folder>', 'folder of the data; small synthetic sets without it')
    .option('--limit <count>', 'only the first documents of each task', countValue)
    .option('--batch_size <count>', 'the most documents in flight at once, or auto', batchSize)
    .addOption(new Option('--device <name>', 'accepted, and not used').hideHelp())
    .option('--compat', 'pair counts with tasks as the original did: in the order of their names')
    .option('--out <folder>', 'folder of the run (default: runs/lm-eval-<name of the model>)');
  return addPaceOptions(command).helpOption('-h, --help', 'this text');
}

function batchSize(value: string): string {
  if (/^(?:[1-9]\d*|auto(?::\d+)?)$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on, or auto.');
}

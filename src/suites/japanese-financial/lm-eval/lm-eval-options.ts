import { Command, InvalidArgumentError, Option } from 'commander';
import { countValue } from '../../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../../terminal/parse-arguments.ts';
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

export function describeLmEval(): Command {
  const command = new Command('typecase lm-eval')
    .description(
      'Evaluates a model on the Japanese financial tasks exactly as upstream does. Run the same command again to resume.',
    )
    .optionsGroup('Model and tasks:')
    .requiredOption('--model <kind>', 'model kind: hf, local-completions, …')
    .option(
      '--model_args <list>',
      'key=value, …: pretrained=FOLDER, or model=NAME,base_url=URL',
      '',
    )
    .requiredOption('--tasks <names>', 'comma-separated names; * matches any text')
    .option(
      '--include_path <folder>',
      'use the YAML tasks of a folder instead; --help then lists more',
    )
    .option('--num_fewshot <counts>', 'number of examples, for all tasks or one per task', '0')
    .optionsGroup('Output:')
    .option('--output_path <file>', 'results file to write, as JSON')
    .optionsGroup('Model and tasks:')
    .option('--dialect <name>', 'upstream release to follow', 'main')
    .option('--data-dir <folder>', 'data folder (default: small synthetic data)')
    .option('--limit <count>', 'use the first n documents of each task', countValue)
    .optionsGroup('Requests:')
    .option('--batch_size <count>', 'maximum documents in flight, or auto', batchSize)
    .addOption(new Option('--device <name>', 'accepted and ignored').hideHelp())
    .optionsGroup('Model and tasks:')
    .option('--compat', 'match counts to tasks by name order, as upstream did')
    .optionsGroup('Output:')
    .option('--out <folder>', 'run folder (default: runs/lm-eval-<model name>)');
  return addExamples(addPaceOptions(command), [
    [
      'a local model',
      'typecase lm-eval --model hf --model_args pretrained=./my-model \\\n    --tasks "chabsa-1.0-0.2"',
    ],
    [
      'an endpoint, on YAML tasks',
      'typecase lm-eval --model local-completions \\\n    --model_args model=NAME,base_url=http://127.0.0.1:8000/v1/completions \\\n    --include_path tasks --tasks my_task',
    ],
  ]);
}

function batchSize(value: string): string {
  if (/^(?:[1-9]\d*|auto(?::\d+)?)$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or above, or auto.');
}

import { Command, InvalidArgumentError, Option } from 'commander';
import type { ModelFlags } from '../../../terminal/lm-eval/spell-model.ts';
import { countValue } from '../../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../../terminal/parse-arguments.ts';
import { addPaceOptions, type RunOptions } from '../../../terminal/run/run-options.ts';

/** The options in the spelling of the original, and those of a run. */
export interface LmEvalOptions
  extends ModelFlags,
    Pick<RunOptions, 'out' | 'maxTime' | 'cache' | 'fresh' | 'retry'> {
  readonly tasks: string;
  readonly include_path: readonly string[];
  readonly num_fewshot?: number;
  readonly limit?: number;
  readonly output_path?: string;
  readonly log_samples?: boolean;
  readonly apply_chat_template?: boolean;
  readonly fewshot_as_multiturn?: boolean;
  readonly system_instruction?: string;
  readonly gen_kwargs?: Readonly<Record<string, unknown>>;
  readonly seed?: number;
  readonly bootstrap_iters: number;
  readonly dataDir?: string;
  readonly functions?: string;
  readonly dialect?: string;
}

/** Reads the arguments of `typecase lm-eval --include_path`, or prints its help and gives undefined. */
export function parseLmEvalOptions(args: readonly string[]): LmEvalOptions | undefined {
  return parseArguments(describeLmEval(), args)?.opts<LmEvalOptions>();
}

export function describeLmEval(): Command {
  const command = new Command('typecase lm-eval')
    .description(
      'Evaluates a model on YAML tasks of lm-evaluation-harness. Run the same command again to resume.',
    )
    .optionsGroup('Model and tasks:')
    .requiredOption(
      '--model <kind>',
      'model kind: hf, local-completions, local-chat-completions, …',
    )
    .option(
      '--model_args <list>',
      'key=value, …: pretrained=FOLDER, or model=NAME,base_url=URL',
      '',
    )
    .requiredOption('--tasks <names>', 'comma-separated tasks, groups, tags or files; * ? […]')
    .option('--include_path <folder>', 'folder of YAML tasks; repeatable', collect, [])
    .option('--num_fewshot <count>', 'number of examples', wholeValue)
    .option('--limit <count>', 'use the first n documents of each task', countValue)
    .optionsGroup('Output:')
    .option('--output_path <path>', 'results to write: a folder or a .json file')
    .option('--log_samples', 'also write samples_<task>_….jsonl for each task')
    .optionsGroup('Prompts:')
    .option('--apply_chat_template', "use the model's chat template")
    .option('--fewshot_as_multiturn [bool]', 'show examples as separate turns', truthValue)
    .option('--system_instruction <text>', 'system message, before the description')
    .option('--gen_kwargs <list>', 'generation settings: key=value, …, or JSON', kwargsValue)
    .option('--seed <numbers>', 'seed for examples: one number, or the last of four', seedValue)
    .option('--bootstrap_iters <count>', 'bootstrap draws for standard errors', wholeValue, 100_000)
    .optionsGroup('Model and tasks:')
    .option('--data-dir <folder>', 'folder with <task>/<split>.jsonl, instead of the hub')
    .option('--dialect <name>', 'upstream release that financial tasks follow (default: main)')
    .option('--functions <file>', 'TypeScript file that exports what !function names')
    .optionsGroup('Requests:')
    .option('--batch_size <count>', 'maximum documents in flight, or auto')
    .optionsGroup('Output:')
    .option('--out <folder>', 'run folder (default: runs/lm-eval-<model name>)');
  for (const idle of [
    '--device <name>',
    '--verbosity <level>',
    '--trust_remote_code',
    '--write_out',
  ]) {
    command.addOption(new Option(idle, 'accepted and ignored').hideHelp());
  }
  return addExamples(addPaceOptions(command), [
    [
      'a task of a folder',
      'typecase lm-eval --model hf --model_args pretrained=./my-model \\\n    --include_path tasks --tasks my_task --num_fewshot 5',
    ],
  ]);
}

function wholeValue(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number, 0 or above.');
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function truthValue(value: string): boolean {
  return ['true', '1', 'yes'].includes(value.toLowerCase());
}

function seedValue(value: string): number | undefined {
  const [last = ''] = value.split(',').slice(-1);
  if (/^\d+$/.test(last.trim())) return Number(last);
  throw new InvalidArgumentError('It must be a whole number, or four of them.');
}

function kwargsValue(value: string): Readonly<Record<string, unknown>> {
  if (value.trim().startsWith('{')) {
    try {
      return JSON.parse(value) as Record<string, unknown>;
    } catch {
      throw new InvalidArgumentError('It is not JSON.');
    }
  }
  const pairs = value.split(',').filter((item) => item.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      if (rest.length === 0) throw new InvalidArgumentError(`\`${pair}\` is not key=value.`);
      return [key.trim(), scalar(rest.join('='))];
    }),
  );
}

function scalar(text: string): unknown {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

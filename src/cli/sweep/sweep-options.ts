import { Command, InvalidArgumentError } from 'commander';
import type { SweepOptions } from '../../api/sweep.ts';
import type { ModelFlags } from '../../config/flags.ts';
import { type ShotsAs, shotForms } from '../../prompt/template.ts';
import type { SweepAxes } from '../../study/sweep/axes.ts';
import { countValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import {
  addCostOptions,
  addFailureOption,
  addPaceOptions,
  addReachOptions,
  queueAddress,
} from '../../terminal/run/run-options.ts';

/** What `typecase sweep` is told. */
export interface SweepFlags
  extends SweepOptions,
    Pick<ModelFlags, 'modelName' | 'completions' | 'apiKeyEnv' | 'dataDir' | 'dialect'> {
  /** A config, or tasks. */
  readonly sources: readonly string[];
  readonly axes: SweepAxes;
  readonly strict?: boolean;
  readonly json: boolean;
}

interface AxisOptions {
  readonly templates?: readonly string[];
  readonly shots?: readonly number[];
  readonly retrievers?: readonly string[];
  readonly seeds?: readonly number[];
  readonly formats?: readonly string[];
  readonly shotsAs?: readonly ShotsAs[];
  readonly optionOrders?: readonly string[];
}

type GivenOptions = AxisOptions &
  Omit<SweepFlags, 'sources' | 'axes' | 'queue'> & { readonly queue?: string | true };

/** Reads the arguments of `typecase sweep`, or prints the help and gives undefined. */
export function parseSweepOptions(args: readonly string[]): SweepFlags | undefined {
  const parsed = parseArguments(describeSweep(), args);
  if (!parsed) return undefined;
  const { templates, shots, retrievers, seeds, formats, shotsAs, optionOrders, queue, ...rest } =
    parsed.opts<GivenOptions>();
  const sources: readonly string[] = parsed.processedArgs[0];
  const axes: SweepAxes = {
    ...(templates && { templates: templates[0] === 'all' ? 'all' : templates }),
    ...(shots && { shots }),
    ...(retrievers && { retrievers }),
    ...(seeds && { seeds }),
    ...(formats && { meta_templates: formats }),
    ...(shotsAs && { shots_as: shotsAs }),
    ...(optionOrders && { option_orders: optionOrders }),
  };
  return { ...rest, ...queueAddress(queue, { command: 'sweep' }), axes, sources };
}

export function describeSweep(): Command {
  const command = new Command('typecase sweep')
    .description('Asks models in several ways, and finds the best template with its confidence.')
    .argument('<config or tasks...>', 'config file, or tasks such as task:arithmetic')
    .optionsGroup('What to vary:')
    .option('--models <list>', 'endpoints or local models for tasks, or models of the config', list)
    .option('--templates <list>', 'template versions, task files, or `all`', list)
    .option('--shots <list>', 'numbers of examples, such as 0,1,2,4', wholeNumbers)
    .option('--data-dir <folder>', 'data folder of financial tasks')
    .option('--dialect <name>', 'upstream release that financial tasks follow (default: main)')
    .option('--retrievers <list>', 'retrievers that choose examples, such as BM25Retriever', list)
    .option('--seeds <list>', 'seeds for random examples', wholeNumbers)
    .option('--formats <list>', 'model formats, such as chatml; `own` is the model’s own', list)
    .option('--shots-as <list>', 'how examples are shown: turns, text, system', formsOfShots)
    .option(
      '--option-orders <list>',
      'original, rotations, or how many places options move up',
      list,
    )
    .optionsGroup('Choice:')
    .option('--same-template', 'choose one template for all datasets, by mean score', false)
    .option('--budget <n>', 'maximum requests, spent where they decide most', countValue)
    .option('--seed <n>', 'seed for splitting rows', wholeNumber, 0)
    .optionsGroup('Input:')
    .option('--limit <n>', 'use the first n rows', countValue)
    .option('--where <condition>', "use rows that match, such as 'level >= 3'")
    .optionsGroup('Model:')
    .option('--max-out-len <n>', 'maximum tokens per answer', countValue)
    .option('--temperature <n>', 'sampling temperature', Number)
    .option('--completions', 'send text (/completions), not messages')
    .option('--model-name <name>', 'model name to send to the endpoint')
    .option('--api-key-env <name>', 'environment variable that holds the API key')
    .optionsGroup('Output:')
    .option('--out <folder>', 'run folder (default: runs/<name>-sweep)')
    .optionsGroup('Requests:')
    .option('--concurrency <n>', 'maximum concurrent requests', countValue);
  return addExamples(
    addFailureOption(addCostOptions(addPaceOptions(addReachOptions(command))))
      .option(
        '--fail-under <score>',
        'exit 1 if the expected score of the best configuration is lower, such as 0.8 or 80%',
        shareValue,
      )
      .optionsGroup('Input:')
      .option(
        '--strict',
        'reject likely mistakes, such as a placeholder that names no column (default if CI is set)',
      )
      .option('--no-strict', 'only warn about them (default otherwise)')
      .optionsGroup('Output:')
      .option('--json', 'print JSON', false),
    [
      [
        'templates and shots of a built-in task',
        'typecase sweep task:arithmetic --models typecase-tiny \\\n    --templates all --shots 0,1,4',
      ],
      ['the sweep of a config', 'typecase sweep eval.yaml'],
    ],
  );
}

function shareValue(value: string): number {
  const share = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (value.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Expected a share such as 0.8, or a percentage such as 80%.');
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function wholeNumber(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected whole numbers, 0 or more.');
}

function wholeNumbers(value: string): number[] {
  return list(value).map(wholeNumber);
}

function formsOfShots(value: string): ShotsAs[] {
  return list(value).map((form) => {
    const known = shotForms.find((one) => one === form);
    if (known) return known;
    throw new InvalidArgumentError(`Expected one or more of ${shotForms.join(', ')}.`);
  });
}

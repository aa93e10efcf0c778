import { Command, InvalidArgumentError } from 'commander';
import type { SweepOptions } from '../../api/sweep.ts';
import type { ModelFlags } from '../../config/flags.ts';
import { type ShotsAs, shotForms } from '../../prompt/template.ts';
import type { SweepAxes } from '../../study/sweep/axes.ts';
import { countValue } from '../../terminal/option-values.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
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
    Pick<ModelFlags, 'modelName' | 'completions' | 'apiKeyEnv' | 'dataDir'> {
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

function describeSweep(): Command {
  const command = new Command('typecase sweep')
    .description(
      'Asks models in several ways, and says which template suits them and how sure that is.',
    )
    .argument('<config or tasks...>', 'config file, or tasks such as task:arithmetic')
    .option('--models <list>', 'endpoints or local models for tasks, or models of a config', list)
    .option('--templates <list>', 'versions of the tasks, task files, or `all`', list)
    .option('--shots <list>', 'numbers of examples, such as 0,1,2,4', wholeNumbers)
    .option('--data-dir <folder>', 'folder of the data of financial tasks')
    .option('--retrievers <list>', 'how examples are chosen, such as BM25Retriever', list)
    .option('--seeds <list>', 'seeds of random examples', wholeNumbers)
    .option('--formats <list>', 'model formats, such as chatml; `own` for that of the model', list)
    .option('--shots-as <list>', 'examples as turns, text, system', formsOfShots)
    .option('--option-orders <list>', 'original, rotations, or places that options move up', list)
    .option('--same-template', 'one template for all datasets, by the mean of their scores', false)
    .option('--budget <n>', 'at most so many requests, spent where they decide', countValue)
    .option('--seed <n>', 'seed of the splits of rows', wholeNumber, 0)
    .option('--limit <n>', 'only the first rows', countValue)
    .option('--where <condition>', "only rows that fit, such as 'level >= 3'")
    .option('--max-out-len <n>', 'at most so many tokens in an answer', countValue)
    .option('--temperature <n>', 'sampling temperature', Number)
    .option('--completions', 'the endpoints take text, not messages')
    .option('--model-name <name>', 'the name that the endpoint knows the model by')
    .option('--api-key-env <name>', 'environment variable that holds the API key')
    .option('--out <folder>', 'folder of the run (default: runs/<name>-sweep)')
    .option('--concurrency <n>', 'at most so many requests at once', countValue);
  return addFailureOption(addCostOptions(addPaceOptions(addReachOptions(command))))
    .option(
      '--fail-under <score>',
      'exit with 1 if the score to expect of a best configuration is lower, such as 0.8 or 80%',
      shareValue,
    )
    .option('--strict', 'refuse what is mostly a slip, such as a placeholder that is no column')
    .option('--no-strict', 'only warn of it (default, unless the variable CI is set)')
    .option('--json', 'print the result for machines', false)
    .helpOption('-h, --help', 'this text');
}

function shareValue(value: string): number {
  const share = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (value.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be a share such as 0.8, or a percentage such as 80%.');
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function wholeNumber(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be whole numbers from 0 on.');
}

function wholeNumbers(value: string): number[] {
  return list(value).map(wholeNumber);
}

function formsOfShots(value: string): ShotsAs[] {
  return list(value).map((form) => {
    const known = shotForms.find((one) => one === form);
    if (known) return known;
    throw new InvalidArgumentError(`It must be ${shotForms.join(', ')}, or some of them.`);
  });
}

import { Command, InvalidArgumentError } from 'commander';
import type { ShotsAs, SweepAxes } from '../../sweep/axes.ts';
import { countValue, positiveValue } from '../option-values.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { RunOptions } from '../run/run-options.ts';

export interface SweepOptions extends Omit<RunOptions, 'shots' | 'model'> {
  /** A config, or tasks. */
  readonly sources: readonly string[];
  readonly models?: readonly string[];
  readonly axes: SweepAxes;
  /** One template has to serve all data sets. */
  readonly sameTemplate: boolean;
  /** The most requests. */
  readonly budget?: number;
  /** Seed of the splits, and of the rows that a budget is spent on. */
  readonly seed: number;
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

/** Reads the arguments of `typecase sweep`, or prints the help and gives undefined. */
export function parseSweepOptions(args: readonly string[]): SweepOptions | undefined {
  const parsed = parseArguments(describeSweep(), args);
  if (!parsed) return undefined;
  const { templates, shots, retrievers, seeds, formats, shotsAs, optionOrders, ...rest } =
    parsed.opts<AxisOptions & Omit<SweepOptions, 'sources' | 'axes' | 'source'>>();
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
  return { ...rest, axes, sources, source: sources.join(' ') };
}

function describeSweep(): Command {
  return new Command('typecase sweep')
    .description(
      'Asks models in several ways, and says which template suits them and how sure that is.',
    )
    .argument('<config or tasks...>', 'config file, or tasks such as task:arithmetic')
    .option('--models <list>', 'endpoints or local models for tasks, or models of a config', list)
    .option('--templates <list>', 'versions of the tasks, task files, or `all`', list)
    .option('--shots <list>', 'numbers of examples, such as 0,1,2,4', wholeNumbers)
    .option('--retrievers <list>', 'how examples are chosen, such as BM25Retriever', list)
    .option('--seeds <list>', 'seeds of random examples', wholeNumbers)
    .option('--formats <list>', 'model formats, such as chatml; `own` for that of the model', list)
    .option('--shots-as <list>', 'turns, text', shotForms)
    .option('--option-orders <list>', 'original, rotations, or places that options move up', list)
    .option('--same-template', 'one template for all data sets, by the mean of their scores', false)
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
    .option('--concurrency <n>', 'at most so many requests at once', countValue)
    .option('--rps <n>', 'at most so many requests a second', positiveValue)
    .option('--retries <n>', 'attempts for a request that fails (default: 5)', countValue)
    .option('--timeout <seconds>', 'time limit of a request (default: 600)', positiveValue)
    .option('--max-time <seconds>', 'start no more requests after this time', positiveValue)
    .option('--cache [folder]', 'take answers of earlier runs to the same requests')
    .option('--json', 'print the result for machines', false)
    .helpOption('-h, --help', 'this text');
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

function shotForms(value: string): ShotsAs[] {
  return list(value).map((form) => {
    if (form === 'turns' || form === 'text') return form;
    throw new InvalidArgumentError('It must be turns, text or both.');
  });
}

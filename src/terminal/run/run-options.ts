import { Command, InvalidArgumentError } from 'commander';
import { evaluateNames } from '../../api/option-names.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { FailUnder } from '../../config/fail-under.ts';
import { type ConfigFlags, namesConfig, requireConfig } from '../../config/flags.ts';
import type { WrittenRowLimit } from '../../config/row-limit.ts';
import { failureKinds } from '../../model/failure-kind.ts';
import type { CompareGates } from '../../report/compare/compare-gates.ts';
import type { RetryKinds } from '../../run/resume.ts';
import type { RunRecord } from '../../run/store/describe-run.ts';
import {
  amountValue,
  countValue,
  failUnderValue,
  positiveValue,
  rowLimitValue,
} from '../option-values.ts';
import { parseArguments } from '../parse-arguments.ts';
import { pickOptions } from '../pick-options.ts';

export interface RunOptions extends ConfigFlags, CompareGates {
  readonly dataset?: string;
  readonly maxOutLen?: number;
  readonly temperature?: number;
  readonly limit?: number;
  readonly ids?: ReadonlySet<number>;
  readonly where?: string;
  readonly out?: string;
  readonly concurrency?: number;
  readonly rps?: number;
  readonly retries?: number;
  readonly timeout?: number;
  readonly maxTime?: number;
  readonly cache?: string | boolean;
  readonly fresh?: boolean;
  /** Keeps what was asked beside the answers. */
  readonly savePrompts?: boolean;
  readonly retry?: RetryKinds;
  readonly failUnder?: FailUnder;
  readonly maxUnscored?: WrittenRowLimit;
  readonly allowFailed?: WrittenRowLimit;
  readonly priceIn?: number;
  readonly priceOut?: number;
  readonly maxCost?: number;
  readonly queue?: string;
  readonly batch?: boolean;
  /** Fails where a template may be misspelt; the default where the variable CI is set. */
  readonly strict?: boolean;
  /** Only rows that were not right the last time. */
  readonly onlyFailed?: boolean;
  /** Goes on when a file is saved. */
  readonly watch?: boolean;
  /** The folder of a run that the results are held to. */
  readonly baseline?: string;
  /** Shows where values come from, in place of a run. */
  readonly explain?: boolean;
  readonly json: boolean;
}

/** What of the options the library takes. Models and datasets have names in a config file only. */
export function selectionOf<Options extends RunOptions>(options: Options) {
  const { model, dataset } = options;
  if (dataset !== undefined) requireConfig(options, '--dataset');
  return {
    ...pickOptions(options, evaluateNames),
    ...(model !== undefined && namesConfig(options) && { models: [model] }),
    ...(dataset !== undefined && { datasets: [dataset] }),
  };
}

const baselineGates: Readonly<Record<keyof CompareGates, string>> = {
  requireSamePrompts: '--require-same-prompts',
  failIfWorse: '--fail-if-worse',
  maxRegressions: '--max-regressions',
  maxDrop: '--max-drop',
  allowUnpaired: '--allow-unpaired',
};

const notKept = new Set([
  ...['out', 'json', 'explain', 'fresh', 'retry', 'strict', 'watch', 'baseline'],
  ...['queue', 'batch', 'savePrompts'],
  ...Object.keys(baselineGates),
]);

/** Gates that hold a run to another need that other run. */
function requireBaselineFor(options: RunOptions): void {
  if (options.baseline !== undefined) return;
  const given = Object.entries(baselineGates).flatMap(([name, flag]) =>
    options[name as keyof CompareGates] === undefined ? [] : [flag],
  );
  if (given.length === 0) return;
  throw new UsageError(
    'usage.missing_argument',
    `${given.join(', ')} ${given.length === 1 ? 'needs' : 'need'} --baseline: there is no run to compare with`,
    { hint: 'Add `--baseline FOLDER` with the folder of an earlier run.' },
  );
}

/** What of the options a run remembers, to be repeated. */
export function recordOf({ ids, ...options }: RunOptions): RunRecord['settings'] {
  const kept = Object.entries(options).filter(([name]) => !notKept.has(name));
  return { ...Object.fromEntries(kept), ...(ids && { ids: [...ids] }) };
}

/** Options whose config is found where none is named. */
export async function withSource<Options extends ConfigFlags>(options: Options): Promise<Options> {
  // Commands that need one say so in their types; a command line may leave it out.
  if ((options.source as string | undefined) !== undefined) return options;
  const { findConfig } = await import('../../config/find-config.ts');
  return { ...options, source: findConfig() };
}

/** Whether arguments name configs of another system: by file, or by name in a tree. */
export function namesForeign(args: readonly string[]): boolean {
  return args.some(
    (argument) =>
      /\.py$/i.test(argument) || /^--root(?:=|$)/.test(argument) || isPromptfoo(argument),
  );
}

/** Whether a file is a config of promptfoo, by its name. */
export function isPromptfoo(file: string): boolean {
  return /(?:^|[\\/])promptfooconfig[^\\/]*\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(file);
}

/** Reads the arguments of `typecase run`, or prints the help and gives undefined. */
export function parseRunOptions(args: readonly string[]): RunOptions | undefined {
  const parsed = parseArguments(describeRun(), args);
  if (!parsed) return undefined;
  const { queue, ...given }: { readonly queue?: string | true } = parsed.opts();
  const options = {
    ...{ json: false, ...given, source: parsed.processedArgs[0] },
    ...queueAddress(queue, { command: 'run' }),
  };
  requireBaselineFor(options);
  return options;
}

function describeRun(): Command {
  const command = addRunOptions(addTaskOptions(new Command('typecase run')))
    .description('Evaluates models on datasets. The same command again does only what is missing.')
    .option('--only-failed', 'only rows that failed, have no score or were wrong the last time')
    .option('--save-prompts', 'keep what was asked beside the answers')
    .option('--watch', 'run again when a file is saved, and say what changed')
    .option('--explain', 'show where each value of the config comes from, and ask nothing')
    .option('--baseline <folder>', 'compare with this run; the gates below are held to it');
  return addCompareGates(command);
}

/** What a run must not lose against another. */
export function addCompareGates(command: Command): Command {
  return command
    .option('--require-same-prompts', 'exit with 1 if rows were asked differently')
    .option('--fail-if-worse', 'exit with 1 if a task is significantly worse')
    .option('--max-regressions <n>', 'exit with 1 if more rows of a task are worse', wholeValue)
    .option(
      '--max-drop <points>',
      'exit with 1 if a task scores lower by more points, or by more than 5% of the score before',
      dropValue,
    )
    .option(
      '--allow-unpaired <rows>',
      'let these gates pass where so many rows of a task have no partner, such as 3 or 5% (default: 0)',
      rowLimitValue,
    );
}

function dropValue(value: string): CompareGates['maxDrop'] {
  if (/^\d+(?:\.\d+)?%$/.test(value)) return value as `${number}%`;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError(
    'It must be points such as 2.5, or a part of the score before such as 5%.',
  );
}

/** A whole number from 0 on. */
export function wholeValue(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** How a task is run. */
export function addRunOptions(command: Command): Command {
  const own = command
    .option('--out <folder>', 'folder of the run (default: runs/<name of the config>)')
    .option('--concurrency <n>', 'at most so many requests at once', countValue);
  return addGateOptions(addCostOptions(addPaceOptions(addReachOptions(own))));
}

/** Who asks the models, where it is not the command itself. */
export function addReachOptions(command: Command): Command {
  return command
    .option(
      '--queue [address]',
      'have workers ask the models, over Redis: redis://host:6379 (default: TYPECASE_QUEUE)',
    )
    .option('--batch', 'ask through the batch API of the endpoint: later, and for less');
}

/** The address of a queue that is asked for; it may hold a password, so that a variable may have it. */
export function queueAddress(
  given: string | true | undefined,
  { command }: { readonly command: string },
): { readonly queue?: string } {
  if (given === undefined) return {};
  const queue = given === true ? process.env.TYPECASE_QUEUE : given;
  if (queue !== undefined) return { queue };
  throw new UsageError('queue.no_address', `\`typecase ${command}\` needs the address of a queue`, {
    hint: 'Write the address of Redis, such as `--queue redis://127.0.0.1:6379`, or set TYPECASE_QUEUE.',
  });
}

/** What results are held to. */
export function addGateOptions(command: Command): Command {
  return addFailureOption(
    command
      .option(
        '--fail-under <score>',
        'exit with 1 if a score is lower, such as 0.8, 80% or grade=7; rows without a score count as wrong',
        failUnderValue,
      )
      .option(
        '--max-unscored <rows>',
        'exit with 1 if more rows, or samples of the others, have no score, such as 3 or 5%',
        rowLimitValue,
      ),
  );
}

export function addFailureOption(command: Command): Command {
  return command.option(
    '--allow-failed <rows>',
    'exit with 3 only if more rows failed, such as 3 or 5% (default: 0)',
    rowLimitValue,
  );
}

/** How fast and how long a model is asked, and for what. */
export function addPaceOptions(command: Command): Command {
  return command
    .option('--rps <n>', 'at most so many requests a second', positiveValue)
    .option('--retries <n>', 'attempts for a request that fails (default: 5)', countValue)
    .option('--timeout <seconds>', 'time limit of a request (default: 600)', positiveValue)
    .option('--max-time <seconds>', 'start no more requests after this time', positiveValue)
    .option('--cache [folder]', 'take answers of earlier runs to the same requests')
    .option('--fresh', 'ask everything again; the answers so far are set aside')
    .option(
      '--retry <kinds>',
      'failed rows to ask again: all, none, or kinds such as timeout,refused',
      retryValue,
    );
}

/** What tokens cost, and how much may be spent. */
export function addCostOptions(command: Command): Command {
  return command
    .option('--price-in <amount>', 'price of a million tokens sent', amountValue)
    .option('--price-out <amount>', 'price of a million tokens answered', amountValue)
    .option('--max-cost <amount>', 'end the run before it costs more', positiveValue);
}

/** What is asked, of whom, and about which rows. */
export function addTaskOptions(command: Command): Command {
  return addSourceOptions(command)
    .option('--limit <n>', 'only the first rows', countValue)
    .option('--ids <list>', 'only these rows, such as 0,5,7-9', parseIds)
    .option('--where <condition>', "only rows that fit, such as 'level >= 3'")
    .option('--strict', 'refuse what is mostly a slip, such as a placeholder that is no column')
    .option('--no-strict', 'only warn of it (default, unless the variable CI is set)')
    .option('--json', 'print the result for machines')
    .helpOption('-h, --help', 'this text');
}

/** What is asked, of whom. */
export function addSourceOptions(command: Command): Command {
  return command
    .argument(
      '[config or data]',
      'config file, task:NAME, or a file of rows (with --model and --template); typecase.config.* by default',
    )
    .option(
      '--model <url, folder or abbr>',
      'endpoint or local model for a task or a file of rows, or one model of a config',
    )
    .option('--shots <n>', 'examples in the prompts of a task (default: 0)', countValue)
    .option('--data-dir <folder>', 'folder of the data of a financial task')
    .option('--model-name <name>', 'the name that the endpoint knows the model by')
    .option('--completions', 'the endpoint takes text, not messages')
    .option('--dataset <abbr>', 'one dataset of a config')
    .option('--template <text>', 'prompt for a file of rows; \\n is a line break', unescapeText)
    .option('--output-column <name>', 'column that holds the answer')
    .option('--cluster-by <name>', 'column that tells which rows belong together')
    .option('--evaluator <type>', 'how answers are judged (default: exact)')
    .option('--meta-template <name>', 'model format for text models, such as chatml')
    .option('--max-out-len <n>', 'at most so many tokens in an answer', countValue)
    .option('--temperature <n>', 'sampling temperature', amountValue)
    .option('--api-key-env <name>', 'environment variable that holds the API key');
}

function retryValue(value: string): RetryKinds {
  if (value === 'all' || value === 'none') return value;
  return value.split(',').map((name) => {
    const kind = failureKinds.find((one) => one === name.trim());
    if (kind) return kind;
    throw new InvalidArgumentError(`It must be all, none, or some of ${failureKinds.join(', ')}.`);
  });
}

function unescapeText(value: string): string {
  return value.replaceAll(
    /\\([nt\\])/g,
    (_, letter) => ({ n: '\n', t: '\t' })[letter as string] ?? '\\',
  );
}

function parseIds(value: string): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const part of value.split(',')) {
    const [, first, last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    if (first === undefined) throw new InvalidArgumentError('Write row numbers such as 0,5,7-9.');
    for (let id = Number(first); id <= Number(last); id++) ids.add(id);
  }
  return ids;
}

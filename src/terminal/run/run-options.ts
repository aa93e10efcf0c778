import { Command, InvalidArgumentError } from 'commander';
import { evaluateNames } from '../../api/option-names.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type ConfigFlags, namesConfig, requireConfig } from '../../config/flags.ts';
import type { FailUnder, WrittenRowLimit } from '../../config/gate.ts';
import { pickOptions } from '../../config/known-options.ts';
import { promptfooFile } from '../../config/load-config.ts';
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
import { addExamples, parseArguments } from '../parse-arguments.ts';

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
    `${given.join(', ')} ${given.length === 1 ? 'needs' : 'need'} --baseline`,
    { hint: 'Add `--baseline FOLDER`, the folder of an earlier run.' },
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
      /\.py$/i.test(argument) ||
      /^--(?:root|models|datasets)(?:=|$)/.test(argument) ||
      promptfooFile.test(argument),
  );
}

/** Options about a config of another system, which are read before all others. */
export const foreignOptions: readonly (readonly [flags: string, text: string])[] = [
  ['--root <folder>', 'source tree of the config; nothing outside it is read'],
  ['--models <names...>', 'model configs of the tree, by name'],
  ['--datasets <names...>', 'dataset configs of the tree, by name'],
  ['--summarizer <name>', 'summary groups of the tree, by name'],
  ['--data <abbr=file>', 'rows of a dataset, or FILE for all; repeatable'],
  ['--data-dir <folder>', "folder in OpenCompass's data/ layout"],
  ['--base-url <url>', 'endpoint for models that name none'],
  ['--judge-url <url>', 'endpoint for judges that name none'],
  ['--env <name>', 'environment variable that the config may read; repeatable'],
  ['--approximate', 'use what is similar where something has no counterpart'],
];

/** Adds these options to the help of a command that reads configs of other systems. */
export function addForeignHelp(command: Command): Command {
  return command.addHelpText('after', (context) => {
    const help = context.command.createHelp();
    const width = help.padWidth(context.command, help);
    const items = foreignOptions.map(([flags, text]) => help.formatItem(flags, width, text, help));
    const title = 'Python configs of OpenCompass or AISBench (FILE.py, or names with --root):';
    return `\n${help.boxWrap(title, help.helpWidth ?? 80)}\n${items.join('\n')}`;
  });
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

const gatesGroup = 'Gates:';
const comparisonGroup = 'Comparison with an earlier run:';

export function describeRun(): Command {
  const command = addRunOptions(addTaskOptions(new Command('typecase run')))
    .description('Evaluates models on datasets. Run the same command again to resume.')
    .optionsGroup('Input:')
    .option('--only-failed', 'ask only rows that failed, have no score or were wrong last time')
    .optionsGroup('Output:')
    .option('--save-prompts', 'save prompts along with the answers')
    .option('--watch', 'rerun when a file is saved, and show what changed')
    .option('--explain', 'show where each config value comes from; sends nothing')
    .optionsGroup(comparisonGroup)
    .option('--baseline <folder>', 'earlier run to compare with; the options below need it');
  return addExamples(addForeignHelp(addCompareGates(command)), [
    ['evaluate a config, or resume its run', 'typecase run eval.yaml'],
    ['a built-in task on the built-in model', 'typecase run task:arithmetic --model typecase-tiny'],
    [
      'a data file on an endpoint, first 20 rows',
      "typecase run rows.jsonl --model http://127.0.0.1:8000/v1 --limit 20 \\\n    --template 'Q: {question}\\nA:'",
    ],
    ['fail a CI job below 80%', 'typecase run eval.yaml --fail-under 80%'],
    [
      'a config of OpenCompass',
      'typecase run configs/eval_demo.py --data-dir data \\\n    --base-url http://127.0.0.1:8000/v1',
    ],
  ]);
}

/** What a run must not lose against another. */
export function addCompareGates(command: Command): Command {
  return command
    .optionsGroup(comparisonGroup)
    .option('--require-same-prompts', 'exit 1 if any prompt differs')
    .option('--fail-if-worse', 'exit 1 if a task is significantly worse')
    .option('--max-regressions <n>', 'exit 1 if more than n rows of a task are worse', wholeValue)
    .option(
      '--max-drop <points>',
      'exit 1 if a task drops by more than this many points (2.5) or percent (5%)',
      dropValue,
    )
    .option(
      '--allow-unpaired <rows>',
      'let these gates pass with up to this many unpaired rows per task, such as 3 or 5% (default: 0)',
      rowLimitValue,
    );
}

function dropValue(value: string): CompareGates['maxDrop'] {
  if (/^\d+(?:\.\d+)?%$/.test(value)) return value as `${number}%`;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError(
    'Expected points such as 2.5, or a percentage of the earlier score such as 5%.',
  );
}

/** A whole number from 0 on. */
export function wholeValue(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected a whole number.');
}

/** How a task is run. */
export function addRunOptions(command: Command): Command {
  const own = command
    .optionsGroup('Output:')
    .option('--out <folder>', 'run folder (default: runs/<config name>)')
    .optionsGroup('Requests:')
    .option('--concurrency <n>', 'maximum concurrent requests', countValue);
  return addGateOptions(addCostOptions(addPaceOptions(addReachOptions(own))));
}

/** Who asks the models, where it is not the command itself. */
export function addReachOptions(command: Command): Command {
  return command
    .optionsGroup('Requests:')
    .option(
      '--queue [address]',
      'let workers ask the models, over Redis: redis://host:6379 (default: TYPECASE_QUEUE)',
    )
    .option('--batch', 'use the batch API of the endpoint: slower and cheaper');
}

/** The address of a queue that is asked for; it may hold a password, so that a variable may have it. */
export function queueAddress(
  given: string | true | undefined,
  { command }: { readonly command: string },
): { readonly queue?: string } {
  if (given === undefined) return {};
  const queue = given === true ? process.env.TYPECASE_QUEUE : given;
  if (queue !== undefined) return { queue };
  throw new UsageError('queue.no_address', `\`typecase ${command}\` needs a queue address`, {
    hint: 'Give the Redis address, such as `--queue redis://127.0.0.1:6379`, or set TYPECASE_QUEUE.',
  });
}

/** What results are held to. */
export function addGateOptions(command: Command): Command {
  return addFailureOption(
    command
      .optionsGroup(gatesGroup)
      .option(
        '--fail-under <score>',
        'exit 1 if a score is lower, such as 0.8, 80% or grade=7; unscored rows count as wrong',
        failUnderValue,
      )
      .option(
        '--max-unscored <rows>',
        'exit 1 if more rows (or samples of scored rows) have no score, such as 3 or 5%',
        rowLimitValue,
      ),
  );
}

export function addFailureOption(command: Command): Command {
  return command
    .optionsGroup(gatesGroup)
    .option(
      '--allow-failed <rows>',
      'exit 3 only if more rows failed, such as 3 or 5% (default: 0)',
      rowLimitValue,
    );
}

/** How fast and how long a model is asked, and for what. */
export function addPaceOptions(command: Command): Command {
  return command
    .optionsGroup('Requests:')
    .option('--rps <n>', 'maximum requests per second', positiveValue)
    .option('--retries <n>', 'attempts per request (default: 5)', countValue)
    .option('--timeout <seconds>', 'time limit per request (default: 600)', positiveValue)
    .option('--max-time <seconds>', 'send no new requests after this time', positiveValue)
    .option('--cache [folder]', 'reuse answers of earlier runs to identical requests')
    .option('--fresh', 'ask everything again; existing answers are set aside')
    .option(
      '--retry <kinds>',
      'failed rows to retry: all, none, or kinds such as timeout,refused',
      retryValue,
    );
}

/** What tokens cost, and how much may be spent. */
export function addCostOptions(command: Command): Command {
  return command
    .optionsGroup('Cost:')
    .option('--price-in <amount>', 'price per million input tokens', amountValue)
    .option('--price-out <amount>', 'price per million output tokens', amountValue)
    .option('--max-cost <amount>', 'stop the run before it costs more', positiveValue);
}

/** What is asked, of whom, and about which rows. */
export function addTaskOptions(command: Command): Command {
  return addSourceOptions(command)
    .optionsGroup('Input:')
    .option('--limit <n>', 'use the first n rows', countValue)
    .option('--ids <list>', 'use these rows, such as 0,5,7-9', parseIds)
    .option('--where <condition>', "use rows that match, such as 'level >= 3'")
    .option(
      '--strict',
      'reject likely mistakes, such as a placeholder that names no column (default if CI is set)',
    )
    .option('--no-strict', 'only warn about them (default otherwise)')
    .optionsGroup('Output:')
    .option('--json', 'print JSON');
}

/** What is asked, of whom. */
export function addSourceOptions(command: Command): Command {
  return command
    .argument(
      '[config or data]',
      'config file, task:NAME, or data file with --model and --template (default: typecase.config.*)',
    )
    .optionsGroup('Input:')
    .option('--dataset <abbr>', 'one dataset of the config')
    .option('--template <text>', 'prompt for a data file; \\n is a line break', unescapeText)
    .option('--output-column <name>', 'column with the gold answer')
    .option('--cluster-by <name>', 'column whose value rows of one cluster share')
    .option('--evaluator <type>', 'how answers are scored (default: exact)')
    .option('--shots <n>', 'number of examples for a task (default: 0)', wholeValue)
    .option('--data-dir <folder>', 'data folder of a financial task')
    .option('--dialect <name>', 'upstream release that a financial task follows (default: main)')
    .optionsGroup('Model:')
    .option(
      '--model <url, folder or abbr>',
      'endpoint or local model for a task or data file, or one model of the config',
    )
    .option('--model-name <name>', 'model name to send to the endpoint')
    .option('--api-key-env <name>', 'environment variable that holds the API key')
    .option('--completions', 'send text (/completions), not messages')
    .option('--meta-template <name>', 'format for text models, such as chatml')
    .option('--max-out-len <n>', 'maximum tokens per answer', countValue)
    .option('--temperature <n>', 'sampling temperature', amountValue);
}

function retryValue(value: string): RetryKinds {
  if (value === 'all' || value === 'none') return value;
  return value.split(',').map((name) => {
    const kind = failureKinds.find((one) => one === name.trim());
    if (kind) return kind;
    throw new InvalidArgumentError(`Expected all, none, or some of ${failureKinds.join(', ')}.`);
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
    if (first === undefined)
      throw new InvalidArgumentError('Expected row numbers such as 0,5,7-9.');
    for (let id = Number(first); id <= Number(last); id++) ids.add(id);
  }
  return ids;
}

import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../base/usage-error.ts';
import type { CompareGates } from '../../report/compare/compare-gates.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { addCompareGates, wholeValue } from '../../terminal/run/run-options.ts';

export interface CompareOptions extends CompareGates {
  /** Each a folder, perhaps with the task to take from it. */
  readonly a: string;
  readonly b: string;
  readonly models?: readonly [a: string, b: string];
  readonly level: number;
  readonly flips?: number;
  readonly why?: true;
  readonly html?: string;
  readonly markdown: boolean;
  readonly json: boolean;
}

/** Reads the arguments of `typecase compare`, or prints its help and gives undefined. */
export function parseCompareOptions(args: readonly string[]): CompareOptions | undefined {
  const parsed = parseArguments(describeCompare(), args);
  if (!parsed) return undefined;
  const [a, b] = parsed.processedArgs;
  const flags = { requireSamePrompts: false, failIfWorse: false, markdown: false, json: false };
  const defaults = { ...flags, level: 0.95 };
  const options: Omit<CompareOptions, 'a' | 'b'> = { ...defaults, ...parsed.opts() };
  if (b === undefined && !options.models) {
    throw new UsageError('usage.missing_argument', 'Nothing to compare the run with', {
      hint: 'Give a second run, or two models of this one: `--models a,b`.',
    });
  }
  return { ...options, a, b: b ?? a };
}

export function describeCompare(): Command {
  const command = new Command('typecase compare')
    .description('Compares two runs row by row: is B better than A, and on which rows?')
    .argument(
      '<A>',
      'run folder (A:model, A:dataset or A:model/dataset selects one task), or results of another harness',
    )
    .argument('[B]', 'the other run (default: A)')
    .option('--models <a,b>', 'model of A and model of B', parseModels)
    .option('--level <share>', 'confidence level of intervals and tests (default: 95%)', parseLevel)
    .option('--flips <n>', 'how many changed rows to show (default: 5)', wholeValue)
    .option('--why', 'say why the scores differ (always said of results of other harnesses)');
  return addExamples(
    addCompareGates(command)
      .optionsGroup('Output:')
      .option('--html <file>', 'write a stand-alone page')
      .option('--markdown', 'print Markdown')
      .option('--json', 'print JSON'),
    [
      ['two runs', 'typecase compare runs/before runs/after'],
      ['two models of one run', 'typecase compare runs/eval --models small,large'],
      ['why two harnesses disagree', 'typecase compare runs/ours results/lm-eval --why'],
      ['a gate in CI', 'typecase compare runs/main runs/branch --fail-if-worse'],
    ],
  );
}

function parseModels(value: string): readonly [string, string] {
  const [a, b, ...rest] = value.split(',').map((name) => name.trim());
  if (a && b && rest.length === 0) return [a, b];
  throw new InvalidArgumentError('Give two names, such as `small,large`.');
}

function parseLevel(value: string): number {
  const level = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (level >= 0.5 && level < 1) return level;
  throw new InvalidArgumentError('Expected a share from 0.5 to 1, or a percentage such as 99%.');
}

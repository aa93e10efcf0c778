import { Command } from 'commander';
import { planRun } from '../../api/plan-run.ts';
import { configOfFlags } from '../../config/flags.ts';
import { positiveValue } from '../../terminal/option-values.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { jsonPlan } from '../../terminal/plan/json-plan.ts';
import {
  addForeignHelp,
  addRunOptions,
  addTaskOptions,
  namesForeign,
  type RunOptions,
  selectionOf,
  withSource,
} from '../../terminal/run/run-options.ts';
import { tellOpened } from '../../terminal/run/warnings.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { renderPlan } from './render-plan.ts';

/** `typecase plan`: what a run would send, without sending it. */
export async function runPlan(args: readonly string[]): Promise<number> {
  const foreign = namesForeign(args) ? await readForeign(args) : undefined;
  const parsed = parsePlanOptions(foreign?.args ?? args);
  if (!parsed) return 0;
  const options = await withSource(parsed);
  const config = foreign?.config ?? (await configOfFlags(options));
  const plan = await planRun(config, {
    ...selectionOf(options),
    latency: options.latency,
    onOpen: (evaluations) => tellOpened(evaluations, options, config.written),
  });
  if (options.json) writeJson('plan', jsonPlan(plan));
  else {
    const lines = renderPlan(plan, describeTerminal(process.stdout));
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return 0;
}

async function readForeign(args: readonly string[]) {
  return (await import('../../import/foreign-arguments.ts')).readForeign(args, { isAsked: true });
}

interface PlanOptions extends RunOptions {
  /** Seconds that a request is taken to need. */
  readonly latency?: number;
}

/**
 * Reads the arguments of `typecase plan`, or prints its help and gives undefined. It takes all that
 * `typecase run` takes, so that one command line serves both.
 */
function parsePlanOptions(args: readonly string[]): PlanOptions | undefined {
  const parsed = parseArguments(describePlan(), args);
  if (!parsed) return undefined;
  const defaults = { json: false };
  return { ...defaults, ...parsed.opts(), source: parsed.processedArgs[0] };
}

export function describePlan(): Command {
  return addExamples(
    addForeignHelp(addRunOptions(addTaskOptions(new Command('typecase plan'))))
      .description('Estimates the requests, tokens, time and cost of a run. Sends nothing.')
      .optionsGroup('Cost:')
      .option('--latency <seconds>', 'assumed time per request (default: 2)', positiveValue),
    [
      ['before a run', 'typecase plan eval.yaml'],
      [
        'with prices per million tokens',
        'typecase plan eval.yaml --price-in 0.15 --price-out 0.60',
      ],
    ],
  );
}

import { join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { evaluate } from '../../api/evaluate.ts';
import { configOfFlags, requireConfig } from '../../config/flags.ts';
import { describeAnswers } from '../../report/describe-events.ts';
import { terminalTable } from '../../report/terminal-table.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import type { RunSummary } from '../../run/summary.ts';
import { followRun } from '../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../terminal/run/job-summary.ts';
import { reportGates } from '../../terminal/run/report-gates.ts';
import {
  namesPython,
  parseRunOptions,
  type RunOptions,
  recordOf,
  selectionOf,
} from '../../terminal/run/run-options.ts';
import {
  warnOfClusters,
  warnOfLeaks,
  warnOfOldLoglikelihoods,
  warnOfServed,
  warnOfTemplates,
  warnOfUnnamed,
} from '../../terminal/run/warnings.ts';
import { describeTerminal } from '../../terminal/terminal.ts';

/** `typecase run`: asks models, scores their answers, and keeps everything in a folder. */
export async function runRun(args: readonly string[]): Promise<number> {
  const foreign = namesPython(args) ? await readForeign(args) : undefined;
  const options = parseRunOptions(foreign?.args ?? args);
  if (!options) return 0;
  // Little of what a run allocates lives on: without this the heap would grow to several times that.
  setFlagsFromString('--heap-growing-percent=25');
  const config = foreign?.config ?? (await configOfFlags(options));
  if (options.explain) {
    requireConfig(options, '--explain');
    const { printExplained } = await import('../../terminal/explain/print-explained.ts');
    return printExplained(options.source, options);
  }
  const selection = selectionOf(options);
  const { folder, summary, problems, oldLoglikelihoods } = await followRun((following) =>
    evaluate(config, {
      ...selection,
      ...following,
      record: { command: 'run', settings: recordOf(options) },
      onOpen: warnOfTemplates,
      onSummary: addToJobSummary,
    }),
  );
  warnOfOldLoglikelihoods(oldLoglikelihoods);
  process.stderr.write(problemWarnings(problems, 'The rows of such lines are asked again.'));
  return report(summary, { folder, options });
}

async function readForeign(args: readonly string[]) {
  return (await import('../../import/foreign-arguments.ts')).readForeign(args, { isAsked: true });
}

function report(
  summary: RunSummary,
  { folder, options }: { readonly folder: string; readonly options: RunOptions },
): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    process.stdout.write(terminalTable(summary, { width, color: hasColors }));
    process.stdout.write(
      `\n${describeAnswers(summary).join('\n')}\nReport: ${relative(process.cwd(), join(folder, 'report.html'))}\n`,
    );
  }
  warnOfLeaks(summary);
  warnOfClusters(summary);
  warnOfServed(summary);
  warnOfUnnamed(summary);
  return reportGates(summary, { toGoOn: 'the same command', retry: options.retry });
}

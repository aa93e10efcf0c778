import { join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { sweepNames } from '../../api/option-names.ts';
import { type SweepOptions, type SweepResult, sweep } from '../../api/sweep.ts';
import { namesTask } from '../../config/flags.ts';
import { pickOptions } from '../../config/known-options.ts';
import { exitCodeOf } from '../../report/gate.ts';
import { describeSweepGate } from '../../report/sweep/sweep-gates.ts';
import { sweepTerminal } from '../../report/sweep/sweep-terminal.ts';
import type { RunRecord } from '../../run/store/describe-run.ts';
import { writeJson } from '../../terminal/output.ts';
import { followRun } from '../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../terminal/run/job-summary.ts';
import { reportGates } from '../../terminal/run/report-gates.ts';
import {
  tellOpened,
  warnOfClusters,
  warnOfLeaks,
  warnOfOldLoglikelihoods,
  warnOfServed,
  warnOfUnnamed,
} from '../../terminal/run/warnings.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { configOfSources } from './config-of-sources.ts';
import { parseSweepOptions, type SweepFlags } from './sweep-options.ts';

/** `typecase sweep`: asks in several ways and says what difference it makes. */
export async function runSweep(args: readonly string[]): Promise<number> {
  const flags = parseSweepOptions(args);
  if (!flags) return 0;
  // Little of what a run allocates lives on: without this the heap would grow to several times that.
  setFlagsFromString('--heap-growing-percent=60');
  const config = await configOfSources(flags);
  const options = optionsOf(flags);
  const result = await followRun((following) =>
    sweep(config, {
      ...options,
      ...following,
      record: { command: 'sweep', settings: recordOf(flags) },
      onOpen: (evaluations) => tellOpened(evaluations, flags, config),
      onSummary: addToJobSummary,
    }),
  );
  warnOfOldLoglikelihoods(result.oldLoglikelihoods);
  return report(result, flags);
}

/** What of the flags the library takes. Tasks come with their models, which have no names yet. */
function optionsOf({ sources, ...flags }: SweepFlags): SweepOptions {
  const picked = pickOptions(flags, sweepNames);
  if (!sources.every(namesTask)) return picked;
  const { models: _, ...options } = picked;
  return options;
}

const notKept = new Set([
  'sources',
  'models',
  'out',
  'json',
  'ids',
  'fresh',
  'retry',
  'strict',
  'failUnder',
  'queue',
  'batch',
]);

/** What of the flags a run remembers, to be repeated. Addresses of models may hold keys. */
function recordOf(flags: SweepFlags): RunRecord['settings'] {
  const kept = Object.entries(flags).filter(([name]) => !notKept.has(name));
  return { source: flags.sources.join(' '), ...Object.fromEntries(kept) };
}

function report(result: SweepResult, { json, retry }: SweepFlags): number {
  const { folder, summary, run, gates } = result;
  const { width, hasColors } = describeTerminal(process.stdout);
  if (json) writeJson('sweep', { ...summary, folder, ...(gates.length > 0 && { gates }) });
  else {
    process.stdout.write(sweepTerminal(summary, { width, color: hasColors }));
    process.stdout.write(`\nReport: ${join(relative(process.cwd(), folder), 'sweep.html')}\n`);
  }
  warnOfLeaks(run);
  warnOfClusters(run);
  warnOfServed(run);
  warnOfUnnamed(run);
  reportGates({ ...run, complete: summary.complete }, { toGoOn: 'the same command', retry });
  for (const gate of gates) process.stderr.write(`${describeSweepGate(gate)}\n`);
  return exitCodeOf(result);
}
